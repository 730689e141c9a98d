#pragma once

#include <kaon/batch/EntrySelection.h>
#include <kaon/formats/hdf5/CategoryDatasets.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kaon::hdf5 {

/// The number of entries that kaon reads at once. HDF5 has only the chunks of each dataset. All
/// widths are powers of two, so that pages of different groups nest in each other and in clusters.
class PageWidths {
public:
  explicit PageWidths(const CategoryDatasets& contents);

  /// Entries in a page of a group; its widest column has about 64 KiB.
  [[nodiscard]] std::uint64_t ofGroup(std::uint32_t group) const { return m_pages[group]; }
  /// Returns ranges of entries of about 16 MiB each.
  [[nodiscard]] std::vector<EntryRange> clusters() const;
  /// Returns the cluster with an entry.
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
