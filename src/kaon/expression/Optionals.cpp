#include <kaon/expression/Optionals.h>

#include <kaon/base/Joined.h>
#include <kaon/model/Structure.h>
#include <kaon/model/TableLabels.h>
#include <kaon/model/Texts.h>

#include <algorithm>
#include <ranges>

namespace kaon::expression {
namespace {

bool isInOptional(const Member& member) {
  return member.structure.find(optionalStep) != std::string_view::npos;
}

/// Returns whether a table may have optionals. A quick test, because few tables have any.
bool mayHaveOptionals(const Schema& schema, std::uint32_t number) {
  const Table table = schema.table(number);
  if (std::ranges::any_of(table.members, isInOptional))
    return true;
  return table.kind == TableKind::collection &&
         std::ranges::any_of(schema.tablesUnder(number), [&](std::uint32_t below) {
           return schema.table(below).kind == TableKind::decoration &&
                  std::ranges::any_of(schema.table(below).members, isInOptional);
         });
}

std::string nameOf(const Schema& schema, TableMember place) {
  return nameOfColumn(schema, place.table, place.member);
}

/// Returns the optional of this path whose value is a list or string, or nothing.
std::optional<OptionalMember> optionalList(const Schema& schema, TableNumber table,
                                           std::string_view path) {
  const std::string value = joined(path, ".", optionalValue);
  for (const TableNumber list : schema.tablesUnder(schema.rootOf(table))) {
    const Table info = schema.table(list);
    if (info.parent != table || tailOf(schema, info) != value)
      continue;
    const std::vector<TableMember> presences = presencesOfList(schema, list);
    if (presences.empty())
      continue;
    const TableNumber rows = schema.contentsOf(list);
    OptionalMember optional{presences.back(), std::nullopt, value, rows};
    if (const Members members = schema.table(rows).members; members.find("") < members.size())
      optional.value = TableMember{rows, members.find("")};
    return optional;
  }
  return std::nullopt;
}

} // namespace

std::optional<OptionalMember> optionalNamed(const Schema& schema, TableNumber table,
                                            std::string_view path) {
  if (!mayHaveOptionals(schema, table))
    return std::nullopt;
  const TableTree all = treeOf(schema, table);
  const MemberTree& tree = all.tree;
  for (std::uint32_t node = 0; node < tree.size(); ++node)
    if (tree[node].kind == MemberKind::optional && tree[node].path == path) {
      const MemberNode& value = tree[tree.valueOf(node)];
      OptionalMember optional{all.places[tree.presenceOf(node)], std::nullopt,
                              std::string(value.path), table};
      if (value.kind == MemberKind::value)
        optional.value = all.places[value.leaf];
      return optional;
    }
  return optionalList(schema, table, path);
}

std::optional<std::string> columnNamed(const Schema& schema, TableNumber table,
                                       MemberNumber member) {
  std::string name = nameOfColumn(schema, table, member);
  if (!isInOptional(schema.table(table).members[member]))
    return presencesOf(schema, table, member).empty() ? name : schema.nameInModel(table, member);
  const std::size_t suffix = 1 + optionalPresence.size();
  const Table own = schema.table(table);
  const bool isLate = own.kind == TableKind::decoration;
  const std::uint32_t objects = isLate ? own.parent : table;
  const std::string path =
      dotted(isLate ? own.name.substr(schema.table(objects).name.size() + 1) : "",
             own.members[member].name);
  if (path.ends_with(optionalPresence) && path.size() >= suffix) {
    const auto optional = optionalNamed(schema, objects, path.substr(0, path.size() - suffix));
    if (optional && optional->present == TableMember{table, member})
      return std::nullopt;
  }
  for (const TableMember presence : std::views::reverse(presencesOf(schema, table, member))) {
    const std::size_t end = nameOf(schema, presence).size() - suffix;
    name.erase(end, 1 + optionalValue.size());
  }
  return name;
}

} // namespace kaon::expression
