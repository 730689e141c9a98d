#pragma once

#include <kaon/model/Table.h>

#include <cstddef>
#include <span>
#include <vector>

namespace kaon {

/// Fits the tables of a datatype to a file that has the collection by an earlier version of the
/// datatype. The file's tables stay as they are. New lists and relations are further tables; new
/// members are decorations called as they are, which earlier objects have with their defaults. So
/// readers of either version find what they know.
///
/// `tables` are the collection's own and those under it, whose parents are given by their places;
/// `known` are those that the file has. `defaults` is a row of the collection's own table. Throws
/// Error(usage) if anything is renamed, dropped or of another type now, or if the elements of a
/// list, or an array whose default differs from element to element, are new.
void addLateMembers(std::vector<TableDefinition>& tables, std::span<const TableDefinition> known,
                    std::span<const std::byte> defaults);

} // namespace kaon
