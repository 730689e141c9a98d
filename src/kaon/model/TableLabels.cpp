#include <kaon/model/TableLabels.h>

#include <functional>
#include <set>
#include <utility>

namespace kaon {

TableLabels labelsOf(const Schema& schema) {
  TableLabels labels;
  std::set<std::string, std::less<>> taken;
  for (const bool areParameters : {false, true})
    for (TableNumber number = 0; number < schema.size(); ++number) {
      const Table table = schema.table(number);
      if (!table.isRoot() || (table.kind == TableKind::parameter) != areParameters)
        continue;
      std::string label(table.name);
      while (!taken.insert(label).second)
        label.append(":").append(table.type);
      labels.emplace(number, std::move(label));
    }
  return labels;
}

std::string_view tailOf(const Schema& schema, const Table& table) {
  const std::string_view above = schema.table(table.parent).name;
  const bool isInside = table.name.starts_with(above) && table.name.size() > above.size() &&
                        table.name[above.size()] == '.';
  return isInside ? table.name.substr(above.size() + 1) : table.name;
}

std::string labelOf(const Schema& schema, const TableLabels& labels, TableNumber table) {
  const Table info = schema.table(table);
  if (info.isRoot())
    return labels.at(table);
  std::string label = labelOf(schema, labels, info.parent);
  if (const auto tail = tailOf(schema, info); info.kind != TableKind::text && !tail.empty())
    label.append(".").append(tail);
  return label;
}

std::string keyOf(const Schema& schema, const TableLabels& labels, TableNumber table,
                  MemberNumber member) {
  std::string key = labelOf(schema, labels, table);
  if (const auto name = schema.table(table).members[member].name; !name.empty())
    key.append(".").append(name);
  return key;
}

} // namespace kaon
