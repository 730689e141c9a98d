#include <kaon/model/StorageRules.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>

#include <string_view>
#include <utility>

namespace kaon::detail {
namespace {

/// Returns the name of a member below its collection.
std::string nameBelow(const TableDefinition& collection, const TableDefinition& table,
                      const MemberDefinition& member) {
  if (&table == &collection)
    return member.name;
  // Lists without a name of their own have the name of the list around them.
  std::string below = table.name.substr(collection.name.size() + 1);
  for (std::size_t at = below.find(".."); at != std::string::npos; at = below.find(".."))
    below.erase(at, 1);
  if (below.ends_with('.'))
    below.pop_back();
  return member.name.empty() ? below : below + "." + member.name;
}

bool mayBeRounded(TableKind kind) noexcept {
  return kind == TableKind::collection || kind == TableKind::vectorMember ||
         kind == TableKind::parameter || kind == TableKind::value;
}

void setPrecision(std::string_view name, const Precision& precision,
                  std::vector<TableDefinition>& tables) {
  bool isFound = false;
  std::vector<std::string> known;
  for (TableDefinition& table : tables) {
    if (!mayBeRounded(table.kind))
      continue;
    for (MemberDefinition& member : table.members) {
      const std::string full = nameBelow(tables.front(), table, member);
      const bool isPart = full.starts_with(std::string(name) + ".");
      if (full == name || (isPart && isFloat(member.type))) {
        isFound = true;
        member.precision = precision;
      } else if (!isPart) {
        for (std::size_t end = full.find('.'); end != std::string::npos;
             end = full.find('.', end + 1))
          known.push_back(full.substr(0, end)); // a component
        known.push_back(full);
      }
    }
  }
  if (!isFound)
    fail(ErrorKind::name, "'", tables.front().name, "' has no member '", name,
         "' whose precision could be set", suggestion(name, known));
}

} // namespace

Storage storageOf(const DatatypeStorage& storage) {
  Storage result{.layout = storage.layout};
  if (!storage.group.empty())
    result.group = storage.group;
  for (const MemberPrecision& member : storage.precision)
    result.precision.emplace(member.name, member.precision);
  return result;
}

void apply(const Storage& storage, std::vector<TableDefinition>& tables) {
  for (TableDefinition& table : tables)
    table.layout = storage.layout.value_or(table.layout);
  tables.front().group = storage.group.value_or(tables.front().group);
  for (const auto& [name, precision] : storage.precision)
    setPrecision(name, precision, tables);
}

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
