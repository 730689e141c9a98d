#include <kaon/selecting/DeclaredTables.h>

#include <kaon/base/Joined.h>
#include <kaon/model/Structure.h>

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <utility>

namespace kaon {
namespace {

using Optionals = std::map<std::string, std::optional<std::uint32_t>, std::less<>>;

struct Part {
  std::string name;
  std::string step;
};

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::vector<Part> partsOf(std::string_view path, std::string_view structure) {
  std::vector<std::string> names = split(path), steps = split(structure);
  steps.resize(names.size());
  std::vector<Part> parts;
  for (std::size_t i = 0; i < names.size(); ++i)
    parts.push_back({std::move(names[i]), std::move(steps[i])});
  return parts;
}

DeclaredPath pathOf(const std::vector<Part>& parts) {
  DeclaredPath path;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    path.path += (i == 0 ? "" : ".") + parts[i].name;
    path.structure += (i == 0 ? "" : ".") + parts[i].step;
  }
  path.structure.erase(path.structure.find_last_not_of('.') + 1);
  return path;
}

/// A path without the parts of optionals, and the paths of these optionals.
struct PathParts {
  std::vector<Part> parts = {};
  std::vector<std::string> optionals = {};
  bool isPresence = false;
  bool isWhole = true;
};

PathParts withoutOptionals(std::string_view path, std::string_view structure) {
  PathParts result;
  const std::vector<Part> all = partsOf(path, structure);
  std::string declared;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& name = all[i].name;
    declared = dotted(declared, name);
    if (all[i].step != optionalStep) {
      result.parts.push_back(all[i]);
      continue;
    }
    result.optionals.push_back(declared);
    ++i;
    result.isPresence = i + 1 == all.size() && all[i].name == optionalPresence;
    result.isWhole = result.isWhole && i < all.size() && all[i].step != optionalStep;
    if (result.isPresence || !result.isWhole)
      return result;
    if (const bool isRecord = i + 1 < all.size() && all[i].step.empty(); !name.empty() || !isRecord)
      result.parts.push_back({name, all[i].step});
  }
  return result;
}

/// Returns the path with the parts of optionals, to the value or the presence of the last part.
DeclaredPath withOptionals(const DeclaredPath& plain, const Optionals& optionals,
                           std::string_view last = optionalValue) {
  const std::vector<Part> declared = partsOf(plain.path, plain.structure);
  std::vector<Part> parts;
  const bool isRow = declared.size() == 1 && declared.front().name.empty();
  if (optionals.contains("")) {
    parts.push_back({"", std::string(optionalStep)});
    parts.push_back({std::string(isRow ? last : optionalValue), isRow ? declared[0].step : ""});
  }
  std::string path;
  for (std::size_t i = 0; i < declared.size() && !(isRow && !parts.empty()); ++i) {
    path = dotted(path, declared[i].name);
    if (path.empty() || !optionals.contains(path)) {
      parts.push_back(declared[i]);
      continue;
    }
    parts.push_back({declared[i].name, std::string(optionalStep)});
    parts.push_back(
        {std::string(i + 1 == declared.size() ? last : optionalValue), declared[i].step});
  }
  return pathOf(parts);
}

bool isBelow(std::string_view path, std::string_view above) {
  return above.empty() ||
         (path.starts_with(above) && (path.size() == above.size() || path[above.size()] == '.'));
}

/// Returns the path of an optional, given a path below it.
DeclaredPath headOf(const DeclaredPath& below, const std::string& optional) {
  if (optional.empty())
    return {};
  std::vector<Part> parts = partsOf(below.path, below.structure);
  parts.resize(split(optional).size());
  parts.back().step.clear();
  return pathOf(parts);
}

/// Returns the path of a list in the rows above it.
PathParts listParts(const Table& table, const Table& above) {
  if (table.kind == TableKind::text)
    return {.parts = partsOf("", "")};
  const std::string_view path = table.name.substr(above.name.size() + 1);
  return withoutOptionals(path, structureOfList(path, [&](std::string_view part) {
                            const MemberNumber member = above.members.find(part);
                            return member < above.members.size() ? above.members[member].structure
                                                                 : std::string_view();
                          }));
}

constexpr std::string_view stringType = "string";

bool fitTogether(const DeclaredMember& a, const DeclaredMember& b) {
  return a.facts.type == b.facts.type && a.facts.extent == b.facts.extent &&
         structuresAgree(a.at.structure, b.at.structure) &&
         a.facts.precision == b.facts.precision && a.facts.missing == b.facts.missing;
}

bool fitTogether(const DeclaredTable& a, const DeclaredTable& b) {
  const auto kindOf = [](const DeclaredTable& table) {
    if (table.facts.kind == TableKind::collection) // some formats write parameters instead
      return TableKind::parameter;
    return table.facts.kind == TableKind::text ? TableKind::vectorMember : table.facts.kind;
  };
  return kindOf(a) == kindOf(b) && a.recordType == b.recordType;
}

} // namespace

const DeclaredMember* DeclaredTable::find(std::string_view path) const noexcept {
  const auto member = std::ranges::find(
      members, path, [](const DeclaredMember& each) { return std::string_view(each.at.path); });
  return member == members.end() ? nullptr : &*member;
}

