#pragma once

#include <kaon/model/Table.h>

#include <cstdint>
#include <iterator>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kaon {

/// The values of a column.
enum class ColumnRole : std::uint8_t {
  presence, ///< one byte per entry: 1 if the entry has the table
  counts,   ///< 32-bit unsigned numbers of rows for each entry, or for each row of the parent
  rows,     ///< whole rows
  member    ///< one member of each row
};

/// Returns the name of a role: "presence", "counts", "rows", "values".
[[nodiscard]] constexpr std::string_view roleName(ColumnRole role) noexcept {
  constexpr std::string_view names[] = {"presence", "counts", "rows", "values"};
  return names[static_cast<std::size_t>(role)];
}

struct Column {
  static constexpr ColumnNumber none = ~std::uint32_t{0};

  TableNumber table = 0;
  ColumnRole role = ColumnRole::member;
  MemberNumber member = 0; ///< index among the table's members, for the role member
  std::uint32_t elementSize = 0;
};

namespace detail {

/// A column, and the offset of a member in its elements.
struct MemberPosition {
  ColumnNumber column = 0;
  std::uint32_t offset = 0;
};

/// The numbers of tables in a linked list.
class TableChain {
public:
  TableChain(TableNumber first, std::span<const std::uint32_t> next)
      : m_first(first), m_next(next) {}
  class Iterator {
  public:
    using value_type = TableNumber;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Iterator(TableNumber number, std::span<const std::uint32_t> next)
        : m_number(number), m_next(next) {}
    TableNumber operator*() const noexcept { return m_number; }
    Iterator& operator++() noexcept {
      m_number = m_next[m_number];
      return *this;
    }
    Iterator operator++(int) noexcept {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) noexcept {
      return a.m_number == b.m_number;
    }

  private:
    TableNumber m_number = Table::none;
    std::span<const std::uint32_t> m_next;
  };
  [[nodiscard]] Iterator begin() const noexcept { return {m_first, m_next}; }
  [[nodiscard]] Iterator end() const noexcept { return {Table::none, m_next}; }

private:
  TableNumber m_first;
  std::span<const std::uint32_t> m_next;
};

/// Tables as flat arrays. Numbers of members, and positions of texts, count from the block's first.
struct SchemaBlock {
  std::span<const TableRecord> tables;
  std::span<const MemberRecord> members;
  std::string_view texts;
};

/// The maximum depth of nested tables. Code may therefore recurse from a table up to its root.
inline constexpr std::uint32_t mostLevels = 64;

} // namespace detail

/// The tables of a category, and their columns. A table has these columns, in this order: presence
/// if it can be absent, counts if it is counted, and its values. Values are one column of whole
/// rows (layout row), or one column per member. Tables can only be added; the numbers of tables and
/// columns never change. Schemas are flat arrays, so that opening one of ten thousand columns is
/// fast.
class Schema {
public:
  /// Adds a table, after the table above it, and returns its number. Throws Error(usage) if its
  /// kind, parent or members do not fit.
  TableNumber add(const TableDefinition& table);
  /// Adds tables from a file. Returns "", or the mistake in one of them. All other code may rely on
  /// a valid schema.
  [[nodiscard]] std::string add(const detail::SchemaBlock& block);
  /// Returns a schema with the first tables of this one.
  [[nodiscard]] Schema first(std::uint32_t tables) const;
  /// Returns all tables; valid until a table is added.
  [[nodiscard]] detail::SchemaBlock block() const noexcept {
    return {m_tables, m_members, m_texts};
  }

  /// Returns whether both schemas were built in the same way. Fast, and true for copies.
  friend bool operator==(const Schema& a, const Schema& b) noexcept;

