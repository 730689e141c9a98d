#pragma once

#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon {

/// Fits the tables of a datatype to a file that has an earlier version of the datatype. The file's
/// tables stay as they are. New lists and relations become further tables. New members become
/// decorations with the members' names; earlier objects have their defaults. Readers of both
/// versions thus find the members that they know.
///
/// `tables` are the tables of the collection; their parents are positions in `tables`. `known` are
/// the collection's tables in the file. `defaults` is a row of the collection's first table. Throws
/// Error(usage) if the new version renamed or dropped something, or changed a type. Also throws it
/// for new members in the elements of lists, and for a new array whose default differs between
/// elements.
void addLateMembers(std::vector<TableDefinition>& tables, std::span<const TableDefinition> known,
                    std::span<const std::byte> defaults);

/// Returns a root table and the tables under it; their parents are positions in the result.
[[nodiscard]] std::vector<TableDefinition> definitionsUnder(const Schema& schema, TableNumber root);

} // namespace kaon
