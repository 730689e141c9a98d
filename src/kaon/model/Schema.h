#pragma once

#include <kaon/model/Datatype.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kaon {

/// How the members of a collection become columns. The values are those in files.
enum class Layout : std::uint8_t {
  split = 0, ///< a column per member
  row = 1    ///< a column of whole structs
};
[[nodiscard]] std::string_view layoutName(Layout layout) noexcept;
/// Throws Error(name) with a suggestion.
[[nodiscard]] Layout layoutNamed(std::string_view name);

/// What the rows of a table are. The values are those in files.
enum class TableKind : std::uint8_t {
  collection = 0,   ///< objects; any number an entry, or none: the collection may be absent
  vectorMember = 1, ///< the elements of a vector member; any number an object
  oneRelation = 2,  ///< a reference for each object
  manyRelation = 3, ///< references; any number an object
  parameter = 4,    ///< the values of a parameter; any number an entry, or none: it may be absent
  text = 5,         ///< the characters of a string parameter; any number a value
  value = 6         ///< exactly one row an entry
};

/// A scalar, or an array of fixed length, in each row of a table.
struct Member {
  std::string name; ///< "PDG", "vertex.x"; "" where the rows are bare values
  Scalar type = Scalar::Bool;
  std::uint32_t extent = 1; ///< values in a row
  std::uint32_t offset = 0; ///< bytes from the beginning of the row
  std::string unit;
  std::string description;
  [[nodiscard]] std::uint32_t size() const noexcept { return sizeOf(type) * extent; }
  friend bool operator==(const Member&, const Member&) = default;
};

/// Rows of one struct type. They lie under entries, or under the rows of another table: a
/// collection is a table, and each of its vector members and relations is a table under it.
struct Table {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::string name; ///< "MCParticles", "MCParticles.parents"
  TableKind kind = TableKind::collection;
  Layout layout = Layout::split;
  std::string type; ///< the datatype, component or scalar; for a relation the datatype it refers to
  std::uint32_t parent = none; ///< the table that this one lies under; none: under the entries
  std::uint32_t rowSize = 0;
  std::vector<Member> members = {};
  std::string description = {};

  [[nodiscard]] bool isRoot() const noexcept { return parent == none; }
  /// Whether the number of rows varies from one entry, or row of the parent, to the next.
  [[nodiscard]] bool isCounted() const noexcept {
    return kind != TableKind::oneRelation && kind != TableKind::value;
  }
  /// Whether an entry can be without it, which is not the same as having no row.
  [[nodiscard]] bool canBeAbsent() const noexcept { return isRoot() && isCounted(); }
  friend bool operator==(const Table&, const Table&) = default;
};

/// What the values of a column are.
enum class ColumnRole : std::uint8_t {
  presence, ///< one byte an entry: 1 where the table is there
  counts,   ///< 32-bit unsigned rows of each entry, or of each row of the parent
  rows,     ///< whole rows
  member    ///< one member of each row
};

struct Column {
  std::uint32_t table = 0;
  ColumnRole role = ColumnRole::member;
  std::uint32_t member = 0; ///< index among the table's members, for the role member
  std::uint32_t elementSize = 0;
};

/// A column and where in its elements a member lies.
struct Place {
  std::uint32_t column = 0;
  std::uint32_t offset = 0;
};

/// The tables of a category, and their columns: a table has, in this order, a presence column if it
/// can be absent, a counts column if it is counted, and then one column of whole rows (layout row)
/// or one for each member. Tables are only ever added; the numbers of tables and columns stay.
class Schema {
public:
  /// Adds a table after those it lies under. Its kind, parent and members must fit: see check().
  /// Returns its number.
  std::uint32_t add(Table table);

  [[nodiscard]] std::span<const Table> tables() const noexcept { return m_tables; }
  [[nodiscard]] const Table& table(std::uint32_t number) const { return m_tables[number]; }
  [[nodiscard]] std::span<const Column> columns() const noexcept { return m_columns; }

  /// The table with entries above it under which (or as which) this one lies.
  [[nodiscard]] std::uint32_t rootOf(std::uint32_t table) const noexcept { return m_root[table]; }
  /// A root table and all under it, ascending.
  [[nodiscard]] std::span<const std::uint32_t> tablesUnder(std::uint32_t root) const noexcept {
    return m_under[root];
  }
  /// The numbers of a table's columns: [first, last).
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t>
  columnsOf(std::uint32_t table) const noexcept {
    return {m_firstColumn[table], m_firstColumn[table + 1]};
  }
  [[nodiscard]] std::uint32_t presenceColumn(std::uint32_t table) const noexcept {
    return m_firstColumn[table];
  }
  [[nodiscard]] std::uint32_t countsColumn(std::uint32_t table) const noexcept {
    return m_firstColumn[table] + (m_tables[table].canBeAbsent() ? 1 : 0);
  }
  [[nodiscard]] Place place(std::uint32_t table, std::uint32_t member) const noexcept;
  /// The bytes from one value of a member to the next in its column.
  [[nodiscard]] std::uint32_t stride(Place place) const noexcept {
    return m_columns[place.column].elementSize;
  }

  /// The number of the table of this name, Table::none if there is none. A parameter may be called
  /// as a collection is, or as a parameter of another type: then the collection, or the first.
  [[nodiscard]] std::uint32_t find(std::string_view name) const noexcept;
  /// The collection of this name, Table::none if there is none.
  [[nodiscard]] std::uint32_t findCollection(std::string_view name) const noexcept;
  /// The parameter of this name and type, Table::none if there is none.
  [[nodiscard]] std::uint32_t findParameter(std::string_view name,
                                            std::string_view type) const noexcept;
  /// The table called so. Throws Error(name), with a suggestion, if there is none.
  [[nodiscard]] std::uint32_t tableNamed(std::string_view name) const;
  /// Table and member for a name like "MCParticles.vertex.x". Throws Error(name) with a suggestion.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> memberNamed(std::string_view name) const;
  /// The name memberNamed() finds it by.
  [[nodiscard]] std::string nameOfMember(std::uint32_t table, std::uint32_t member) const;
  /// All members called so or below that name: "MCParticles.vertex" has three, "MCParticles" all
  /// of the collection, its vector members and relations. Throws Error(name) with a suggestion.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>>
  membersBelow(std::string_view name) const;

  /// "" or what is wrong with the table as the next one of this schema. What comes from a file is
  /// checked with it, so that everything else may rely on a schema being sound.
  [[nodiscard]] std::string check(const Table& table) const;

private:
  std::vector<Table> m_tables;
  std::vector<Column> m_columns;
  std::vector<std::uint32_t> m_firstColumn{0};              // of each table, and of the next one
  std::vector<std::uint32_t> m_root;                        // of each table
  std::vector<std::vector<std::uint32_t>> m_under;          // of each root table; empty for others
  std::unordered_map<std::string, std::uint32_t> m_numbers; // by name, and by parameterKey()
};

/// The tables of a collection: first its own, then its vector members' and its relations'. Their
/// parent is `root`, the number that the first will get.
[[nodiscard]] std::vector<Table> tablesOf(const Datatype& type, std::string_view collection,
                                          std::uint32_t root, Layout layout);

/// The two members of a relation's rows: `index` of the object in its collection, -1 for none, and
/// `collection`, the number of the collection's table.
inline constexpr std::uint32_t relationIndex = 0;
inline constexpr std::uint32_t relationCollection = 1;

} // namespace kaon
