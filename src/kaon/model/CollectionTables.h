#pragma once

#include <kaon/model/Datatype.h>
#include <kaon/model/Table.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// These functions return the tables of collections. The first table gets the number `root`.

namespace kaon {

/// Returns the tables of a datatype's objects: first the objects, then vector members and
/// relations, whose parent is `root`.
[[nodiscard]] std::vector<TableDefinition>
tablesOf(const Datatype& type, std::string_view collection, TableNumber root, Layout layout);

/// Returns the tables of a subset of a datatype's objects, for formats that describe collections
/// only by the types of their objects.
[[nodiscard]] std::vector<TableDefinition> subsetTables(const Datatype& of, std::string_view name,
                                                        TableNumber root);

} // namespace kaon
