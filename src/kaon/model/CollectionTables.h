#pragma once

#include <kaon/model/Datatype.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/model/Table.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The tables of collections. The first table of each gets the number `root`.

namespace kaon {

/// Of a datatype's objects: first their own, then those of vector members and relations, whose
/// parent is `root`.
[[nodiscard]] std::vector<TableDefinition>
tablesOf(const Datatype& type, std::string_view collection, std::uint32_t root, Layout layout);

// Of those that other formats describe by the types of their objects alone:

/// The tables of a subset of objects of a datatype.
[[nodiscard]] std::vector<TableDefinition> subsetTables(const Datatype& of, std::string_view name,
                                                        std::uint32_t root);

/// Of links between two types, "From,To": those of a model, or, if none has such a link, of a type
/// of their own. Throws Error(version) if these are no two types.
[[nodiscard]] std::vector<TableDefinition> linkTables(std::string_view types, std::string_view name,
                                                      std::uint32_t root,
                                                      const ModelDatatypes& datatypes);

} // namespace kaon
