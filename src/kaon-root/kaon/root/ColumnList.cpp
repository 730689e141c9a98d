#include <kaon/root/ColumnList.h>

#include <kaon/model/MemberTree.h>

#include <algorithm>
#include <utility>

namespace kaon::root {
namespace {

/// Whether the rows are characters, which make a string for each row above.
bool isText(const Table& table) {
  if (table.kind == TableKind::vectorMember)
    return table.type == "string" && !table.members.empty();
  return table.kind == TableKind::text;
}

/// Returns a table's name for users. Characters have the name of their string. Lists without a name
/// have the name of the table above.
std::string labelOf(const Schema& schema, std::uint32_t number) {
  const Table table = schema.table(number);
  if (table.isRoot())
    return std::string(table.name);
  const std::string above = labelOf(schema, table.parent);
  const std::string_view head = schema.table(table.parent).name;
  std::string_view tail = table.name;
  if (tail.starts_with(head) && tail.substr(head.size()).starts_with('.'))
    tail.remove_prefix(head.size() + 1);
  return table.kind == TableKind::text || tail.empty() ? above : above + '.' + std::string(tail);
}

/// Returns the levels from entries to the rows of a table.
std::vector<Level> levelsOf(const Schema& schema, std::uint32_t number) {
  std::vector<Level> levels;
  for (; number != Table::none; number = schema.table(number).parent)
    if (schema.table(number).isCounted())
      levels.push_back({number, 1});
  std::ranges::reverse(levels);
  return levels;
}

FrameColumn memberColumn(const Schema& schema, std::uint32_t number, std::uint32_t index) {
  const Table table = schema.table(number);
  const Member member = table.members[index];
  FrameColumn column{labelOf(schema, number), ElementKind::number, member.type, number, index,
                     levelsOf(schema, number)};
  column.presences = presencesOf(schema, number, index);
  if (column.isOptional())
    column.name = schema.nameInModel(number, index);
  else if (!member.name.empty())
    column.name += '.' + std::string(member.name);
  if (isText(table))
    column.element = ElementKind::text;
  else if (isArray(schema, number, index))
    column.levels.push_back({Table::none, member.extent});
  return column;
}

/// Whether lists of a column may be missing, which columns of RDataFrame cannot be.
bool mayLackLists(const Schema& schema, const FrameColumn& column) {
  const bool isText = column.element == ElementKind::text;
  const TableNumber rows = isText ? schema.table(column.table).parent : column.table;
  return std::ranges::any_of(column.presences, [&](TableMember presence) {
    return !haveSameRows(schema, presence.table, rows);
  });
}

/// Uses the name to which RDataFrame translates "#MCParticles".
FrameColumn sizeColumn(const Schema& schema, std::uint32_t number) {
  return {
      "R_rdf_sizeof_" + labelOf(schema, number),    ElementKind::size, Scalar::UInt64, number, 0,
      levelsOf(schema, schema.table(number).parent)};
}

} // namespace

std::string FrameColumn::typeName() const {
  std::string text;
  if (element == ElementKind::text)
    text = "std::string";
  else if (element == ElementKind::size)
    text = "std::size_t";
  else if (type == Scalar::Bool)
    text = "bool";
  else if (type == Scalar::Float32)
    text = "float";
  else if (type == Scalar::Float64)
    text = "double";
  else
    text = "std::" + std::string(nameOf(type)) + "_t";
  const auto asList = [&] { text = "ROOT::VecOps::RVec<" + text + '>'; };
  if (isOptional()) {
    if (isArray())
      asList();
    text = "std::optional<" + text + '>';
  }
  for (std::size_t i = 0; i < lists(); ++i)
    asList();
  return text;
}

ColumnList::ColumnList(const Schema& schema) {
  for (TableNumber table = 0; table < schema.size(); ++table) {
    const Table info = schema.table(table);
    for (MemberNumber member = 0; member < info.members.size(); ++member)
      if (FrameColumn column = memberColumn(schema, table, member); !mayLackLists(schema, column))
        add(std::move(column));
    if (info.isCounted() && !isText(info))
      add(sizeColumn(schema, table));
  }
}

void ColumnList::add(const ColumnList& others) {
  for (const FrameColumn& column : others.m_columns)
    add(column);
}

/// Adds a column. The first column with a name wins.
void ColumnList::add(FrameColumn column) {
  if (column.lists() > mostLists || !m_byName.emplace(column.name, m_columns.size()).second)
    return;
  m_names.push_back(column.name);
  m_columns.push_back(std::move(column));
}

const FrameColumn* ColumnList::find(std::string_view name) const {
  const auto place = m_byName.find(name);
  return place == m_byName.end() ? nullptr : &m_columns[place->second];
}

} // namespace kaon::root
