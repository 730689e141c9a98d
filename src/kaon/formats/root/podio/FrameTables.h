#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/podio/RootFileDescription.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace kaon::root::podio {

// podio's layout of frames, as tables of the container:
//
//   C                a collection of the members, and of x_begin and x_end: which rows of `_C_x`
//                    each object has
//   _C_x             the elements of a vector member, or `index` and `collectionID` of relations
//   C_objIdx         of a subset only: `index` and `collectionID` of its objects
//   C, _C_from, _C_to   of links
//   C                the plain values of user data
//   GP<T>Keys, GP<T>Values   the names of parameters of a type, and a list for each of them
//
// The following types map them to kaon's tables.

/// The place of the rows of a table below a collection.
struct SideTable {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t objects = none; ///< the stored table of the objects
  std::uint32_t begins = none;  ///< column of `objects`; `none` if each object has one row
  std::uint32_t ends = none;
  std::uint32_t rows = none; ///< the stored table
  // Columns, for relations only.
  std::uint32_t index = none;
  std::uint32_t collection = none;
};

/// The stored tables of the parameters of a type.
struct ParameterTable {
  std::uint32_t keys = ~std::uint32_t{0};       ///< the keys
  std::uint32_t text = ~std::uint32_t{0};       ///< the characters of the keys
  std::uint32_t lists = ~std::uint32_t{0};      ///< a row for each key
  std::uint32_t values = ~std::uint32_t{0};     ///< the values in the lists
  std::uint32_t characters = ~std::uint32_t{0}; ///< the characters of strings
  std::vector<std::string> names;               ///< all keys that occur in any entry
};

/// The source of the values of a column.
struct PodioOrigin {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  enum class Kind : std::uint8_t {
    stored,    ///< The stored column.
    presence,  ///< Present in all entries.
    rowCounts, ///< The number of rows of a side table for each object.
    rows,      ///< The stored column of a side table.
    element,   ///< One element of an array of structs, which is a stored table of its own.
    index,     ///< Of a relation in a side table.
    collection,
    parameterPresence, ///< whether the entry has the key
    parameterCounts,
    parameterValues,
    textCounts, ///< of the strings of a parameter
    text
  };
  Kind kind = Kind::presence;
  std::uint32_t column = 0; ///< Stored.
  std::uint32_t number = 0; ///< Of the side table, if there is one, or of the type of parameters.
  std::uint32_t key = 0;    ///< Its number among the keys of the type.
  /// Elements only: the index in the array, then in the array inside that, and so on.
  std::vector<std::uint32_t> elements = {};
};

struct FrameTables {
  Schema schema;
  std::vector<PodioOrigin> origins; ///< of each column
  /// For each root table: the stored roots that are read together for all tables under it.
  std::vector<std::vector<std::uint32_t>> storedRoots;
  std::vector<SideTable> sides;
  std::vector<ParameterTable> parameters;                   ///< by type
  std::unordered_map<std::uint32_t, std::uint32_t> numbers; ///< of tables, by the collection's ID
};

/// Creates the tables of a category. Tables that deviate from podio's layout or the models are kept
/// as they are stored, with a warning. Reads the keys of the parameters of all entries: see
/// parameterKeys().
[[nodiscard]] FrameTables makeFrameTables(const Source& stored,
                                          std::span<const CollectionDescription> collections,
                                          const ModelDatatypes& datatypes);

} // namespace kaon::root::podio
