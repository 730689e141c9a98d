#pragma once

#include <kaon/formats/root/tree/Shapes.h>
#include <kaon/formats/root/tree/TreeTables.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

/// Named values in the rows of a table: all values of a unit, or a part of them.
struct NamedValues {
  std::string path; ///< in the rows; "" for the whole row
  std::uint32_t unit = 0;
  const Shape* shape = nullptr;
  /// Values of the rows that the unit counts. Used if there is no shape.
  std::vector<NamedValues> inside = {};
  std::string_view owner = {}; ///< the class that declares the member; empty if it is unknown
};

/// Adds tables to those of a tree, according to the shapes of their rows.
class TableBuilder {
public:
  /// `stored` is kaon's own description of the tables, stored beside the tree.
  TableBuilder(TreeTables& tables, const Schema& stored) : m_tables(tables), m_stored(stored) {}

  /// Adds a root table, and tables for the lists in its rows. Without `counts` it is a value. With
  /// `counts` it is a collection with these numbers of rows, or a parameter for bare values. `type`
  /// is the class of the rows, if they have one. Values that do not fit into it become unreadable.
  void addRoot(const std::string& name, std::string_view type, std::optional<ColumnOrigin> counts,
               const std::vector<NamedValues>& rows, std::string description = {});
  /// Whether kaon's description has a table with rows whose branches begin with this name.
  [[nodiscard]] bool isStored(std::string_view name) const;
  /// Adds a root table for the lists or texts of a unit.
  void addRootOf(const std::string& name, std::uint32_t unit);

  void refuse(const BranchDescription& branch, std::string_view reason);
  /// Records a member that is left out of the values of a branch.
  void leaveOut(const BranchDescription& branch, const std::string& member,
                const Shapes::LeftOut& leftOut);

  /// Makes a unit tell which entries have a stored table, if that table is added.
  void setPresence(TableNumber storedTable, std::uint32_t unit) {
    m_presence.emplace(storedTable, unit);
  }
  /// Whether a branch tells which entries have an added table.
  [[nodiscard]] bool isPresence(const BranchDescription& branch) const {
    return m_presenceBranches.contains(&branch);
  }

private:
  struct Rows {
    std::vector<MemberDefinition> members;
    std::vector<ColumnOrigin> origins; // of the members
    std::vector<NamedValues> lists;    // and texts
    std::uint32_t size = 0;            // of a row, in bytes
  };
  [[nodiscard]] Rows rowsOf(const std::vector<NamedValues>& values);
  void makeUnique(std::vector<NamedValues>& values);
  void addMember(const NamedValues& values, Rows& rows);
  TableNumber takeStored(TableDefinition& table) const;
  bool add(TableDefinition table, std::vector<ColumnOrigin> origins, std::uint32_t unit);
  void addList(std::string name, const NamedValues& list, std::uint32_t parent);
  void addElements(const std::string& name, TableKind kind, std::uint32_t parent,
                   std::vector<ColumnOrigin> counts, const NamedValues& elements);
  void addCounted(const std::string& name, const NamedValues& rows, std::uint32_t parent);
  void addText(const std::string& name, std::uint32_t parent, const NamedValues& text);
  [[nodiscard]] Documentation documentationOf(const NamedValues& values) const;
  [[nodiscard]] ColumnOrigin originOf(const NamedValues& values, std::uint32_t output) const;

  TreeTables& m_tables;
  const Schema& m_stored;
  std::map<std::uint32_t, std::uint32_t> m_presence; // units by stored table
  std::set<const BranchDescription*> m_presenceBranches;
};

} // namespace kaon::root
