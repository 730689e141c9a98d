#pragma once

#include <kaon/formats/arrow/StreamColumn.h>
#include <kaon/formats/arrow/TableRows.h>

#include <cstddef>
#include <span>
#include <string>

namespace kaon::arrow {

/// Turns the references in rows into numbers of objects and of tables.
///
/// References have the indices of collections' names in `names`. `rows` has the rows of each table,
/// then whole references. Whole references are turned into the new positions of the objects. If
/// several collections have the object, the one with its former name is preferred. In one
/// collection, the first copy is preferred.
///
/// Throws Error(name) for names of collections that the relation cannot lead to. Throws
/// Error(usage) for references into collections that have no objects in the entry.
void resolveReferences(const StreamPlan& plan, std::span<const std::string> names,
                       std::span<TableRows> rows, std::size_t entries);

} // namespace kaon::arrow
