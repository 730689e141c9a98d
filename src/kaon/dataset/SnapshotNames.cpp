#include <kaon/dataset/SnapshotNames.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/ExpressionFormula.h>
#include <kaon/expression/Optionals.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

namespace kaon {
namespace {

/// Returns whether a collection was exploded, so that its objects may differ from those in the
/// files.
bool isExploded(const detail::DataframeNode& node, std::string_view collection) {
  for (const detail::DataframeNode* step = &node; step->above; step = step->above.get())
    if (step->kind == detail::NodeKind::explode && step->name == collection)
      return true;
  return false;
}

/// Returns whether a member is more than a single value.
bool hasStructure(const Member& member) { return member.extent > 1 || !member.structure.empty(); }

class NamesCollector {
public:
  explicit NamesCollector(const detail::DataframeNode& node)
      : m_node(&node), m_schema(&beginningOf(node).dataset->schema()),
        m_defined(detail::definedColumns(node)) {
    for (TableNumber table = 0; table < m_schema->size(); ++table)
      for (MemberNumber member = 0; member < m_schema->table(table).members.size(); ++member)
        if (std::optional<std::string> name = expression::columnNamed(*m_schema, table, member))
          m_stored.push_back({*std::move(name), {table, member}});
  }

  void add(const std::string& name) {
    const TableNumber table = m_schema->find(name);
    if (detail::definitionOf(*m_node, name) || table == Table::none ||
        !m_schema->table(table).isRoot())
      addColumn(NodeScope(*m_node).nameOf(name));
    else if (!detail::frameOf(m_node) && !isExploded(*m_node, name))
      addTables(name);
    else
      addColumnsOf(name);
  }
  void addAll() {
    for (const Table& table : m_schema->tables())
      if (table.isRoot())
        add(std::string(table.name));
    m_names.columns.insert(m_names.columns.end(), m_defined.begin(), m_defined.end());
  }
  [[nodiscard]] SnapshotNames take() {
    sortUnique(m_names.columns);
    std::erase_if(m_names.members, [this](TableMember place) {
      return std::ranges::find(m_names.tables, m_schema->rootOf(place.table)) !=
             m_names.tables.end();
    });
    const auto inOrder = [](TableMember a, TableMember b) {
      return std::tie(a.table, a.member) < std::tie(b.table, b.member);
    };
    std::ranges::sort(m_names.members, inOrder);
    const auto repeated = std::ranges::unique(m_names.members);
    m_names.members.erase(repeated.begin(), repeated.end());
    return std::move(m_names);
  }

private:
  struct Stored {
    std::string name; // name in expressions
    TableMember place;
  };

  /// Adds all tables of this name; parameters of several types may share it.
  void addTables(const std::string& name) {
    for (TableNumber table = 0; table < m_schema->size(); ++table)
      if (m_schema->table(table).isRoot() && m_schema->table(table).name == name)
        addTable(table);
  }
  /// Adds a table, and defined columns with the names of its members.
  void addTable(TableNumber table) {
    m_names.tables.push_back(table);
    for (const auto& [name, place] : m_stored)
      if (detail::isOf(name, m_schema->table(table).name) &&
          std::ranges::find(m_defined, name) != m_defined.end())
        m_names.columns.push_back(name);
  }
  void addColumnsOf(const std::string& collection) {
    for (const std::string& name : m_defined)
      if (detail::isOf(name, collection))
        m_names.columns.push_back(name);
    for (const Stored& stored : m_stored)
      if (detail::isOf(stored.name, collection))
        addStored(stored);
  }
  void addColumn(const std::string& name) {
    const auto stored = std::ranges::find(m_stored, name, &Stored::name);
    if (stored == m_stored.end())
      m_names.columns.push_back(name);
    else
      addStored(*stored);
  }
  /// Adds a column of the files, with the presences that its structure needs.
  void addStored(const Stored& stored) {
    const auto [table, member] = stored.place;
    if (!hasStructure(m_schema->table(table).members[member]) ||
        detail::computationOf(*m_node, stored.name))
      return m_names.columns.push_back(stored.name);
    m_names.members.push_back(stored.place);
    std::ranges::copy(presencesOf(*m_schema, table, member), std::back_inserter(m_names.members));
  }

  const detail::DataframeNode* m_node;
  const Schema* m_schema;
  std::vector<std::string> m_defined;
  std::vector<Stored> m_stored;
  SnapshotNames m_names;
};

} // namespace

SnapshotNames snapshotNames(const detail::DataframeNode& node,
                            const std::vector<std::string>& names) {
  NamesCollector collector(node);
  for (const std::string& name : names)
    collector.add(name);
  if (names.empty())
    collector.addAll();
  return collector.take();
}

} // namespace kaon
