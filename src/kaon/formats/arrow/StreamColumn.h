#pragma once

#include <kaon/detail/formats/arrow/CInterface.h>
#include <kaon/formats/arrow/StreamNumbers.h>
#include <kaon/model/MemberTree.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kaon::arrow {

/// The conversion of a field's values to rows.
enum class ColumnKind : std::uint8_t {
  numbers,        ///< Values of a member, `size` in a row.
  record,         ///< Structs, with a child for each field.
  elements,       ///< Arrays of structs, with a child for each element.
  list,           ///< Any number of rows of a table.
  single,         ///< One row of a table; the table is absent where the value is null.
  text,           ///< Characters or bytes, one a row.
  runs,           ///< Run-length encoded values of the child.
  collectionName, ///< Names in references, see StreamRelation.
};

/// The kind of an input.
enum class EntryForm : std::uint8_t {
  arrays, ///< Of Awkward and NumPy: a null is a missing value.
  stream  ///< A table of another library: null strings are empty, null floats NaN.
};

/// The treatment of a null.
enum class Nulls : std::uint8_t {
  refuse,  ///< An Error(usage) with the text `refusal`.
  missing, ///< The row gets the column's `missing` values; lists are empty.
  nan      ///< Floats become NaN.
};

/// Lists around the values of an array in a row.
struct ArrayLevel {
  char format = 'w';      ///< 'w' for fixed length, 'l' or 'L' for any length.
  std::uint32_t size = 0; ///< Of each list.
};

/// A field of a stream, and the members that get its values.
struct StreamColumn {
  ColumnKind kind = ColumnKind::record;
  std::string name = {}; ///< "Muon.pt", for messages.
  /// The number of its array in the column above. With Table::none, all its rows are missing.
  std::uint32_t field = Table::none;
  TableNumber table = Table::none;
  MemberNumber member = 0;
  StreamNumber number = {};   ///< The numbers in the stream.
  Scalar type = Scalar::Bool; ///< Of numbers in the table.
  std::uint32_t size = 0;     ///< Numbers in a row; the length of lists and bytes if it is fixed.
  std::vector<ArrayLevel> levels{}; ///< Of arrays in a row, the outermost first.
  std::string shapeMistake = {};    ///< The message for arrays of other sizes.

  Nulls nulls = Nulls::missing;
  std::string refusal = {}; ///< The message for nulls.
  std::string lacks = {};   ///< The message if any row exists; "" if rows are valid.
  /// The number of given components around the value. Each can state a default.
  std::uint32_t components = 0;
  /// The values of a missing row, for each number of given components around it from 0 to
  /// `components`. Empty for zeros.
  std::vector<std::byte> missing{};
  bool isNull = false;                      ///< All values are null.
  TableMember presence{};                   ///< Of an optional: its `has_value`.
  std::vector<std::byte> missingPresence{}; ///< Of missing rows, like `missing`.
  bool canBeAbsent = false;                 ///< The table is absent where a value is null.
  /// The first letter of Arrow's format. Strings have "u", "U" or "v", bytes "z", "Z", "v" or "w",
  /// and lists "l", "L", "m" or "w".
  char format = 0;
  Scalar index = Scalar::Int32; ///< The type of a dictionary's indices, or of the ends of runs.
  bool isDictionary = false;    ///< Numbers or strings are in a dictionary.
  std::vector<StreamColumn> children = {};
};

[[nodiscard]] inline StreamColumn asField(StreamColumn column, std::uint32_t number) {
  column.field = number;
  return column;
}
/// Returns a column whose field has run-length encoded values.
[[nodiscard]] StreamColumn runsOf(StreamColumn values, const ArrowSchema& field);
/// Notes in a column whether the field's values are in a dictionary.
void takeDictionary(StreamColumn& column, const ArrowSchema& field);

/// References of a stream. They become numbers of objects and of tables after all rows are
/// converted.
struct StreamRelation {
  enum class Form : std::uint8_t {
    indices, ///< Numbers of objects in the only collection of the type.
    named,   ///< With the names of collections.
    whole    ///< To objects of files that were read: see ReadObjects.
  };
  Form form = Form::named;
  TableNumber table = 0; ///< Of the references.
  std::string name = {};
  std::string type = {};                   ///< Of the objects.
  std::vector<std::uint32_t> targets = {}; ///< The collections of this type.
  std::uint32_t read = Table::none;        ///< Of the form `whole`: rows with ReadMember.
};

/// Objects of a collection that were read from files, with references to the objects in these
/// files.
struct ReadObjects {
  TableNumber collection = 0;
  std::uint32_t read = 0; ///< Rows with ReadMember.
};

/// The members of whole references, whose rows belong to no table.
enum ReadMember : std::uint32_t { readEntry, readIndex, readFile, readCollection };
inline constexpr Scalar readTypes[] = {Scalar::Int64, Scalar::Int64, Scalar::Int64, Scalar::UInt32};
/// The index and the collection's name in a missing whole reference.
inline constexpr std::int64_t noIndex = -1;
inline constexpr std::uint32_t noName = ~std::uint32_t{0};

/// The tables for the entries of a stream, and the columns that fill them.
struct StreamPlan {
  Schema schema = {};
  std::vector<StreamColumn> columns = {};
  std::vector<std::uint32_t> absent = {}; ///< Tables under entries that have no column.
  std::vector<StreamRelation> relations = {};
  std::vector<ReadObjects> objects = {};
  std::uint32_t reads = 0; ///< Sets of rows with ReadMember, after those of the tables.
  /// Whether whole references to objects that are not written become empty.
  bool emptiesLostReferences = false;
  /// Whether references to collections that are empty in their entry are errors. Otherwise they are
  /// written, as files can have them.
  bool refusesEmptyTargets = false;
};

} // namespace kaon::arrow
