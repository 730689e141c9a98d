#pragma once

#include <kaon/formats/root/tree/Shapes.h>
#include <kaon/formats/root/tree/TreeTables.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace kaon::root {

/// Values with a name in the rows of a table: of a whole unit, or of a part of it.
struct NamedValues {
  std::string path; ///< in the rows; "" where a row is nothing else
  std::uint32_t unit = 0;
  const Shape* shape = nullptr;
  /// Where there is no shape: what the rows have that the unit counts.
  std::vector<NamedValues> inside = {};
};

/// Adds tables to those of a tree, by the shapes of their rows.
class TableBuilder {
public:
  /// `stored` is what kaon wrote of the tables beside the tree.
  TableBuilder(TreeTables& tables, const Schema& stored) : m_tables(tables), m_stored(stored) {}

  /// A table under the entries, and those of the lists in its rows. Without `counts` it is a value,
  /// else a collection with so many rows, or a parameter if these are bare values. `type` is the
  /// class of the rows, if they have one. Values that cannot be in it become unreadable.
  void addRoot(const std::string& name, std::string_view type, std::optional<ColumnOrigin> counts,
               const std::vector<NamedValues>& rows, std::string description = {});
  /// A table of a unit's lists or texts themselves.
  void addRootOf(const std::string& name, std::uint32_t unit);

  void refuse(const BranchDescription& branch, std::string_view reason);
  /// Notes what is left out of the values of a branch.
  void leaveOut(const BranchDescription& branch, const std::string& member,
                const Shapes::LeftOut& leftOut);

  /// A stored table, if it is added, is there where a unit says so.
  void setPresence(std::uint32_t storedTable, std::uint32_t unit) {
    m_presence.emplace(storedTable, unit);
  }
  /// Whether a branch says where a table is that was added.
  [[nodiscard]] bool isPresence(const BranchDescription& branch) const {
    return m_presenceBranches.contains(&branch);
  }

private:
  struct Rows {
    std::vector<MemberDefinition> members;
    std::unordered_set<std::string> names; // of the members
    std::vector<ColumnOrigin> origins;     // of the members
    std::vector<NamedValues> lists;        // and texts
    std::uint32_t size = 0;                // of a row, in bytes
  };
  [[nodiscard]] Rows rowsOf(const std::vector<NamedValues>& values);
  void flatten(const NamedValues& values, Rows& rows);
  void addMember(const NamedValues& values, Rows& rows);
  std::uint32_t takeStored(TableDefinition& table) const;
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
  std::map<std::uint32_t, std::uint32_t> m_presence; // units, by stored table
  std::set<const BranchDescription*> m_presenceBranches;
};

} // namespace kaon::root
