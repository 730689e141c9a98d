#pragma once

#include <kaon/formats/arrow/CInterface.h>
#include <kaon/formats/arrow/StreamNumbers.h>
#include <kaon/model/Table.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kaon::arrow {

/// How values of a stream's field become rows.
enum class ColumnKind : std::uint8_t {
  numbers,        ///< a member's, `size` of them a row
  record,         ///< structs: of the children's, none of which is null
  elements,       ///< arrays of structs: of the children, one for each element
  list,           ///< rows of a table, any number
  text,           ///< rows that are characters, or bytes
  runs,           ///< of the child, each value of which goes on for several rows
  collectionName, ///< of references: the number of the table that is called so
};

/// A field of a stream, and where its values go.
struct StreamColumn {
  ColumnKind kind = ColumnKind::record;
  std::string name = {}; ///< "Muon.pt", for messages
  std::uint32_t table = Table::none;
  std::uint32_t member = 0;
  StreamNumber number = {};
  /// Numbers in a row; of lists and bytes of fixed length, that; of others, 0.
  std::uint32_t size = 0;
  /// Of numbers that are elements of lists of fixed length: the sizes, the outermost first.
  std::vector<std::uint32_t> nesting = {};
  bool isInOptional = false; ///< it, or what it lies in, is a std::optional: null is 0
  /// Of a std::optional: the member that says whether there is one.
  std::uint32_t hasValue = Table::none;
  bool canBeAbsent = false; ///< a list of entries that is null is a table that is not there
  /// The first letter of Arrow's: of strings "u", "U" or "v", of bytes "z", "Z", "v" or "w", of
  /// lists "l" or "L".
  char format = 0;
  Scalar index = Scalar::Int32; ///< of a dictionary, or where runs end
  bool isDictionary = false;    ///< numbers or strings in one
  std::vector<StreamColumn> children = {};
};

/// The tables that the entries of a stream become, and its fields as columns of these.
struct StreamTables {
  std::vector<TableDefinition> tables = {};
  std::vector<StreamColumn> columns = {};
};

/// Numbers, strings and structs become values, lists of structs, and of numbers whose type is the
/// `datatype` of their metadata, collections, other lists and bytes parameters, lists in them
/// tables under these; see Stream.h for the other way round. Structs of `index` and `collection`
/// with a `datatype` in their metadata are relations, and numbers, structs and arrays of fixed
/// length that may be null in objects with one, and in their lists of structs, are a std::optional.
/// Throws Error(type) for types that files do not have, and Error(usage) for what is no stream of
/// structs.
[[nodiscard]] StreamTables tablesOf(const ArrowSchema& schema);

/// The fields of types that files do not have, by name, and what is wrong with each.
[[nodiscard]] std::map<std::string, std::string> refusedFields(const ArrowSchema& schema);

} // namespace kaon::arrow
