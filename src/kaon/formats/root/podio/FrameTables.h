#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/podio/FileDescription.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace kaon::root::podio {

// How podio stores frames, as tables that their container gives:
//
//   C                a collection of the members, and of x_begin and x_end: which rows of `_C_x`
//                    each object has
//   _C_x             the elements of a vector member, or `index` and `collectionID` of relations
//   C_objIdx         of a subset only: the same of its objects
//   C, _C_from, _C_to   of links
//   C                the plain values of user data
//   GP<T>Keys, GP<T>Values   the names of parameters of a type, and for each a list
//
// and how these become kaon's tables.

/// Where the rows of a table under a collection lie.
struct SideTable {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t objects = none; ///< the stored table of the objects
  std::uint32_t begins = none;  ///< column of it; none: each object has one row
  std::uint32_t ends = none;
  std::uint32_t rows = none; ///< the stored table
  // Of relations, its columns.
  std::uint32_t index = none;
  std::uint32_t collection = none;
};

/// Where the parameters of a type are stored.
struct ParameterTable {
  std::uint32_t keys = ~std::uint32_t{0};       ///< table
  std::uint32_t text = ~std::uint32_t{0};       ///< likewise: the characters of the keys
  std::uint32_t lists = ~std::uint32_t{0};      ///< likewise: a row for each key
  std::uint32_t values = ~std::uint32_t{0};     ///< likewise: what the lists hold
  std::uint32_t characters = ~std::uint32_t{0}; ///< likewise: of strings
  std::vector<std::string> names;               ///< of all keys in any entry
};

/// Where the values of a column come from.
struct Origin {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  enum class Kind : std::uint8_t {
    stored,    ///< the stored column
    presence,  ///< there in all entries
    rowCounts, ///< how many rows of a side table each object has
    rows,      ///< the stored column, of a side table
    element,   ///< of arrays of structs: one of each, which are a table of their own as stored
    index,     ///< of a relation that a side table has
    collection,
    parameterPresence, ///< whether there is the key
    parameterCounts,
    parameterValues,
    textCounts, ///< of the strings of a parameter
    text
  };
  Kind kind = Kind::presence;
  std::uint32_t column = 0; ///< stored
  std::uint32_t number = 0; ///< of the side table, if it is of one, or of the type of parameters
  std::uint32_t key = 0;    ///< its number among those of the type
  /// Of an element: which one of the array, and of the array in that, and so on.
  std::vector<std::uint32_t> elements = {};
};

struct FrameTables {
  Schema schema;
  std::vector<Origin> origins; ///< of each column
  /// Of each table, if it is a root: the stored roots of which all under it is read together.
  std::vector<std::vector<std::uint32_t>> storedRoots;
  std::vector<SideTable> sides;
  std::vector<ParameterTable> parameters;                   ///< by type
  std::unordered_map<std::uint32_t, std::uint32_t> numbers; ///< of tables, by the collection's id
};

/// Makes the tables of a category. What does not lie as podio and the models say is a table as it
/// is stored, with a warning. Reads the keys of the parameters of all entries: see parameterKeys().
[[nodiscard]] FrameTables makeFrameTables(const Source& stored,
                                          std::span<const CollectionDescription> collections,
                                          const ModelDatatypes& datatypes);

} // namespace kaon::root::podio
