#pragma once

#include <kaon/batch/Source.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon::loop {

/// Consecutive entries that one slot of a loop processes.
struct LoopChunk {
  std::size_t source = 0; ///< the number of the source
  EntryRange entries;
};

/// Divides the entries of sources into parts, in order. Parts end at the ends of clusters, unless
/// clusters are long. They do not depend on the number of threads. With `entries` 0, each has a
/// hundredth of all entries or somewhat more.
[[nodiscard]] std::vector<LoopChunk> partsOf(std::span<const Source* const> sources,
                                             std::uint64_t entries);

} // namespace kaon::loop
