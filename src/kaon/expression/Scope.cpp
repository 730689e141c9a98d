#include <kaon/detail/expression/Scope.h>

#include <kaon/base/Joined.h>
#include <kaon/expression/Optionals.h>
#include <kaon/model/Datatype.h>
#include <kaon/model/OptionalRows.h>
#include <kaon/model/Structure.h>
#include <kaon/model/Texts.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace kaon::expression {
namespace {

bool liesBelow(std::string_view name, std::string_view head) {
  return name.size() > head.size() + 1 && name.starts_with(head) && name[head.size()] == '.';
}

/// Returns whether a character separates objects and members in the names of columns.
bool isSeparator(char c) { return c == '_' || c == '.' || c == ':'; }

bool isRelation(TableKind kind) {
  return kind == TableKind::oneRelation || kind == TableKind::manyRelation;
}

} // namespace

/// Returns the number of lists around the rows of a table.
unsigned SchemaScope::depthOf(TableNumber number) const {
  unsigned depth = 0;
  for (; number != Table::none; number = m_schema->table(number).parent)
    depth += m_schema->table(number).isCounted() ? 1 : 0;
  return depth;
}

/// Returns the table that defines the lists of a table's rows.
std::string SchemaScope::listsOf(TableNumber number) const {
  while (number != Table::none && !m_schema->table(number).isCounted())
    number = m_schema->table(number).parent;
  return number == Table::none ? std::string() : std::string(m_schema->table(number).name);
}

ColumnName SchemaScope::column(TableNumber table, MemberNumber number) const {
  const Member member = m_schema->table(table).members[number];
  const bool isArray = kaon::isArray(*m_schema, table, number);
  return {nameOfColumn(*m_schema, table, number),
          {member.type, depthOf(table) + (isArray ? 1 : 0), isText(m_schema->table(table))},
          isArray ? std::string() : listsOf(table),
          std::string(member.unit)};
}

RelationName SchemaScope::relation(TableNumber table) const {
  const std::string_view type = m_schema->table(table).type;
  return {column(table, detail::relationIndex), column(table, detail::relationCollection),
          std::string(type), collectionsOf(type)};
}

/// Returns a column, as an optional if it lies in one.
NameMeaning SchemaScope::meaningOf(TableNumber table, MemberNumber member) const {
  const std::vector<TableMember> presences = presencesOf(*m_schema, table, member);
  if (presences.empty())
    return column(table, member);
  OptionalName name{column(table, member), {}};
  for (const TableMember presence : presences)
    name.present.push_back(column(presence.table, presence.member));
  return name;
}

NameMeaning SchemaScope::optionalIn(TableNumber number, const OptionalMember& optional) const {
  if (optional.value)
    return meaningOf(optional.value->table, optional.value->member);
  // In rows that are optionals, the path begins with the dot.
  const std::string_view rows = m_schema->table(number).name;
  const bool isRow = optional.valuePath.starts_with('.');
  const std::string path = joined(isRow ? rows.substr(0, rows.find_last_not_of('.') + 1) : rows,
                                  isRow ? "" : ".", optional.valuePath);
  const auto [table, member] = optional.present;
  OptionalName name{RecordName{path, depthOf(optional.rows), listsOf(optional.rows)}, {}};
  for (const TableMember above : presencesOf(*m_schema, table, member))
    name.present.push_back(column(above.table, above.member));
  name.present.push_back(column(table, member));
  return name;
}

std::vector<RelationName::Target> SchemaScope::collectionsOf(std::string_view datatype) const {
  std::vector<RelationName::Target> collections;
  for (TableNumber number = 0; number < m_schema->size(); ++number)
    if (const Table table = m_schema->table(number);
        table.kind == TableKind::collection && table.type == datatype)
      collections.push_back({std::string(table.name), number});
  return collections;
}