bool DeclaredTables::canUnite(const Table& table) noexcept {
  const bool hasBareValues = table.members.size() == 1 && table.members[0].name.empty();
  return table.isRoot() &&
         (table.kind != TableKind::collection || table.type.empty() || hasBareValues);
}

DeclaredTables::DeclaredTables(const Schema& schema, TableNumber root) {
  for (const TableNumber number : schema.tablesUnder(root))
    add(schema, number);
}

void DeclaredTables::add(const Schema& schema, std::uint32_t number) {
  const Table info = schema.table(number);
  DeclaredTable table{.facts = info.definition(), .parent = Table::none, .number = number};
  table.facts.members.clear();
  if (!info.isRoot()) {
    PathParts path = listParts(info, schema.table(info.parent));
    m_isWhole = m_isWhole && path.isWhole && !path.isPresence &&
                (info.kind == TableKind::vectorMember || info.kind == TableKind::text);
    table.at = pathOf(path.parts);
    table.parent = static_cast<std::uint32_t>(
        std::ranges::find(m_tables, info.parent, &DeclaredTable::number) - m_tables.begin());
  }
  MemberNumber memberNumber = 0;
  for (const Member& member : info.members) {
    const PathParts path = withoutOptionals(member.name, member.structure);
    m_isWhole = m_isWhole && path.isWhole;
    if (path.isPresence)
      table.optionals[path.optionals.back()] = memberNumber;
    else
      table.members.push_back({pathOf(path.parts), member.definition(), memberNumber});
    ++memberNumber;
  }
  const bool isNumber = info.members.size() == 1 && info.type == nameOf(info.members[0].type);
  if (info.kind == TableKind::text) {
    table.recordType = stringType;
    m_tables[table.parent].recordType.clear(); // "string", which its elements are
  } else if (!isNumber) {
    table.recordType = info.type;
  }
  m_tables.push_back(std::move(table));
}

TableNumber DeclaredTables::find(TableNumber parent, std::string_view path) const noexcept {
  for (std::uint32_t number = 0; number < m_tables.size(); ++number)
    if (m_tables[number].parent == parent && m_tables[number].at.path == path)
      return number;
  return Table::none;
}

/// Returns the paths of all members and lists of a table.
std::vector<const DeclaredPath*> DeclaredTables::contentsOf(TableNumber table) const {
  std::vector<const DeclaredPath*> paths;
  for (const DeclaredMember& member : m_tables[table].members)
    paths.push_back(&member.at);
  for (const DeclaredTable& each : m_tables)
    if (each.parent == table)
      paths.push_back(&each.at);
  return paths;
}

bool DeclaredTables::hasBelow(TableNumber table, std::string_view path) const {
  return std::ranges::any_of(contentsOf(table),
                             [&](const DeclaredPath* each) { return isBelow(each->path, path); });
}

bool DeclaredTables::unite(const DeclaredTables& other, bool mayLack) {
  if (!m_isWhole || !other.m_isWhole)
    return false;
  const DeclaredTables before = *this;
  std::vector<std::uint32_t> numbers; // of the other tables, here
  for (const DeclaredTable& table : other.m_tables)
    if (!addTable(before, table, numbers, mayLack))
      return false;
  std::vector<std::uint32_t> theirs(before.m_tables.size(), Table::none);
  for (std::uint32_t number = 0; number < numbers.size(); ++number)
    if (numbers[number] < theirs.size())
      theirs[numbers[number]] = number;
  return addLacking(other, theirs, mayLack);
}

/// Adds another table, or its optionals and members if it exists here. `before` are the tables
/// without the others.
bool DeclaredTables::addTable(const DeclaredTables& before, const DeclaredTable& table,
                              std::vector<std::uint32_t>& numbers, bool mayLack) {
  const TableNumber parent =
      table.parent == Table::none ? Table::none : TableNumber(numbers[table.parent]);
  const std::uint32_t same = find(parent, table.at.path);
  if (same != Table::none) {
    numbers.push_back(same);
    return fitTogether(m_tables[same], table) && addMembers(before, same, table, mayLack);
  }
  const bool isUnderKnown = parent < before.m_tables.size();
  if (!mayLack || (isUnderKnown && !addOptional(parent, table.at, before, parent)))
    return false;
  numbers.push_back(static_cast<std::uint32_t>(m_tables.size()));
  DeclaredTable& added = m_tables.emplace_back(table);
  added.parent = parent;
  return true;
}

/// Adds the optionals of another table, and its members that are missing here.
bool DeclaredTables::addMembers(const DeclaredTables& before, TableNumber table,
                                const DeclaredTable& other, bool mayLack) {
  for (const DeclaredMember& member : other.members) {
    if (const DeclaredMember* const same = m_tables[table].find(member.at.path)) {
      if (!fitTogether(*same, member))
        return false;
      continue;
    }
    if (!mayLack || !addOptional(table, member.at, before, table))
      return false;
    m_tables[table].members.push_back(member);
  }
  for (const auto& [path, number] : other.optionals)
    m_tables[table].optionals.try_emplace(path);
  return true;
}

