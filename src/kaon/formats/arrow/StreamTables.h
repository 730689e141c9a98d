#pragma once

#include <kaon/detail/formats/arrow/CInterface.h>
#include <kaon/model/Schema.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::arrow {

/// Returns the tables for a stream without a model. See Stream.h for the reverse.
///
/// - Numbers, strings and structs become values.
/// - Lists of structs become collections. So do lists of numbers with their type as `datatype` in
///   their metadata.
/// - Other lists, and bytes, become parameters; lists in lists become tables under these.
/// - Structs of `index` and `collection` with a `datatype` become relations.
/// - Nullable numbers, structs and arrays of fixed length become optionals in objects of a
///   datatype.
///
/// Throws Error(type) for types that files do not have.
[[nodiscard]] Schema tablesOf(const ArrowSchema& schema);

/// Returns the tables of a parameter, value or decoration. The field of a parameter is a list or
/// bytes. Records keep the name that the key `datatype` of their metadata has. Parents are numbered
/// from the first table; the parent of a decoration is 0. Throws Error(type) for types that files
/// do not have.
[[nodiscard]] std::vector<TableDefinition> freeTables(std::string_view name, TableKind kind,
                                                      const ArrowSchema& field);

/// Returns the fields with types that files do not have: their names and the messages of the
/// errors.
[[nodiscard]] std::map<std::string, std::string> refusedFields(const ArrowSchema& schema);

} // namespace kaon::arrow
