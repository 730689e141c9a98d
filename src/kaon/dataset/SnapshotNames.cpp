#include <kaon/dataset/SnapshotNames.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/model/Texts.h>

#include <algorithm>

namespace kaon {
namespace {

/// Whether the objects of a collection are not those of the files any more.
bool isExploded(const Node& node, std::string_view collection) {
  for (const Node* step = &node; step->above; step = step->above.get())
    if (step->kind == NodeKind::explode && step->name == collection)
      return true;
  return false;
}

class NamesCollector {
public:
  explicit NamesCollector(const Node& node)
      : m_node(&node), m_schema(&beginningOf(node).dataset->schema()),
        m_defined(definedColumns(node)) {}

  void add(const std::string& name) {
    const std::uint32_t table = m_schema->find(name);
    if (definitionOf(*m_node, name) || table == Table::none || !m_schema->table(table).isRoot())
      m_names.columns.push_back(name);
    else if (!frameOf(m_node) && !isExploded(*m_node, name))
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
    return std::move(m_names);
  }

private:
  /// Parameters of several types may have one name.
  void addTables(const std::string& name) {
    for (std::uint32_t table = 0; table < m_schema->size(); ++table)
      if (m_schema->table(table).isRoot() && m_schema->table(table).name == name)
        addTable(table);
  }
  /// A table, and what was defined under the names of its members.
  void addTable(std::uint32_t table) {
    m_names.tables.push_back(table);
    for (std::uint32_t number = 0; number < m_schema->size(); ++number)
      for (std::uint32_t member = 0; member < m_schema->table(number).members.size(); ++member)
        if (const std::string name = nameOfColumn(*m_schema, number, member);
            isOf(name, m_schema->table(table).name) &&
            std::ranges::find(m_defined, name) != m_defined.end())
          m_names.columns.push_back(name);
  }
  void addColumnsOf(const std::string& collection) {
    std::vector<std::string> names = m_defined;
    for (std::uint32_t table = 0; table < m_schema->size(); ++table)
      for (std::uint32_t member = 0; member < m_schema->table(table).members.size(); ++member)
        names.push_back(nameOfColumn(*m_schema, table, member));
    for (const std::string& name : names)
      if (isOf(name, collection))
        m_names.columns.push_back(name);
  }

  const Node* m_node;
  const Schema* m_schema;
  std::vector<std::string> m_defined;
  SnapshotNames m_names;
};

} // namespace

SnapshotNames snapshotNames(const Node& node, const std::vector<std::string>& names) {
  NamesCollector collector(node);
  for (const std::string& name : names)
    collector.add(name);
  if (names.empty())
    collector.addAll();
  return collector.take();
}

} // namespace kaon
