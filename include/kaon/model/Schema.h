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

/// What the values of a column are.
enum class ColumnRole : std::uint8_t {
  presence, ///< one byte an entry: 1 where the table is there
  counts,   ///< 32-bit unsigned rows of each entry, or of each row of the parent
  rows,     ///< whole rows
  member    ///< one member of each row
};

/// "presence", "counts", "rows", "values".
[[nodiscard]] constexpr std::string_view roleName(ColumnRole role) noexcept {
  constexpr std::string_view names[] = {"presence", "counts", "rows", "values"};
  return names[static_cast<std::size_t>(role)];
}

struct Column {
  std::uint32_t table = 0;
  ColumnRole role = ColumnRole::member;
  std::uint32_t member = 0; ///< index among the table's members, for the role member
  std::uint32_t elementSize = 0;
};

namespace detail {

/// A column and where in its elements a member lies.
struct Place {
  std::uint32_t column = 0;
  std::uint32_t offset = 0;
};

/// Numbers of tables, each of which leads to the next.
class TableChain {
public:
  TableChain(std::uint32_t first, std::span<const std::uint32_t> next)
      : m_first(first), m_next(next) {}
  class Iterator {
  public:
    using value_type = std::uint32_t;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Iterator(std::uint32_t number, std::span<const std::uint32_t> next)
        : m_number(number), m_next(next) {}
    std::uint32_t operator*() const noexcept { return m_number; }
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
    std::uint32_t m_number = Table::none;
    std::span<const std::uint32_t> m_next;
  };
  [[nodiscard]] Iterator begin() const noexcept { return {m_first, m_next}; }
  [[nodiscard]] Iterator end() const noexcept { return {Table::none, m_next}; }

private:
  std::uint32_t m_first;
  std::span<const std::uint32_t> m_next;
};

/// Tables as flat arrays. The numbers of members and the places of texts count from the block's
/// first.
struct SchemaBlock {
  std::span<const TableRecord> tables;
  std::span<const MemberRecord> members;
  std::string_view texts;
};

/// So many tables may lie one under the other: what walks up from a table to its root may recurse.
inline constexpr std::uint32_t mostLevels = 64;

} // namespace detail

/// The tables of a category, and their columns: a table has, in this order, a presence column if it
/// can be absent, a counts column if it is counted, and then one column of whole rows (layout row)
/// or one for each member. Tables are only ever added; the numbers of tables and columns stay.
/// It is kept as flat arrays, so that one of ten thousand columns is opened in no time.
class Schema {
public:
  /// Adds a table after those it lies under and returns its number. Throws Error(usage) if its
  /// kind, parent or members do not fit.
  std::uint32_t add(const TableDefinition& table);
  /// Adds tables that come from a file: "", or what is wrong with one of them. All else may rely on
  /// a schema being sound.
  [[nodiscard]] std::string add(const detail::SchemaBlock& block);
  /// One with only the first tables of this one.
  [[nodiscard]] Schema first(std::uint32_t tables) const;
  /// All tables, for as long as none is added.
  [[nodiscard]] detail::SchemaBlock block() const noexcept {
    return {m_tables, m_members, m_texts};
  }

  /// Whether both were put together in the same way: quick to tell, and true of copies.
  friend bool operator==(const Schema& a, const Schema& b) noexcept;

