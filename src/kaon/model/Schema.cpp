#include <kaon/model/Schema.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>

#include <algorithm>
#include <cassert>

namespace kaon {
namespace {

constexpr std::array<std::string_view, 2> layoutNames{"split", "row"};

/// Whether the table's rows can be kept as whole structs: only what users define as structs.
bool hasRowLayout(const Table& table) noexcept {
  return table.layout == Layout::row && !table.members.empty() &&
         (table.kind == TableKind::collection || table.kind == TableKind::vectorMember);
}

std::vector<Member> membersOf(std::span<const Leaf> leaves) {
  std::vector<Member> members;
  members.reserve(leaves.size());
  for (const Leaf& leaf : leaves)
    members.push_back({std::string(leaf.name), leaf.type, leaf.extent, leaf.offset,
                       std::string(leaf.unit), std::string(leaf.description)});
  return members;
}

bool mayLieUnder(TableKind child, TableKind parent) noexcept {
  return child == TableKind::text ? parent == TableKind::parameter
                                  : parent == TableKind::collection;
}

/// Parameters are told apart by name and type.
std::string parameterKey(std::string_view name, std::string_view type) {
  std::string key(name);
  key += '\0';
  return key += type;
}

/// Rows of relations are copied as they lie in memory: index and collection, nothing else.
bool hasRelationMembers(const Table& table) noexcept {
  const auto isAt = [&](std::uint32_t member, Scalar type, std::uint32_t offset) {
    const Member& info = table.members[member];
    return info.type == type && info.extent == 1 && info.offset == offset;
  };
  return table.members.size() == 2 && table.rowSize == 8 && isAt(relationIndex, Scalar::Int32, 0) &&
         isAt(relationCollection, Scalar::UInt32, 4);
}

bool liesUnderEntries(TableKind kind) noexcept {
  return kind == TableKind::collection || kind == TableKind::parameter || kind == TableKind::value;
}

} // namespace

std::string_view layoutName(Layout layout) noexcept {
  const auto number = static_cast<std::size_t>(layout);
  return number < layoutNames.size() ? layoutNames[number] : "?";
}

Layout layoutNamed(std::string_view name) {
  const auto found = std::ranges::find(layoutNames, name);
  if (found == layoutNames.end())
    fail(ErrorKind::name, "no layout is called '", name, "'",
         suggestion(name, {layoutNames.begin(), layoutNames.end()}), "; there are split, row");
  return static_cast<Layout>(found - layoutNames.begin());
}

std::uint32_t Schema::add(Table table) {
  assert(check(table).empty());
  const auto number = static_cast<std::uint32_t>(m_tables.size());
  m_root.push_back(table.isRoot() ? number : m_root[table.parent]);
  m_under.emplace_back();
  m_under[m_root.back()].push_back(number);
  if (table.canBeAbsent())
    m_columns.push_back({number, ColumnRole::presence, 0, 1});
  if (table.isCounted())
    m_columns.push_back({number, ColumnRole::counts, 0, sizeof(std::uint32_t)});
  if (hasRowLayout(table))
    m_columns.push_back({number, ColumnRole::rows, 0, table.rowSize});
  else
    for (std::uint32_t i = 0; i < table.members.size(); ++i)
      m_columns.push_back({number, ColumnRole::member, i, table.members[i].size()});
  m_firstColumn.push_back(static_cast<std::uint32_t>(m_columns.size()));
  if (table.kind == TableKind::parameter) {
    m_numbers.emplace(parameterKey(table.name, table.type), number);
    m_numbers.try_emplace(table.name, number);
  } else {
    m_numbers.insert_or_assign(table.name, number);
  }
  m_tables.push_back(std::move(table));
  return number;
}

Place Schema::place(std::uint32_t table, std::uint32_t member) const noexcept {
  const Table& owner = m_tables[table];
  const std::uint32_t first = countsColumn(table) + (owner.isCounted() ? 1 : 0);
  return hasRowLayout(owner) ? Place{first, owner.members[member].offset}
                             : Place{first + member, 0};
}

std::uint32_t Schema::find(std::string_view name) const noexcept {
  const auto found = m_numbers.find(std::string(name));
  return found == m_numbers.end() ? Table::none : found->second;
}

std::uint32_t Schema::findCollection(std::string_view name) const noexcept {
  const std::uint32_t number = find(name);
  return number != Table::none && m_tables[number].kind == TableKind::collection ? number
                                                                                 : Table::none;
}

std::uint32_t Schema::findParameter(std::string_view name, std::string_view type) const noexcept {
  return find(parameterKey(name, type));
}

std::uint32_t Schema::tableNamed(std::string_view name) const {
  const std::uint32_t number = find(name);
  if (number != Table::none)
    return number;
  std::vector<std::string> known;
  for (const Table& table : m_tables)
    known.push_back(table.name);
  fail(ErrorKind::name, "there is no '", name, "'", suggestion(name, known));
}

std::pair<std::uint32_t, std::uint32_t> Schema::memberNamed(std::string_view name) const {
  // The table's name is the longest head that is one: both names may contain dots.
  for (std::size_t head = name.size(); head != std::string_view::npos && head > 0;
       head = name.rfind('.', head - 1)) {
    const std::uint32_t number = find(name.substr(0, head));
    if (number == Table::none)
      continue;
    const std::string_view tail = head < name.size() ? name.substr(head + 1) : "";
    const auto& members = m_tables[number].members;
    const auto found = std::ranges::find(members, tail, &Member::name);
    if (found != members.end())
      return {number, static_cast<std::uint32_t>(found - members.begin())};
  }
  std::vector<std::string> known;
  for (std::uint32_t table = 0; table < m_tables.size(); ++table)
    for (std::uint32_t member = 0; member < m_tables[table].members.size(); ++member)
      known.push_back(nameOfMember(table, member));
  fail(ErrorKind::name, "no column is called '", name, "'", suggestion(name, known));
}

std::string Schema::nameOfMember(std::uint32_t table, std::uint32_t member) const {
  const Table& owner = m_tables[table];
  const std::string& name = owner.members[member].name;
  return name.empty() ? owner.name : owner.name + "." + name;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>>
Schema::membersBelow(std::string_view name) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  const std::string head = std::string(name) + ".";
  for (std::uint32_t table = 0; table < m_tables.size(); ++table)
    for (std::uint32_t member = 0; member < m_tables[table].members.size(); ++member) {
      const std::string full = nameOfMember(table, member);
      if (full == name || full.starts_with(head))
        found.emplace_back(table, member);
    }
  if (found.empty() && find(name) == Table::none)
    found.push_back(memberNamed(name)); // there is none: this throws, and says what there is
  return found;
}

std::string Schema::check(const Table& table) const {
  if (table.name.empty())
    return "a table has no name";
  if (table.kind > TableKind::value || table.layout > Layout::row)
    return "table '" + table.name + "' is of an unknown kind or layout";
  if (table.isRoot() != liesUnderEntries(table.kind) ||
      (!table.isRoot() &&
       (table.parent >= m_tables.size() || !mayLieUnder(table.kind, m_tables[table.parent].kind))))
    return "table '" + table.name + "' lies under something that cannot have it";
  const bool isParameter = table.kind == TableKind::parameter;
  const std::uint32_t same = isParameter ? findParameter(table.name, table.type) : find(table.name);
  if (same != Table::none && (isParameter || m_tables[same].kind != TableKind::parameter))
    return "two tables are called '" + table.name + "'";
  std::uint64_t bytes = 0;
  for (const Member& member : table.members) {
    if (static_cast<std::size_t>(member.type) >= scalarKinds || member.extent == 0)
      return "'" + table.name + "." + member.name + "' is of an unknown type";
    const std::uint64_t end = member.offset + std::uint64_t{sizeOf(member.type)} * member.extent;
    if (end > table.rowSize)
      return "'" + table.name + "." + member.name + "' lies outside its row";
    bytes += end - member.offset;
  }
  // Aligned members take up to eight times their bytes; more would be memory for nothing.
  if (table.rowSize > 8 * bytes)
    return "the rows of '" + table.name + "' are larger than their members need";
  if ((table.kind == TableKind::oneRelation || table.kind == TableKind::manyRelation) &&
      !hasRelationMembers(table))
    return "relation '" + table.name + "' does not have the members of one";
  return "";
}

std::vector<Table> tablesOf(const Datatype& type, std::string_view collection, std::uint32_t root,
                            Layout layout) {
  const auto below = [&](std::string_view name) {
    return std::string(collection) + "." + std::string(name);
  };
  std::vector<Table> tables;
  tables.push_back({.name = std::string(collection),
                    .kind = TableKind::collection,
                    .layout = layout,
                    .type = std::string(type.name),
                    .rowSize = type.rowSize,
                    .members = membersOf(type.leaves),
                    .description = std::string(type.description)});
  for (const VectorMember& vector : type.vectors)
    tables.push_back({.name = below(vector.name),
                      .kind = TableKind::vectorMember,
                      .layout = layout,
                      .type = std::string(vector.type),
                      .parent = root,
                      .rowSize = vector.rowSize,
                      .members = membersOf(vector.leaves),
                      .description = std::string(vector.description)});
  for (const Relation& relation : type.relations)
    tables.push_back(
        {.name = below(relation.name),
         .kind = relation.many ? TableKind::manyRelation : TableKind::oneRelation,
         .type = std::string(relation.target),
         .parent = root,
         .rowSize = 8,
         .members = {{"index", Scalar::Int32, 1, 0, "", "position in the collection; -1: none"},
                     {"collection", Scalar::UInt32, 1, 4, "", "number of the collection"}},
         .description = std::string(relation.description)});
  return tables;
}

} // namespace kaon
