#include <kaon/model/Storage.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>

#include <string_view>

namespace kaon {
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

Storage detail::storageOf(const detail::DatatypeStorage& storage) {
  Storage result{.layout = storage.layout};
  if (!storage.group.empty())
    result.group = storage.group;
  for (const detail::MemberPrecision& member : storage.precision)
    result.precision.emplace(member.name, member.precision);
  return result;
}

void detail::apply(const Storage& storage, std::vector<TableDefinition>& tables) {
  for (TableDefinition& table : tables)
    table.layout = storage.layout.value_or(table.layout);
  tables.front().group = storage.group.value_or(tables.front().group);
  for (const auto& [name, precision] : storage.precision)
    setPrecision(name, precision, tables);
}

} // namespace kaon
