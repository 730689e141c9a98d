#pragma once

#include <kaon/detail/dataset/Node.h>
#include <kaon/model/MemberTree.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon {

/// What is written of a dataframe.
struct SnapshotNames {
  /// Root tables of the dataset's first file, which are copied as they are.
  std::vector<std::uint32_t> tables;
  /// Columns, sorted; some may be members of these tables, in place of what the files have.
  std::vector<std::string> columns;
  /// Members of other tables, ascending: arrays of fixed length, and parts of optionals and of
  /// arrays of components, which keep their structure.
  std::vector<detail::MemberPlace> members;
};

/// What names mean after a node: a collection, value or parameter of the dataset's files; a column.
/// A collection that was exploded is its columns. No names are all there is. Throws Error(name)
/// with a suggestion.
[[nodiscard]] SnapshotNames snapshotNames(const detail::Node& node,
                                          const std::vector<std::string>& names);

} // namespace kaon