  /// The number of tables.
  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(m_tables.size());
  }
  [[nodiscard]] Table table(std::uint32_t number) const noexcept {
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

  /// The table with entries above it under which (or as which) this one lies.
  [[nodiscard]] std::uint32_t rootOf(std::uint32_t table) const noexcept {
    return m_links[table].root;
  }
  /// A root table and all under it, ascending.
  [[nodiscard]] detail::TableChain tablesUnder(std::uint32_t root) const noexcept {
    return {root, m_nextUnder};
  }
  /// The first root table of the group that a table, or the one it lies under, belongs to. It
  /// stands for the group.
  [[nodiscard]] std::uint32_t groupOf(std::uint32_t table) const noexcept {
    return m_links[rootOf(table)].group;
  }
  /// The root tables of a group, ascending.
  [[nodiscard]] detail::TableChain rootsOf(std::uint32_t group) const noexcept {
    return {group, m_nextInGroup};
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
    return m_firstColumn[table] + (this->table(table).canBeAbsent() ? 1 : 0);
  }
  [[nodiscard]] detail::Place place(std::uint32_t table, std::uint32_t member) const noexcept;
  /// The bytes from one value of a member to the next in its column.
  [[nodiscard]] std::uint32_t stride(detail::Place place) const noexcept {
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
  /// The table itself, or, if it has no members, the one of its lists, or its characters, which is
  /// called as it is with a dot behind.
  [[nodiscard]] std::uint32_t contentsOf(std::uint32_t number) const;
  /// Table and member for a name like "MCParticles.vertex.x", or "MCParticles_vertex.x" if nothing
  /// is called so: NanoAOD's names. Throws Error(name) with a suggestion.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> memberNamed(std::string_view name) const;
  /// As memberNamed(), and the value of an optional by its own name: "Hits.time" is
  /// "Hits.time.value".
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> valueNamed(std::string_view name) const;
  /// The name memberNamed() finds it by.
  [[nodiscard]] std::string nameOfMember(std::uint32_t table, std::uint32_t member) const;
  /// Returns the name of a member below the rows that have it, as its structure describes it:
  /// "at.value.x". The path of a late member begins with the name of its decoration.
  [[nodiscard]] std::string pathOfMember(std::uint32_t table, std::uint32_t member) const;
  /// Returns the name of a member as its model declares it, without the parts `value` of optionals:
  /// "Hits.at.x" for "Hits.at.value.x". Elements of lists have the name of their list.
  [[nodiscard]] std::string nameInModel(std::uint32_t table, std::uint32_t member) const;
  /// The names of all members.
  [[nodiscard]] std::vector<std::string> memberNames() const;
  /// All members called so or below that name: "MCParticles.vertex" has three, "MCParticles" all
  /// of the collection, its vector members and relations. Throws as memberNamed().
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>>
  membersBelow(std::string_view name) const;
  /// Whether a table or member is called so or below that name: if not, membersBelow() throws.
  [[nodiscard]] bool contains(std::string_view name) const;

private:
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>>
  findBelow(std::string_view name) const;
  [[nodiscard]] std::optional<std::pair<std::uint32_t, std::uint32_t>>
  findMember(std::string_view name) const;
  [[nodiscard]] std::optional<std::pair<std::uint32_t, std::uint32_t>>
  findNamed(std::string_view name) const;
  /// "Muon.pt" for "Muon_pt", "" if there is no such member of a collection.
  [[nodiscard]] std::string dottedName(std::string_view name) const;
  struct Links {
    std::uint32_t root;
    std::uint32_t group;     // of a root table
    std::uint32_t lastUnder; // of a root table: the last one of the chain
    std::uint32_t lastInGroup;
    std::uint32_t level; // how many tables are above it
  };
  [[nodiscard]] std::string_view text(detail::TextPlace place) const noexcept {
    return {m_texts.data() + place.begin, place.size};
  }
  [[nodiscard]] std::string checkTable(std::uint32_t number) const;
  [[nodiscard]] std::string link();
  void link(std::uint32_t number);
  void linkGroup(std::uint32_t number);
  void addStructures(detail::TableRecord& table);
  void truncate(std::size_t tables, std::size_t members, std::size_t texts);

  void remember(std::uint32_t number);
  template <class Wanted>
  [[nodiscard]] std::uint32_t findWhere(std::string_view name, Wanted isWanted) const noexcept;

  std::vector<detail::TableRecord> m_tables;
  std::vector<detail::MemberRecord> m_members;
  std::string m_texts;
  // What follows from them.
  std::vector<Column> m_columns;
  std::vector<std::uint32_t> m_firstColumn{0}; // of each table, and of the next one
  std::vector<Links> m_links;                  // of each table
  std::vector<std::uint32_t> m_nextUnder, m_nextInGroup;
  std::unordered_map<std::string, std::uint32_t> m_groups; // those that are called something
  std::uint32_t m_values = Table::none; // the group of values that are called nothing, if any
  std::uint32_t m_tags = Table::none;   // likewise of tags
  std::vector<std::uint32_t> m_byName;  // hashed by name, a power of two of slots; none: free
};

} // namespace kaon
