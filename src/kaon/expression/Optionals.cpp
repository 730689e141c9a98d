#include <kaon/expression/Optionals.h>

#include <kaon/base/Joined.h>
#include <kaon/model/Structure.h>
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

std::string nameOf(const Schema& schema, detail::MemberPlace place) {
  return nameOfColumn(schema, place.table, place.member);
}

} // namespace

std::optional<OptionalMember> optionalNamed(const Schema& schema, std::uint32_t table,
                                            std::string_view path) {
  if (!mayHaveOptionals(schema, table))
    return std::nullopt;
  const TableTree all = treeOf(schema, table);
  const MemberTree& tree = all.tree;
  for (std::uint32_t node = 0; node < tree.size(); ++node)
    if (tree[node].kind == MemberKind::optional && tree[node].path == path) {
      const MemberNode& value = tree[tree.valueOf(node)];
      OptionalMember optional{all.places[tree.presenceOf(node)], std::nullopt,
                              std::string(value.path)};
      if (value.kind == MemberKind::value)
        optional.value = all.places[value.leaf];
      return optional;
    }
  return std::nullopt;
}

std::optional<std::string> columnNamed(const Schema& schema, std::uint32_t table,
                                       std::uint32_t member) {
  std::string name = nameOfColumn(schema, table, member);
  if (!isInOptional(schema.table(table).members[member]))
    return name;
  const std::size_t suffix = 1 + optionalPresence.size();
  const Table own = schema.table(table);
  const bool isLate = own.kind == TableKind::decoration;
  const std::uint32_t objects = isLate ? own.parent : table;
  const std::string path =
      dotted(isLate ? own.name.substr(schema.table(objects).name.size() + 1) : "",
             own.members[member].name);
  if (path.ends_with(optionalPresence) && path.size() >= suffix) {
    const auto optional = optionalNamed(schema, objects, path.substr(0, path.size() - suffix));
    if (optional && optional->present == detail::MemberPlace{table, member})
      return std::nullopt;
  }
  for (const detail::MemberPlace presence :
       std::views::reverse(presencesOf(schema, table, member))) {
    const std::size_t end = nameOf(schema, presence).size() - suffix;
    name.erase(end, 1 + optionalValue.size());
  }
  return name;
}

} // namespace kaon::expression
