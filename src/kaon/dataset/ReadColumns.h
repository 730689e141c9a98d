#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/batch/ColumnPlace.h>
#include <kaon/detail/dataset/Formula.h>

#include <span>
#include <vector>

namespace kaon {

/// A column that is read, and its type in the first file of a dataset.
struct ReadColumn {
  const detail::ColumnId& id;
  detail::ColumnType type;
};

/// Where a further file has them; Table::none where it need not have one, and does not: its lists
/// are empty then. References lead to collections by their numbers in the first file. Throws
/// Error(type) where one is of another type than there, Error(name) where there is none.
[[nodiscard]] std::vector<detail::ColumnPlace>
placesIn(const Source& source, std::span<const ReadColumn> columns, const Source& first);

} // namespace kaon
