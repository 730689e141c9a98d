#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace kaon::sio::lcio {

/// The record of the index.
inline constexpr std::string_view indexRecord = "LCIOIndex";

/// A row of the index at the end of LCIO's files.
struct IndexEntry {
  std::int32_t run = 0;
  std::int32_t event = 0; ///< -1 for a run header
  std::uint64_t position = 0;
};

/// Encodes the end of a file: the record of the index, and two records that point to it. They begin
/// at `position`.
[[nodiscard]] Buffer indexRecords(std::vector<IndexEntry> entries, std::uint64_t position);

/// Returns the places of run and event headers from a file's index, in order. Empty if the index is
/// missing or damaged. The places are not verified. Throws Error(io).
[[nodiscard]] std::vector<std::uint64_t> indexedPositions(const io::ByteSource& file);

} // namespace kaon::sio::lcio
