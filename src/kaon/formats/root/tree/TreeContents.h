#pragma once

#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/tree/BranchTables.h>
#include <kaon/formats/root/tree/TreeDescription.h>
#include <kaon/formats/root/tree/TreeTables.h>
#include <kaon/model/SchemaDocument.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace kaon::root {

/// The shared state of a source and its cursors: the tree, its tables, and their division into
/// pages. Thread-safe. It must not outlive its container.
class TreeContents {
public:
  /// Reads the record of the tree and the classes that the file describes. `stored` is kaon's own
  /// description of the tables. Throws Error(corrupt), Error(version).
  TreeContents(const RootContainer& container, const ListedObject& object,
               const SchemaDocument& stored);

  /// Creates the tables again, without branches that cannot be read. No cursor may be in use.
  void makeTables(const UnreadBranches& unread, const SchemaDocument& stored);

  [[nodiscard]] const RootContainer& container() const noexcept { return m_container; }
  /// File and tree, for messages.
  [[nodiscard]] const std::string& name() const noexcept { return m_name; }
  [[nodiscard]] const TreeDescription& tree() const noexcept { return m_tree; }
  [[nodiscard]] const TreeTables& tables() const noexcept { return m_tables; }
  /// The branches that are read, by their slots.
  [[nodiscard]] const std::vector<const BranchDescription*>& slots() const noexcept {
    return m_slots;
  }
  /// The number of entries of a page of a group of tables, a power of two.
  [[nodiscard]] std::uint64_t pageEntries(std::uint32_t group) const noexcept {
    return m_pageEntries[group];
  }

  /// Returns the branch whose bytes count as those of a column, or null. A branch that several
  /// columns share counts for the first one, and for values before counts.
  [[nodiscard]] const BranchDescription* branchCountedIn(std::uint32_t column) const noexcept;

private:
  void choosePages();
  void chooseCounted();
  [[nodiscard]] const BranchDescription* branchOf(std::uint32_t column) const noexcept;

  const RootContainer& m_container;
  std::string m_name;
  TreeDescription m_tree;
  TreeTables m_tables;
  std::vector<const BranchDescription*> m_slots;
  std::vector<std::uint64_t> m_pageEntries; // by the first table of a group
  std::unordered_map<const BranchDescription*, std::uint32_t> m_countedIn; // the column
};

} // namespace kaon::root
