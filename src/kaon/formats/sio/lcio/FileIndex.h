#pragma once

#include <kaon/base/Buffer.h>

#include <cstdint>
#include <vector>

namespace kaon::sio::lcio {

/// A row of the index at the end of LCIO's files.
struct IndexEntry {
  std::int32_t run = 0;
  std::int32_t event = 0; ///< -1: a run header
  std::uint64_t position = 0;
};

/// What a file ends with: the record with its index, and the two that lead to it. They begin at
/// this position.
[[nodiscard]] Buffer indexRecords(std::vector<IndexEntry> entries, std::uint64_t position);

} // namespace kaon::sio::lcio
