#pragma once

#include <kaon/detail/dataset/DataframeNode.h>
#include <kaon/model/MemberTree.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon {

/// The tables, columns and members of a dataframe that a snapshot writes.
struct SnapshotNames {
  /// Root tables of the dataset's first file that are copied unchanged.
  std::vector<std::uint32_t> tables;
  /// Columns, sorted. They may replace members of these tables.
  std::vector<std::string> columns;
  /// Members of other tables, ascending, that keep their structure: arrays of fixed length, and
  /// parts of optionals and of arrays of components.
  std::vector<TableMember> members;
};

/// Returns the meaning of names after a node. A name is a collection, value or parameter of the
/// dataset's files, or a column. Exploded collections are written as columns. Without names, all
/// contents are written. Throws Error(name) with a suggestion.
[[nodiscard]] SnapshotNames snapshotNames(const detail::DataframeNode& node,
                                          const std::vector<std::string>& names);

} // namespace kaon
