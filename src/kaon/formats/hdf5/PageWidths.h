#pragma once

#include <kaon/batch/EntrySelection.h>
#include <kaon/formats/hdf5/CategoryContents.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kaon::hdf5 {

/// How many entries kaon reads at once: HDF5 has no such runs, only chunks of each dataset. All are
/// powers of two, so that pages of different groups lie in each other, and in clusters.
class PageWidths {
public:
  explicit PageWidths(const CategoryContents& contents);

  /// Entries of a page of a group: of its widest column about 64 KiB.
  [[nodiscard]] std::uint64_t ofGroup(std::uint32_t group) const { return m_pages[group]; }
  /// Runs of entries of about 16 MiB.
  [[nodiscard]] std::vector<EntryRange> clusters() const;
  /// The one in which an entry lies.
  [[nodiscard]] EntryRange clusterOf(std::uint64_t entry) const noexcept {
    const std::uint64_t first = entry / m_cluster * m_cluster;
    return {first, first + std::min(m_cluster, m_entries - first)};
  }

private:
  std::uint64_t m_entries;
  std::vector<std::uint64_t> m_pages; // by group
  std::uint64_t m_cluster = 1;
};

} // namespace kaon::hdf5
