#pragma once

#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/ntuple/Mapping.h>
#include <kaon/formats/root/ntuple/NTupleDescriptor.h>
#include <kaon/formats/root/ntuple/PageList.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kaon::root {

/// The description of an RNTuple, without its pages.
struct NTuple {
  const RootContainer& container;
  std::string name; ///< file and category, for messages: "f.root:Events"
  NTupleDescriptor descriptor;
  Mapping mapping;
  std::vector<Cluster> clusters;

  [[nodiscard]] std::uint64_t entries() const noexcept {
    return clusters.empty() ? 0 : clusters.back().firstEntry + clusters.back().entries;
  }
  /// Returns the number of the cluster that has an entry.
  [[nodiscard]] std::size_t clusterOf(std::uint64_t entry) const noexcept {
    const auto after = std::ranges::upper_bound(clusters, entry, {}, &Cluster::firstEntry);
    return static_cast<std::size_t>(after - clusters.begin()) - 1;
  }
  /// Returns the stored columns for a column of the schema. Each cluster has one of them.
  [[nodiscard]] std::span<const std::uint32_t> storedColumns(const Column& column) const {
    const TableRules& rules = mapping.rules[column.table];
    if (column.role == ColumnRole::counts)
      return rules.rows.columns;
    return column.role == ColumnRole::presence ? rules.presence
                                               : rules.members[column.member].columns;
  }
  /// Returns the one of several equivalent columns that a cluster has, or the first if it has none.
  [[nodiscard]] std::uint32_t representation(std::size_t cluster,
                                             std::span<const std::uint32_t> columns) const {
    const auto place = std::ranges::find_if(
        columns, [&](std::uint32_t column) { return clusters[cluster].column(column).isThere; });
    return place == columns.end() ? columns.front() : *place;
  }
};

} // namespace kaon::root
