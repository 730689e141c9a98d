#pragma once

#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// The path of a member or list in the rows of a table, and its steps as in model/Structure.h.
struct DeclaredPath {
  std::string path;
  std::string structure;
};

/// A member of a table without the parts of optionals: "a.x" for "a.value.x".
struct DeclaredMember {
  DeclaredPath at;
  MemberDefinition facts;
  std::uint32_t number = 0; ///< in its schema
};

/// A table without the parts of optionals.
struct DeclaredTable {
  TableDefinition facts = {};  ///< without members
  DeclaredPath at = {};        ///< in the rows above; empty for roots
  std::string recordType = {}; ///< the type, unless it only repeats the type of the values
  TableNumber parent = 0;      ///< in the same tables
  std::uint32_t number = 0;    ///< in the schema that has it
  std::vector<DeclaredMember> members = {};
  /// The paths of the optionals in a row, and the numbers of their presences in the schema. The
  /// path "" is the row itself.
  std::map<std::string, std::optional<std::uint32_t>, std::less<>> optionals = {};

  [[nodiscard]] const DeclaredMember* find(std::string_view path) const noexcept;
};

/// A member of a table that DeclaredTables::definitions() made.
struct CommonMember {
  bool isPresence = false;
  std::string path; ///< of the member or optional, as in DeclaredTable
};

/// The definition of a table with optionals.
struct CommonTable {
  TableDefinition definition; ///< the parent is a number among the same tables
  std::vector<CommonMember> members;
};

/// A root table without datatype, and the tables under it, with their optionals apart. Tables of
/// several files can so be united, although optionals change the names of members and lists.
class DeclaredTables {
public:
  DeclaredTables(const Schema& schema, TableNumber root);

  /// Whether a table is a root whose tables can be united.
  [[nodiscard]] static bool canUnite(const Table& table) noexcept;

  /// Adds the optionals of other tables, and returns whether the tables are otherwise equal. If
  /// `mayLack`, adds members and lists that only the others have. They become optional, like those
  /// that the others lack. Returns false for other differences; some optionals may then be added.
  [[nodiscard]] bool unite(const DeclaredTables& other, bool mayLack);
  /// Makes each row of the root table optional.
  void makeOptional() { m_tables.front().optionals.try_emplace(""); }

  [[nodiscard]] const std::vector<DeclaredTable>& tables() const noexcept { return m_tables; }
  /// Returns the number of the table with this path under a table with this number; Table::none if
  /// it does not exist.
  [[nodiscard]] TableNumber find(TableNumber parent, std::string_view path) const noexcept;
  /// Returns whether a table has a member or list with this path or below it.
  [[nodiscard]] bool hasBelow(TableNumber table, std::string_view path) const;
  /// Returns the definitions of the tables with all optionals, in the order of tables().
  [[nodiscard]] std::vector<CommonTable> definitions() const;

private:
  struct Content { // a member or a list of a table
    const DeclaredPath* path;
    const DeclaredMember* member; // null for a list
  };
  void add(const Schema& schema, std::uint32_t number);
  [[nodiscard]] bool addTable(const DeclaredTables& before, const DeclaredTable& table,
                              std::vector<std::uint32_t>& numbers, bool mayLack);
  [[nodiscard]] bool addMembers(const DeclaredTables& before, TableNumber table,
                                const DeclaredTable& other, bool mayLack);
  [[nodiscard]] bool addLacking(const DeclaredTables& other,
                                const std::vector<std::uint32_t>& theirs, bool mayLack);
  [[nodiscard]] bool addOptional(TableNumber table, const DeclaredPath& path,
                                 const DeclaredTables& lacking, TableNumber lackingTable);
  [[nodiscard]] std::vector<const DeclaredPath*> contentsOf(TableNumber table) const;
  [[nodiscard]] std::vector<Content> ordered(TableNumber table) const;
  [[nodiscard]] TableDefinition definition(TableNumber table,
                                           const std::vector<CommonTable>& before) const;
  [[nodiscard]] CommonTable withMembers(TableNumber table, TableDefinition definition) const;

  std::vector<DeclaredTable> m_tables;
  bool m_isWhole = true; // all optionals have a form that this class knows
};

} // namespace kaon
