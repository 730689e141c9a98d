#pragma once

#include <kaon/batch/Source.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon::loop {

/// Consecutive entries that one slot of a loop goes through.
struct Part {
  std::size_t source = 0; ///< its number
  EntryRange entries;
};

/// The entries of sources, in order. Parts end where clusters do, unless clusters are long. What
/// they are does not depend on the number of threads; with `entries` 0 they are a hundredth of
/// all entries, or somewhat more.
[[nodiscard]] std::vector<Part> partsOf(std::span<const Source* const> sources,
                                        std::uint64_t entries);

} // namespace kaon::loop
