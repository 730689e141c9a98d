#include <kaon/batch/OptionNames.h>

#include <kaon/base/Suggestion.h>

#include <algorithm>

namespace kaon {

void OptionNames::add(const Schema& schema) {
  for (const Table& table : schema.tables()) {
    if (table.kind == TableKind::collection)
      m_collections.emplace_back(table.name);
    if (table.kind == TableKind::parameter || table.kind == TableKind::value)
      m_values.emplace_back(table.name);
  }
  for (const Column& column : schema.columns())
    if (column.role == ColumnRole::member)
      m_columns.push_back(schema.nameOfMember(column.table, column.member));
    else if (column.role != ColumnRole::presence)
      m_columns.emplace_back(schema.table(column.table).name);
}

std::vector<OptionNames::Unknown> OptionNames::unknownIn(const WriterOptions& options) const {
  std::vector<Unknown> unknown;
  const auto check = [&](const char* option, const char* what, const std::string& name,
                         const std::vector<std::string>& known) {
    if (std::ranges::find(known, name) == known.end())
      unknown.push_back({option, what, name, suggestion(name, known)});
  };
  for (const auto& [name, storage] : options.storage)
    check("storage", "collection", name, m_collections);
  for (const auto& [name, encoding] : options.encodings)
    check("encodings", "column", name, m_columns);
  for (const std::string& name : options.tags)
    check("tags", "parameter or value", name, m_values);
  for (const std::string& name : options.keys)
    check("keys", "parameter or value", name, m_values);
  return unknown;
}

} // namespace kaon
