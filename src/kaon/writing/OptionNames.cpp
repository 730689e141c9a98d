#include <kaon/writing/OptionNames.h>

#include <kaon/base/Suggestion.h>
#include <kaon/batch/Keys.h>

#include <algorithm>
#include <utility>

namespace kaon {

void OptionNames::add(const Schema& schema) {
  for (const Table& table : schema.tables()) {
    if (table.kind == TableKind::collection)
      m_collections.emplace_back(table.name);
    if (table.kind == TableKind::parameter || table.kind == TableKind::value)
      m_keys.emplace_back(m_values.emplace_back(table.name));
  }
  for (TableNumber table = 0; table < schema.size(); ++table)
    for (MemberNumber member = 0; member < schema.table(table).members.size(); ++member)
      if (std::string name = schema.nameOfMember(table, member); findKey(schema, name))
        m_keys.push_back(std::move(name));
  for (const Column& column : schema.columns())
    if (column.role == ColumnRole::member)
      m_columns.push_back(schema.nameOfMember(column.table, column.member));
    else if (column.role != ColumnRole::presence)
      m_columns.emplace_back(schema.table(column.table).name);
}

std::string OptionNames::Unknown::warning() const {
  return std::string("the option '") + option + "' names '" + name + "', but no " + what +
         " of this name was written" + advice;
}

std::vector<OptionNames::Unknown> OptionNames::unknownIn(const WriterOptions& options) const {
  std::vector<Unknown> unknown;
  const auto isAmong = [](const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  const auto check = [&](const char* option, const char* what, const std::string& name,
                         const std::vector<std::string>& known) {
    if (!isAmong(known, name))
      unknown.push_back({option, what, name, suggestion(name, known)});
  };
  for (const auto& [name, storage] : options.storage)
    if (isAmong(m_collections, name) || !isAmong(m_values, name))
      check("storage", "collection", name, m_collections);
    else if (storage.layout || storage.group)
      unknown.push_back(
          {"storage", "collection", name,
           "; it is a parameter or value, and only collections have layouts and groups"});
  for (const auto& [name, encoding] : options.encodings)
    check("encodings", "column", name, m_columns);
  for (const std::string& name : options.tags)
    check("tags", "parameter or value", name, m_values);
  for (const std::string& name : options.keys)
    check("keys", "parameter, value or member of integers", name, m_keys);
  return unknown;
}

} // namespace kaon
