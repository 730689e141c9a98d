#pragma once

#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kaon::arrow {

/// What Arrow knows a field's values as.
enum class FieldKind : std::uint8_t {
  number,         ///< numbers and truth values
  fixedList,      ///< arrays of `size` elements
  list,           ///< the rows of `table` under each row above, or each entry
  text,           ///< the same, characters that are a string
  record,         ///< structs of the children
  collectionName, ///< of a reference: a place in the list of all collections' names
};

/// When a value of a field is null.
enum class Absence : std::uint8_t {
  never,
  ofTable,     ///< where the entry does not have `table`
  ofMember,    ///< where `hasValue` says so
  ofReference, ///< where the reference's index is less than 0
};

/// A field of the struct that an entry is to Arrow, or of a struct or list in it: its type, and
/// which members of the category's tables have its values.
struct Field {
  FieldKind kind = FieldKind::record;
  std::string name = {};
  std::uint32_t table = Table::none;
  /// Those of a row of the table; several: the elements of an array of components, one after
  /// another in each row.
  std::vector<std::uint32_t> members = {};
  std::vector<std::uint32_t> hasValue = {};  ///< likewise
  std::uint32_t presenceTable = Table::none; ///< that has these, if it is another one
  Scalar type = Scalar::Bool;
  std::uint32_t size = 1;
  Absence absence = Absence::never;
  std::string unit = {};
  std::string description = {};
  std::string datatype = {};
  /// Of a decoration of a collection's objects: the type of its table; "" for other fields.
  std::string decoration = {};
  /// Of a record that is an optional or array by its structure, whose parts are in several tables.
  std::string structure = {};
  std::uint64_t missing = 0; ///< of numbers in a decoration: see MemberDefinition
  std::vector<Field> children = {};
};

/// Tables and their members by number. A table with no member stands for its rows alone.
using WantedColumn = std::pair<std::uint32_t, std::uint32_t>;
inline constexpr std::uint32_t noMember = ~std::uint32_t{0};

/// The members to read, by table; a table is there if one under it is.
using WantedMembers = std::map<std::uint32_t, std::vector<std::uint32_t>>;

/// The columns, with all that it takes to make fields of them: a reference's collection needs its
/// index. Throws Error(usage) for numbers that the schema does not have.
[[nodiscard]] WantedMembers wantedMembers(const Schema& schema,
                                          const std::vector<WantedColumn>& columns);

/// How columns become the fields of an entry.
enum class FieldNesting : std::uint8_t {
  /// A field for each collection, parameter and value: lists of structs, in which dots in names
  /// of members are structs in structs, lists and relations lists.
  records,
  /// A field for each member, "MCParticles.momentum.x": lists of numbers.
  columns,
};

/// The struct that an entry is, with the fields in the order of the columns.
[[nodiscard]] Field entryField(const Schema& schema, const std::vector<WantedColumn>& columns,
                               FieldNesting nesting);

} // namespace kaon::arrow
