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
  std::int32_t event = 0; ///< -1: a run header
  std::uint64_t position = 0;
};

/// What a file ends with: the record with its index, and the two that lead to it. They begin at
/// this position.
[[nodiscard]] Buffer indexRecords(std::vector<IndexEntry> entries, std::uint64_t position);

/// Where a file's index says that the headers of its runs and events lie, in order; nowhere where
/// it has none, or a damaged one. Whether they do is for who looks there to see. Throws Error(io).
[[nodiscard]] std::vector<std::uint64_t> indexedPositions(const io::ByteSource& file);

} // namespace kaon::sio::lcio
