#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/dataset/Formula.h>
#include <kaon/detail/reading/ColumnLocator.h>

#include <span>
#include <vector>

namespace kaon {

/// A column to read, with its type in the first file of a dataset.
struct ReadColumn {
  const detail::ColumnId& id;
  detail::ColumnType type;
};

/// Locates columns in a further file. The table is Table::none if the file lacks a column that it
/// may lack; its lists are then empty. References refer to collections by their numbers in the
/// first file. Throws Error(type) if a type differs from the first file, Error(name) for other
/// missing columns.
[[nodiscard]] std::vector<detail::ColumnLocator>
placesIn(const Source& source, std::span<const ReadColumn> columns, const Source& first);

} // namespace kaon
