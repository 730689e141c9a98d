#pragma once

#include <kaon/formats/root/container/Container.h>
#include <kaon/formats/root/tree/BranchTables.h>
#include <kaon/formats/root/tree/TreeDescription.h>
#include <kaon/formats/root/tree/TreeTables.h>
#include <kaon/model/SchemaDocument.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace kaon::root {

/// What a source of a tree and its cursors know: the tree, its tables, how these are cut into
/// pages. Safe for concurrent use; it must not outlive its container.
class TreeContents {
public:
  /// Reads the record of the tree and the classes that the file describes. Throws Error(corrupt),
  /// Error(version). `stored` is what kaon wrote of the tables.
  TreeContents(const Container& container, const ListedObject& object,
               const SchemaDocument& stored);

  /// Makes the tables anew, without branches that cannot be read. No cursor may be in use.
  void makeTables(const UnreadBranches& unread, const SchemaDocument& stored);

  [[nodiscard]] const Container& container() const noexcept { return m_container; }
  /// File and tree, for messages.
  [[nodiscard]] const std::string& name() const noexcept { return m_name; }
  [[nodiscard]] const TreeDescription& tree() const noexcept { return m_tree; }
  [[nodiscard]] const TreeTables& tables() const noexcept { return m_tables; }
  /// The branches that are read, by their slots.
  [[nodiscard]] const std::vector<const BranchDescription*>& slots() const noexcept {
    return m_slots;
  }
  /// The entries of a page of a group of tables: a power of two.
  [[nodiscard]] std::uint64_t pageEntries(std::uint32_t group) const noexcept {
    return m_pageEntries[group];
  }

  /// The branch of which the bytes are counted as those of a column; null if it is none: what
  /// several columns share counts as the first one's, and rather as values' than as counts'.
  [[nodiscard]] const BranchDescription* branchCountedIn(std::uint32_t column) const noexcept;

private:
  void choosePages();
  void chooseCounted();
  [[nodiscard]] const BranchDescription* branchOf(std::uint32_t column) const noexcept;

  const Container& m_container;
  std::string m_name;
  TreeDescription m_tree;
  TreeTables m_tables;
  std::vector<const BranchDescription*> m_slots;
  std::vector<std::uint64_t> m_pageEntries; // by the first table of a group
  std::unordered_map<const BranchDescription*, std::uint32_t> m_countedIn; // the column
};

} // namespace kaon::root