  /// Returns the number of tables.
  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(m_tables.size());
  }
  [[nodiscard]] Table table(TableNumber number) const noexcept {
    const detail::TableRecord& r = m_tables[number];
    return {text(r.name),
            r.kind,
            r.layout,
            text(r.type),
            r.parent,
            r.rowSize,
            {m_members.data() + r.firstMember, r.members, m_texts.data()},
            text(r.description),
            text(r.group),
            r.use};
  }
  [[nodiscard]] auto tables() const noexcept {
    return std::views::iota(std::uint32_t{0}, size()) |
           std::views::transform([this](std::uint32_t number) { return table(number); });
  }
  [[nodiscard]] std::span<const Column> columns() const noexcept { return m_columns; }

  /// Returns the root of a table: the table under entries that is above it, or the table itself.
  [[nodiscard]] TableNumber rootOf(TableNumber table) const noexcept { return m_links[table].root; }
  /// Returns a root table and all tables under it, ascending.
  [[nodiscard]] detail::TableChain tablesUnder(TableNumber root) const noexcept {
    return {root, m_nextUnder};
  }
  /// Returns the group of a table: the first root table of the group that the table's root belongs
  /// to.
  [[nodiscard]] TableNumber groupOf(TableNumber table) const noexcept {
    return m_links[rootOf(table)].group;
  }
  /// Returns the root tables of a group, ascending.
  [[nodiscard]] detail::TableChain rootsOf(TableNumber group) const noexcept {
    return {group, m_nextInGroup};
  }

  /// Returns the numbers of a table's columns.
  [[nodiscard]] ColumnRange columnsOf(TableNumber table) const noexcept {
    return {m_firstColumn[table], m_firstColumn[table + 1]};
  }
  [[nodiscard]] ColumnNumber presenceColumn(TableNumber table) const noexcept {
    return m_firstColumn[table];
  }
  [[nodiscard]] ColumnNumber countsColumn(TableNumber table) const noexcept {
    return m_firstColumn[table] + (this->table(table).canBeAbsent() ? 1 : 0);
  }
  [[nodiscard]] detail::MemberPosition place(TableNumber table, MemberNumber member) const noexcept;
  /// Returns the distance between values of a member in its column, in bytes.
  [[nodiscard]] std::uint32_t stride(detail::MemberPosition place) const noexcept {
    return m_columns[place.column].elementSize;
  }

  /// Returns the number of the table with this name; Table::none for unknown names. A parameter may
  /// have the name of a collection, or of a parameter of another type. Then the collection is
  /// returned, or the first parameter.
  [[nodiscard]] TableNumber find(std::string_view name) const noexcept;
  /// Returns the number of the collection with this name; Table::none if it does not exist.
  [[nodiscard]] TableNumber findCollection(std::string_view name) const noexcept;
  /// Returns the number of the parameter with this name and type; Table::none if it does not exist.
  [[nodiscard]] TableNumber findParameter(std::string_view name,
                                          std::string_view type) const noexcept;
  /// Returns the number of the table with this name. Throws Error(name), with a suggestion, if
  /// it does not exist.
  [[nodiscard]] TableNumber tableNamed(std::string_view name) const;
  /// Returns the table itself if it has members. Otherwise follows the tables of its lists,
  /// "NAME.", down to a table with members, or to the table of characters, "NAME.text".
  [[nodiscard]] TableNumber contentsOf(TableNumber number) const;
  /// Returns table and member for a name like "MCParticles.vertex.x". Also accepts NanoAOD's names,
  /// "MCParticles_vertex.x", if no member has the given name. Throws Error(name) with a suggestion.
  [[nodiscard]] TableMember memberNamed(std::string_view name) const;
  /// Returns memberNamed(), or the value of an optional by the optional's name: "Hits.time.value"
  /// for "Hits.time".
  [[nodiscard]] TableMember valueNamed(std::string_view name) const;
  /// Returns the name by which memberNamed() finds a member.
  [[nodiscard]] std::string nameOfMember(TableNumber table, MemberNumber member) const;
  /// Returns the name of a member below the rows that have it, as its structure describes it:
  /// "at.value.x". The path of a late member begins with the name of its decoration.
  [[nodiscard]] std::string pathOfMember(TableNumber table, MemberNumber member) const;
  /// Returns the name of a member as its model declares it, without the parts `value` of optionals:
  /// "Hits.at.x" for "Hits.at.value.x". Elements of lists have the name of their list.
  [[nodiscard]] std::string nameInModel(TableNumber table, MemberNumber member) const;
  /// Returns the names of all members.
  [[nodiscard]] std::vector<std::string> memberNames() const;
  /// Returns all members with this name or below it. "MCParticles.vertex" has three members.
  /// "MCParticles" has all members of the collection, its vector members and relations. Throws as
  /// memberNamed().
  [[nodiscard]] std::vector<TableMember> membersBelow(std::string_view name) const;
  /// Returns membersBelow(), or the value of an optional by the optional's name.
  [[nodiscard]] std::vector<TableMember> valuesBelow(std::string_view name) const;
  /// Returns whether a table or member has this name or is below it. If not, membersBelow() throws.
  [[nodiscard]] bool contains(std::string_view name) const;

private:
  [[nodiscard]] std::vector<TableMember> findBelow(std::string_view name) const;
  [[nodiscard]] std::optional<TableMember> findMember(std::string_view name) const;
  [[nodiscard]] std::optional<TableMember> findNamed(std::string_view name) const;
  /// Returns the value of the optional with this name.
  [[nodiscard]] std::optional<TableMember> findOptional(std::string_view name) const;
  [[noreturn]] void failUnknownHead(std::string_view name) const;
  /// Returns "Muon.pt" for "Muon_pt"; "" if no collection has this member.
  [[nodiscard]] std::string dottedName(std::string_view name) const;
  struct Links {
    TableNumber root;
    // The group of a root table.
    TableNumber group;
    // The last table under a root table.
    std::uint32_t lastUnder;
    std::uint32_t lastInGroup;
    // The number of tables above it.
    std::uint32_t level;
  };
  [[nodiscard]] std::string_view text(detail::TextRange place) const noexcept {
    return {m_texts.data() + place.begin, place.size};
  }
  [[nodiscard]] std::string checkTable(TableNumber number) const;
  [[nodiscard]] std::string link();
  void link(TableNumber number);
  void linkGroup(TableNumber number);
  void addStructures(detail::TableRecord& table);
  void ignoreWrongPrecisions(std::size_t firstMember);
  void truncate(std::size_t tables, std::size_t members, std::size_t texts);

  void remember(TableNumber number);
  template <class Wanted>
  [[nodiscard]] TableNumber findWhere(std::string_view name, Wanted isWanted) const noexcept;
  [[nodiscard]] TableNumber findOther(std::string_view name) const noexcept;

  std::vector<detail::TableRecord> m_tables;
  std::vector<detail::MemberRecord> m_members;
  std::string m_texts;
  // These follow from the tables.
  std::vector<Column> m_columns;
  // The first column of each table, and of the next one to be added.
  std::vector<std::uint32_t> m_firstColumn{0};
  // The links of each table.
  std::vector<Links> m_links;
  std::vector<std::uint32_t> m_nextUnder, m_nextInGroup;
  // The groups with a name.
  std::unordered_map<std::string, TableNumber> m_groups;
  // The group of values without a group name, if any.
  TableNumber m_values = Table::none;
  // The group of tags, if any.
  TableNumber m_tags = Table::none;
  // Whether only tables under others have dots in their names, behind the name of their root.
  bool m_areNamedByRoots = true;
  // A hash table by name; its size is a power of two. Table::none marks free slots.
  std::vector<std::uint32_t> m_byName;
};

} // namespace kaon
