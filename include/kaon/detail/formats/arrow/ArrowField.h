#pragma once

#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kaon::arrow {

/// The form of a field's values in Arrow.
enum class ArrowFieldKind : std::uint8_t {
  number,         ///< numbers and truth values
  fixedList,      ///< arrays of `size` elements
  list,           ///< a list for each entry or row above, of the rows of `table`
  text,           ///< strings: the rows of `table` are their characters
  record,         ///< structs with a field for each child
  collectionName, ///< names of collections in references, from a dictionary
};

/// The condition for a null value of a field.
enum class Absence : std::uint8_t {
  never,
  ofTable,     ///< where `table` is absent
  ofMember,    ///< where `hasValue` is false
  ofReference, ///< where the index of the reference is negative
};

/// A field of the Arrow struct for an entry, or of a struct or list inside it. It has the type of
/// the values, and the members of the category's tables that store them.
struct ArrowField {
  ArrowFieldKind kind = ArrowFieldKind::record;
  std::string name = {};
  TableNumber table = Table::none;
  /// The members of `table` that store the values. Several members are the elements of an array of
  /// components, one after another in each row.
  std::vector<std::uint32_t> members = {};
  std::vector<std::uint32_t> hasValue = {}; ///< members that tell whether values are present
  TableNumber presenceTable = Table::none;  ///< has `hasValue`, if `table` does not
  Scalar type = Scalar::Bool;
  std::uint32_t size = 1;
  Absence absence = Absence::never;
  std::string unit = {};
  std::string description = {};
  std::string datatype = {};
  /// The type of a decoration's table; "" for fields that are not decorations.
  std::string decoration = {};
  /// The structure of an optional, or of a record that is an optional or array with parts in
  /// several tables; "" for other fields.
  std::string structure = {};
  std::uint64_t missing = 0; ///< for numbers of decorations: see MemberDefinition
  std::vector<ArrowField> children = {};
};

/// The numbers of a table and of its member. With `noMember`, only the rows of the table are
/// wanted.
using WantedColumn = TableMember;
inline constexpr MemberNumber noMember = ~std::uint32_t{0};

/// The members to read, by table. The tables above each table are included.
using WantedMembers = std::map<std::uint32_t, std::vector<std::uint32_t>>;

/// Returns the members to read for some columns. Adds the members that their fields need: for
/// example, the collection of a reference needs its index. Throws Error(usage) for numbers that the
/// schema does not have.
[[nodiscard]] WantedMembers wantedMembers(const Schema& schema,
                                          const std::vector<WantedColumn>& columns);

/// The arrangement of columns as fields of an entry.
enum class FieldNesting : std::uint8_t {
  /// A field for each collection, parameter and value. Collections are lists of structs. Dots in
  /// names of members become structs inside these; lists and relations of objects become lists.
  records,
  /// A field for each member, such as "MCParticles.momentum.x", with lists of numbers.
  columns,
};

/// Returns the struct for an entry. Its fields have the order of the columns.
[[nodiscard]] ArrowField entryField(const Schema& schema, const std::vector<WantedColumn>& columns,
                                    FieldNesting nesting);

} // namespace kaon::arrow
