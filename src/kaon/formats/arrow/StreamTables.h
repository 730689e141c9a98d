#pragma once

#include <kaon/formats/arrow/CInterface.h>
#include <kaon/model/Table.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon::arrow {

/// How values of a stream's field become rows.
enum class ColumnKind : std::uint8_t {
  numbers,        ///< a member's, `size` of them a row
  record,         ///< structs: of the children's, none of which is null
  elements,       ///< arrays of structs: of the children, one for each element
  list,           ///< rows of a table, any number
  single,         ///< rows of a table, one or, where it is null, none
  text,           ///< rows that are characters
  collectionName, ///< of references: the number of the table that is called so
};

/// A field of a stream, and where its values go.
struct StreamColumn {
  ColumnKind kind = ColumnKind::record;
  std::string name = {}; ///< "Muon.pt", for messages
  std::uint32_t table = Table::none;
  std::uint32_t member = 0;
  Scalar type = Scalar::Bool;
  /// Numbers in a row; of lists of fixed length, that; of others, 0.
  std::uint32_t size = 0;
  bool isNested = false;     ///< numbers: they are the elements of lists of fixed length
  bool isInOptional = false; ///< it, or what it lies in, is a std::optional: null is 0
  /// Of a std::optional: the member that says whether there is one.
  std::uint32_t hasValue = Table::none;
  bool canBeAbsent = false; ///< a list of entries that is null is a table that is not there
  char format =
      0; ///< the first letter of Arrow's: of strings, "u", "U" or "v"; of lists "l" or "L"
  Scalar index = Scalar::Int32; ///< of a dictionary
  bool isDictionary = false;    ///< strings in one
  std::vector<StreamColumn> children = {};
};

/// The tables that the entries of a stream become, and its fields as columns of these.
struct StreamTables {
  std::vector<TableDefinition> tables = {};
  std::vector<StreamColumn> columns = {};
};

/// Numbers and structs become values, lists of structs collections, other lists and strings
/// parameters, lists in them tables under these; see Stream.h for the other way round. Structs of
/// `index` and `collection` with a `datatype` in their metadata are relations, and numbers, structs
/// and arrays of fixed length that may be null in objects with one, and in their lists of structs,
/// are a std::optional. Throws Error(type) for types that files do not have, and Error(usage) for
/// what is no stream of structs.
[[nodiscard]] StreamTables tablesOf(const ArrowSchema& schema);

} // namespace kaon::arrow
