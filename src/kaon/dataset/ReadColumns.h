#pragma once

#include <kaon/batch/ColumnPlace.h>
#include <kaon/batch/Source.h>
#include <kaon/dataset/Formula.h>

#include <span>
#include <vector>

namespace kaon {

/// A column that is read, and its type in the first file of a dataset.
struct ReadColumn {
  const ColumnId& id;
  ColumnType type;
};

/// Where a further file has them; Table::none where it need not have one, and does not: its lists
/// are empty then. References lead to collections by their numbers in the first file. Throws
/// Error(type) where one is of another type than there, Error(name) where there is none.
[[nodiscard]] std::vector<ColumnPlace>
placesIn(const Source& source, std::span<const ReadColumn> columns, const Source& first);

} // namespace kaon
