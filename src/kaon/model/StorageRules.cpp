#include <kaon/model/StorageRules.h>

#include <utility>

namespace kaon::detail {

void StorageRules::apply(std::vector<TableDefinition>& tables) const {
  TableDefinition& root = tables.front();
  if (root.kind == TableKind::value) {
    root.use = root.use | useOf(root.name);
    if (has(root.use, TableUse::tag))
      root.layout = Layout::member; // the tags of an event are read together
  }
  const auto own = storage.find(root.name);
  if (root.kind == TableKind::collection) {
    kaon::detail::apply(all, tables);
    if (own != storage.end())
      kaon::detail::apply(own->second, tables);
  } else if (own != storage.end()) { // files have layouts and groups of collections only
    kaon::detail::apply({.precision = own->second.precision}, tables);
  }
}

TableUse StorageRules::useOf(std::string_view parameter) const {
  const auto use = uses.find(parameter);
  return use == uses.end() ? TableUse::none : use->second;
}

Schema schemaBy(const StorageRules& rules, const Schema& schema) {
  std::vector<TableDefinition> all(schema.size());
  for (TableNumber root = 0; root < schema.size(); ++root) {
    if (!schema.table(root).isRoot())
      continue;
    const auto numbers = schema.tablesUnder(root);
    std::vector<TableDefinition> tables;
    for (const std::uint32_t number : numbers)
      tables.push_back(schema.table(number).definition());
    rules.apply(tables);
    auto table = tables.begin();
    for (const std::uint32_t number : numbers)
      all[number] = std::move(*table++);
  }
  Schema ruled;
  for (const TableDefinition& table : all)
    ruled.add(table);
  return ruled;
}

} // namespace kaon::detail
