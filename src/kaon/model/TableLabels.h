#pragma once

#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace kaon {

/// What to call the tables under the entries, by number. A parameter may be called as a collection
/// is, or as a parameter of another type: then the collection has the plain name, or the first of
/// them, and the others are told by their type.
using TableLabels = std::map<std::uint32_t, std::string>;
[[nodiscard]] TableLabels labelsOf(const Schema& schema);

/// The name of a table inside the one that it lies under, which a file may not have put before it.
[[nodiscard]] std::string_view tailOf(const Schema& schema, const Table& table);

/// What to call any table: characters, and lists without a name of their own, are called as what
/// they lie under. The labels are those of the schema.
[[nodiscard]] std::string labelOf(const Schema& schema, const TableLabels& labels,
                                  std::uint32_t table);

/// What to call a member: "MCParticles.momentum.x".
[[nodiscard]] std::string keyOf(const Schema& schema, const TableLabels& labels,
                                std::uint32_t table, std::uint32_t member);

} // namespace kaon
