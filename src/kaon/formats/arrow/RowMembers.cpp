#include <kaon/formats/arrow/RowMembers.h>

#include <kaon/base/Joined.h>
#include <kaon/model/TableLabels.h>

#include <algorithm>
#include <span>

namespace kaon::arrow {
namespace {

/// Returns the values of a decoration in objects that lack it. Components around it do not change
/// them.
std::vector<LeafDefault> defaultsOf(const Member& member, std::string_view path) {
  const std::uint64_t value = member.missing;
  const auto bytes = std::as_bytes(std::span(&value, 1)).first(sizeOf(member.type));
  LeafDefault missing{true};
  for (std::uint32_t i = 0; i < member.extent; ++i)
    missing.value.insert(missing.value.end(), bytes.begin(), bytes.end());
  return std::vector(static_cast<std::size_t>(1 + std::ranges::count(path, '.')), missing);
}

} // namespace

std::vector<std::byte> RowMember::missing(std::uint32_t components) const {
  std::vector<std::byte> values;
  for (std::size_t i = 0; i < std::min<std::size_t>(components + 1, defaults.size()); ++i)
    values.insert(values.end(), defaults[i].value.begin(), defaults[i].value.end());
  return values;
}

RowMembers membersOf(const Schema& schema, TableNumber table, const Declaration& declared) {
  const Table rows = schema.table(table);
  std::deque<std::string> texts;
  std::vector<RowMember> members;
  std::vector<MemberTree::Leaf> leaves;
  std::vector<std::uint32_t> tables;
  if (!declared.isThere()) // before the presences, as the tree expects
    for (const TableNumber list : schema.tablesUnder(schema.rootOf(table)))
      if (schema.table(list).parent == table)
        if (const std::string structure = structureOfList(schema, list); !structure.empty()) {
          leaves.push_back({tailOf(schema, schema.table(list)), texts.emplace_back(structure)});
          members.push_back({.place = {list, 0}, .isList = true});
          tables.push_back(list);
        }
  const auto add = [&](std::string_view path, std::string_view structure, TableMember place,
                       std::vector<LeafDefault> defaults) {
    const Member member = schema.table(place.table).members[place.member];
    leaves.push_back({path, structure, member.type, member.extent});
    members.push_back({place, member.type, member.extent, member.unit, std::move(defaults)});
  };
  if (!declared.isThere())
    for (MemberNumber i = 0; i < rows.members.size(); ++i)
      add(rows.members[i].name, rows.members[i].structure, {table, i}, {});
  for (std::size_t i = 0; i < declared.leaves.size(); ++i) {
    const Leaf& leaf = declared.leaves[i];
    const MemberNumber member = rows.members.find(leaf.name);
    TableMember place{table, member};
    if (member == rows.members.size()) { // an earlier version of the datatype did not have it
      place = {schema.find(joined(rows.name, ".", leaf.name)), 0};
      tables.push_back(place.table);
    }
    add(leaf.name, leaf.structure, place, declared.defaultsOf(i));
  }
  if (rows.kind == TableKind::collection)
    for (const TableNumber number : schema.tablesUnder(table)) {
      const Table below = schema.table(number);
      if (below.kind != TableKind::decoration || below.parent != table ||
          std::ranges::find(tables, number) != tables.end())
        continue;
      tables.push_back(number);
      for (MemberNumber i = 0; i < below.members.size(); ++i) {
        const Member member = below.members[i];
        const std::string& path = texts.emplace_back(dotted(tailOf(schema, below), member.name));
        add(path, member.structure, {number, i}, defaultsOf(member, path));
      }
    }
  MemberTree tree(leaves);
  return {std::move(members), std::move(tree), std::move(texts), std::move(tables)};
}

} // namespace kaon::arrow
