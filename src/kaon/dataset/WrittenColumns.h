#pragma once

#include <kaon/dataset/SnapshotPlan.h>
#include <kaon/detail/dataset/DataframeNode.h>
#include <kaon/detail/dataset/Formula.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kaon {

/// A column that a snapshot computes, and its form in the file.
struct WrittenColumn {
  detail::ColumnArgument argument;
  SnapshotColumn column;
};

/// Returns a column of a dataframe as a snapshot writes it: its values, and their presence if they
/// may be missing. A column that replaces an optional always has a presence. Throws Error(type) for
/// lists that may be missing as a whole, unless the files store an optional array.
/// @param tables the copied tables of the dataset's schema
[[nodiscard]] std::vector<WrittenColumn>
writtenColumns(const std::string& name, const std::shared_ptr<const detail::DataframeNode>& node,
               std::span<const std::uint32_t> tables);

} // namespace kaon
