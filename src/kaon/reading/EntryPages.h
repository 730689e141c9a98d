#pragma once

#include <kaon/batch/Source.h>

#include <algorithm>
#include <bit>
#include <cstdint>

// Pages for cursors of files that do not cut all columns of a group at the same entries. A page is
// a range of entries in a cluster. Its width is a power of two, so that the pages of all groups
// nest in each other.

namespace kaon {

inline constexpr double bytesInPage = 128 * 1024;             ///< decoded, of the widest column
inline constexpr std::uint64_t mostEntriesInPage = 64 * 1024; ///< for nearly empty columns

/// Returns the number of entries with about `wanted` bytes, if `entries` of them have `bytes`.
[[nodiscard]] inline std::uint64_t pageWidth(double wanted, double bytes, std::uint64_t entries,
                                             std::uint64_t most = mostEntriesInPage) {
  const double width = wanted * static_cast<double>(entries) / std::max(bytes, 1.0);
  return std::bit_floor(
      static_cast<std::uint64_t>(std::clamp(width, 1.0, static_cast<double>(most))));
}

/// Returns the page of an entry in a cluster, which has this number.
[[nodiscard]] inline detail::PageRange pageIn(EntryRange cluster, std::uint64_t number,
                                              std::uint64_t width, std::uint64_t entry) {
  const std::uint64_t page = (entry - cluster.first) / width;
  const std::uint64_t first = cluster.first + page * width;
  return {.firstEntry = first,
          .lastEntry = first + std::min(width, cluster.last - first),
          .cluster = number,
          .page = static_cast<std::uint32_t>(page),
          .sharesBytes = true};
}

} // namespace kaon
