#pragma once

#include <kaon/formats/arrow/CInterface.h>
#include <kaon/model/Schema.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::arrow {

/// The tables of a stream without a model. See Stream.h for the reverse.
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

/// The tables of a parameter, whose field is a list or bytes, of a value or of a decoration.
/// Records keep the name that their metadata have as `datatype`. Parents count from the first
/// table; that of a decoration is 0. Throws Error(type)
/// for types that files do not have.
[[nodiscard]] std::vector<TableDefinition> freeTables(std::string_view name, TableKind kind,
                                                      const ArrowSchema& field);

/// The fields of types that files do not have, by name, with the messages of their errors.
[[nodiscard]] std::map<std::string, std::string> refusedFields(const ArrowSchema& schema);

} // namespace kaon::arrow