NameMeaning SchemaScope::find(std::string_view name) const {
  // No column has a longer name, and searching takes time.
  constexpr std::size_t mostLetters = 1'000;
  if (name.size() > mostLetters)
    return {};
  NameMeaning meaning = findBelow(name);
  // NanoAOD uses underscores in the names of members of collections and of related values, and
  // ATLAS uses colons.
  for (const auto& [from, to] : {std::pair{'_', '.'}, {'.', '_'}, {'.', ':'}})
    for (std::size_t at = name.find(from);
         at != std::string_view::npos && std::holds_alternative<std::monostate>(meaning);
         at = name.find(from, at + 1)) {
      std::string other(name);
      other[at] = to;
      meaning = findBelow(other);
    }
  return meaning;
}

NameMeaning SchemaScope::findBelow(std::string_view name) const {
  const auto belongs = [&](TableNumber table, std::string_view path) {
    for (const Member& member : m_schema->table(table).members)
      if (liesBelow(member.name, path))
        return true;
    return false;
  };
  // The table's name is the longest prefix that is a table: names of tables and members may contain
  // dots.
  for (std::size_t head = name.size(); head != std::string_view::npos && head > 0;
       head = name.rfind('.', head - 1)) {
    const std::string_view tail = head < name.size() ? name.substr(head + 1) : "";
    const TableNumber outer = m_schema->find(name.substr(0, head));
    const TableNumber contents = m_schema->contentsOf(outer);
    const bool isPart = !tail.empty() && contents != Table::none &&
                        isOptionalRow(m_schema->table(contents).members);
    const std::string path = isPart ? joined(".", tail) : std::string(tail);
    const std::uint32_t number = tail.empty() || isPart ? contents : outer;
    if (number == Table::none || depthOf(number) > detail::mostListLevels)
      continue;
    const Table table = m_schema->table(number);
    if (const MemberNumber member = table.members.find(path); member < table.members.size()) {
      if (column(number, member).type.depth > detail::mostListLevels)
        return {};
      return meaningOf(number, member);
    }
    if (const auto optional = optionalNamed(*m_schema, number, path))
      return optionalIn(number, *optional);
    if (tail.empty() && isRelation(table.kind))
      return relation(number);
    if (tail.empty() || belongs(number, path))
      return RecordName{tail.empty() ? std::string(table.name) : std::string(name), depthOf(number),
                        listsOf(number), table.type.starts_with(detail::subsetPrefix)};
  }
  return objectsOfColumns(name);
}

/// Returns the objects whose members are columns of their own, such as `MET_pt`, or lists that
/// begin with `jet_`; nothing if no column begins so.
NameMeaning SchemaScope::objectsOfColumns(std::string_view name) const {
  std::optional<unsigned> depth;
  for (TableNumber number = 0; number < m_schema->size(); ++number)
    if (const Table table = m_schema->table(number);
        table.parent == Table::none && table.name.size() > name.size() + 1 &&
        table.name.starts_with(name) && isSeparator(table.name[name.size()]) &&
        (table.kind == TableKind::value ||
         (table.members.size() == 1 && table.members[0].name.empty())))
      depth = std::min(depth.value_or(detail::mostListLevels), depthOf(number));
  if (!depth)
    return {};
  return RecordName{std::string(name), *depth, {}};
}

std::string SchemaScope::nameOf(std::string_view stored) const {
  // A quick test, because most names have no optional.
  if (stored.find(optionalValue) == std::string_view::npos)
    return std::string(stored);
  for (TableNumber table = 0; table < m_schema->size(); ++table)
    for (MemberNumber member = 0; member < m_schema->table(table).members.size(); ++member)
      if (nameOfColumn(*m_schema, table, member) == stored)
        return columnNamed(*m_schema, table, member).value_or(std::string(stored));
  return std::string(stored);
}

std::vector<std::string> SchemaScope::names() const {
  std::vector<std::string> names;
  for (TableNumber table = 0; table < m_schema->size(); ++table) {
    if (depthOf(table) > detail::mostListLevels)
      continue;
    const Table info = m_schema->table(table);
    if (info.kind == TableKind::collection || isRelation(info.kind))
      names.emplace_back(info.name);
    for (MemberNumber member = 0; member < info.members.size(); ++member)
      if (column(table, member).type.depth <= detail::mostListLevels)
        if (std::optional<std::string> name = columnNamed(*m_schema, table, member))
          names.push_back(*std::move(name));
  }
  return names;
}

} // namespace kaon::expression