/// Makes members and lists optional that the other tables lack. `theirs` has the number there of
/// each table, if they have it.
bool DeclaredTables::addLacking(const DeclaredTables& other,
                                const std::vector<std::uint32_t>& theirs, bool mayLack) {
  for (std::uint32_t number = 0; number < theirs.size(); ++number) {
    const std::uint32_t above = m_tables[number].parent;
    if (theirs[number] == Table::none) {
      if (!mayLack || (theirs[above] != Table::none &&
                       !addOptional(above, m_tables[number].at, other, theirs[above])))
        return false;
      continue;
    }
    const std::vector<DeclaredMember> members = m_tables[number].members;
    for (const DeclaredMember& member : members)
      if (!other.m_tables[theirs[number]].find(member.at.path) &&
          (!mayLack || !addOptional(number, member.at, other, theirs[number])))
        return false;
  }
  return true;
}

/// Makes the largest part of a path optional that a table lacks. Returns false if the table has
/// another kind of value there.
bool DeclaredTables::addOptional(TableNumber table, const DeclaredPath& path,
                                 const DeclaredTables& lacking, TableNumber lackingTable) {
  const auto isLeaf = [&](std::string_view part) {
    return std::ranges::any_of(lacking.contentsOf(lackingTable),
                               [&](const DeclaredPath* each) { return each->path == part; });
  };
  if (path.path.empty() || isLeaf(""))
    return false;
  std::string part;
  for (const Part& each : partsOf(path.path, path.structure)) {
    part = dotted(part, each.name);
    if (!lacking.hasBelow(lackingTable, part)) {
      m_tables[table].optionals.try_emplace(part);
      return true;
    }
    if (isLeaf(part) || !each.step.empty()) // a value there, or an array of another form
      return false;
  }
  return false;
}

std::vector<CommonTable> DeclaredTables::definitions() const {
  std::vector<CommonTable> tables;
  for (std::uint32_t number = 0; number < m_tables.size(); ++number)
    tables.push_back(withMembers(number, definition(number, tables)));
  return tables;
}

/// Returns the definition of a table without its members.
TableDefinition DeclaredTables::definition(TableNumber table,
                                           const std::vector<CommonTable>& before) const {
  const DeclaredTable& plain = m_tables[table];
  TableDefinition definition = plain.facts;
  definition.parent = plain.parent;
  if (plain.optionals.contains(""))
    definition.type = plain.recordType;
  if (plain.parent == Table::none)
    return definition;
  const DeclaredTable& above = m_tables[plain.parent];
  if (plain.facts.kind == TableKind::text && above.optionals.contains("")) {
    definition.kind = TableKind::vectorMember;
    definition.type = stringType;
  }
  definition.name = before[plain.parent].definition.name + ".";
  definition.name +=
      definition.kind == TableKind::text ? "text" : withOptionals(plain.at, above.optionals).path;
  return definition;
}

/// Returns the members and lists of a table in their order.
std::vector<DeclaredTables::Content> DeclaredTables::ordered(TableNumber table) const {
  std::vector<Content> contents;
  std::vector<const DeclaredPath*> lists;
  for (const DeclaredTable& each : m_tables)
    if (each.parent == table)
      lists.push_back(&each.at);
  std::size_t listed = 0;
  const auto addLists = [&](std::size_t count) {
    for (; listed < std::min(count, lists.size()); ++listed)
      contents.push_back({lists[listed], nullptr});
  };
  for (const DeclaredMember& member : m_tables[table].members) {
    addLists(member.facts.listsBefore);
    contents.push_back({&member.at, &member});
  }
  addLists(lists.size());
  return contents;
}

/// Returns a table with its members. The presence of an optional follows its last member or list;
/// presences of inner optionals come first.
CommonTable DeclaredTables::withMembers(TableNumber table, TableDefinition definition) const {
  const Optionals& optionals = m_tables[table].optionals;
  CommonTable common{std::move(definition), {}};
  std::size_t lists = 0;
  const auto add = [&](const DeclaredPath& path, MemberDefinition facts, std::string_view last) {
    DeclaredPath at = withOptionals(path, optionals, last);
    facts.name = std::move(at.path);
    facts.structure = std::move(at.structure);
    facts.listsBefore = detail::countOfLists(lists);
    common.definition.members.push_back(std::move(facts));
    common.members.push_back({last == optionalPresence, path.path});
  };
  const std::vector<Content> contents = ordered(table);
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const auto [path, member] = contents[i];
    if (member)
      add(*path, member->facts, optionalValue);
    else
      ++lists;
    for (const auto& [optional, number] : std::views::reverse(optionals))
      if (isBelow(path->path, optional) &&
          std::none_of(contents.begin() + static_cast<std::ptrdiff_t>(i) + 1, contents.end(),
                       [&above = optional](const Content& later) {
                         return isBelow(later.path->path, above);
                       }))
        add(headOf(*path, optional), MemberDefinition{}, optionalPresence);
  }
  common.definition.rowSize = detail::placeMembers(common.definition.members);
  return common;
}

} // namespace kaon
