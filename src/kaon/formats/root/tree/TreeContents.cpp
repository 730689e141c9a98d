#include <kaon/formats/root/tree/TreeContents.h>

#include <kaon/reading/EntryPages.h>

#include <algorithm>

namespace kaon::root {

TreeContents::TreeContents(const RootContainer& container, const ListedObject& object,
                           const SchemaDocument& stored)
    : m_container(container), m_name(container.name() + ":" + object.name()),
      m_tree(container, object) {
  m_tree.addFriends(container);
  makeTables({}, stored);
}

void TreeContents::makeTables(const UnreadBranches& unread, const SchemaDocument& stored) {
  m_tables = tablesOf(m_container, m_name, m_tree, stored, unread);
  m_slots.assign(m_tables.slots, nullptr);
  for (const Unit& unit : m_tables.units)
    m_slots[unit.slot] = unit.branch;
  choosePages();
  chooseCounted();
}

void TreeContents::chooseCounted() {
  const auto columns = m_tables.schema.columns();
  m_countedIn.clear();
  for (const bool ofValues : {true, false})
    for (std::uint32_t column = 0; column < columns.size(); ++column)
      if ((columns[column].role == ColumnRole::member) == ofValues)
        if (const BranchDescription* const branch = branchOf(column))
          m_countedIn.emplace(branch, column);
}

/// Returns null for a column without a branch.
const BranchDescription* TreeContents::branchOf(std::uint32_t column) const noexcept {
  const ColumnOrigin& origin = m_tables.origins[column];
  return origin.kind == ColumnOrigin::Kind::presence ? nullptr : m_tables.units[origin.unit].branch;
}

const BranchDescription* TreeContents::branchCountedIn(std::uint32_t column) const noexcept {
  const BranchDescription* const branch = branchOf(column);
  return branch && m_countedIn.at(branch) == column ? branch : nullptr;
}

void TreeContents::choosePages() {
  const Schema& schema = m_tables.schema;
  std::vector<double> widest(schema.size(), 1.0); // bytes of an entry, by group
  const auto columns = schema.columns();
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const ColumnOrigin& origin = m_tables.origins[column];
    double bytes = sizeof(std::uint32_t);
    if (origin.kind == ColumnOrigin::Kind::numbers || origin.kind == ColumnOrigin::Kind::streamed)
      bytes = std::max(m_tables.units[origin.unit].bytesPerEntry, 1.0);
    double& most = widest[schema.groupOf(columns[column].table)];
    most = std::max(most, bytes);
  }
  m_pageEntries.clear();
  for (const double bytes : widest)
    m_pageEntries.push_back(pageWidth(bytesInPage, bytes, 1));
}

} // namespace kaon::root
