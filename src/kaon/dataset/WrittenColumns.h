#pragma once

#include <kaon/dataset/SnapshotPlan.h>
#include <kaon/detail/dataset/Formula.h>
#include <kaon/detail/dataset/Node.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kaon {

/// A column that a snapshot computes, and how files have it.
struct WrittenColumn {
  detail::Argument argument;
  SnapshotColumn column;
};

/// A column of a dataframe as a snapshot writes it: its values, and what says where they are there
/// if they may be missing. A column that takes the place of an optional says so also where it has
/// all values. Throws Error(type) for lists that may be missing as a whole, unless the files have
/// them as an optional array.
/// @param tables of the dataset's schema, that are copied
[[nodiscard]] std::vector<WrittenColumn>
writtenColumns(const std::string& name, const std::shared_ptr<const detail::Node>& node,
               std::span<const std::uint32_t> tables);

} // namespace kaon
