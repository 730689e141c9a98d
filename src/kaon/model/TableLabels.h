#pragma once

#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace kaon {

/// The labels of the tables under entries, by number. A parameter may have the name of a
/// collection, or of a parameter of another type. Then only the collection, or the first parameter,
/// has the plain name. The labels of the others include their type.
using TableLabels = std::map<std::uint32_t, std::string>;
[[nodiscard]] TableLabels labelsOf(const Schema& schema);

/// Returns the name of a table without the name of the table above it. Some files do not begin
/// names with it.
[[nodiscard]] std::string_view tailOf(const Schema& schema, const Table& table);

/// Returns the label of any table. Characters, and lists without a name of their own, have the
/// label of the table above them. The labels must be those of the schema.
[[nodiscard]] std::string labelOf(const Schema& schema, const TableLabels& labels,
                                  TableNumber table);

/// Returns the label of a member: "MCParticles.momentum.x".
[[nodiscard]] std::string keyOf(const Schema& schema, const TableLabels& labels, TableNumber table,
                                MemberNumber member);

} // namespace kaon
