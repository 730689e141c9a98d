#include <kaon/dataset/SnapshotPlan.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/batch/ColumnPlace.h>
#include <kaon/dataset/EntryFunction.h>
#include <kaon/model/Datatype.h>

#include <algorithm>
#include <map>
#include <utility>

namespace kaon {
namespace {

MemberDefinition memberOf(const SnapshotColumn& column, std::string name) {
  return {.name = std::move(name),
          .type = column.type.scalar,
          .unit = column.unit,
          .description = column.description};
}

/// Adds a member behind the others in a table's rows.
void append(TableDefinition& table, MemberDefinition member) {
  const std::uint32_t size = member.size();
  member.offset = (table.rowSize + size - 1) / size * size;
  table.rowSize = member.offset + size;
  table.members.push_back(std::move(member));
}

/// The root tables of a schema that are not among those of another one.
std::vector<std::uint32_t> rootsOtherThan(const Schema& kept, const Schema& schema) {
  std::vector<std::uint32_t> roots;
  for (std::uint32_t number = 0; number < schema.size(); ++number)
    if (const Table table = schema.table(number);
        table.isRoot() && kept.find(table.name) == Table::none)
      roots.push_back(number);
  return roots;
}

} // namespace

SnapshotPlan::SnapshotPlan(const Schema& schema, std::span<const std::uint32_t> tables) {
  std::vector<std::uint32_t> leftOut;
  for (std::uint32_t number = 0; number < schema.size(); ++number)
    if (schema.table(number).isRoot() && std::ranges::find(tables, number) == tables.end())
      leftOut.push_back(number);
  (void)m_copies.add(schema, leftOut);
  m_schema = m_copies.schema();
}

void SnapshotPlan::add(const std::vector<SnapshotColumn>& columns) {
  addRows(columns);
  for (const SnapshotColumn& column : columns)
    m_columns.push_back(placeOf(column));
}

/// Tables for lists whose names have a part in common before their dot: rows with several members.
void SnapshotPlan::addRows(const std::vector<SnapshotColumn>& columns) {
  std::map<std::string, TableDefinition> tables;
  for (const SnapshotColumn& column : columns) {
    const std::size_t dot = column.name.find('.');
    if (dot == std::string::npos || column.type.lists() == 0 || ownerOf(column.name) != Table::none)
      continue;
    TableDefinition& table = tables[column.name.substr(0, dot)];
    if (column.type.depth > 1)
      continue; // lists under the rows
    append(table, memberOf(column, column.name.substr(dot + 1)));
  }
  for (auto& [name, table] : tables) {
    table.name = name;
    if (!table.members.empty())
      table.type = name;
    (void)m_schema.add(table);
  }
}

/// The table under which a column lies, by its name: the longest one before a dot.
std::uint32_t SnapshotPlan::ownerOf(std::string_view name) const {
  for (std::size_t dot = name.rfind('.'); dot != std::string_view::npos && dot > 0;
       dot = name.rfind('.', dot - 1))
    if (const std::uint32_t table = m_schema.find(name.substr(0, dot)); table != Table::none)
      return table;
  return Table::none;
}

/// The member of this name, of the table under which a column lies, or by itself.
std::pair<std::uint32_t, std::uint32_t> SnapshotPlan::memberCalled(std::string_view name,
                                                                   std::uint32_t owner) const {
  const auto find = [this](std::uint32_t table, std::string_view tail) {
    const auto members = m_schema.table(table).members;
    const std::uint32_t member = members.find(tail);
    return std::pair(member < members.size() ? table : Table::none, member);
  };
  if (const std::uint32_t own = m_schema.contentsOf(m_schema.find(name)); own != Table::none)
    return find(own, "");
  if (owner != Table::none)
    return find(owner, name.substr(m_schema.table(owner).name.size() + 1));
  return {Table::none, 0};
}

/// Where a column goes: to a member that there is, or to tables that are added.
SnapshotPlan::Column SnapshotPlan::placeOf(const SnapshotColumn& column) {
  const std::uint32_t owner = ownerOf(column.name);
  if (const auto [table, member] = memberCalled(column.name, owner); table != Table::none) {
    const ColumnPlace had = columnPlace(m_schema, column.name);
    if (!(had.type == column.type) || had.isArray)
      fail(ErrorKind::type, "'", column.name, "' is ", withArticle(nameOf(column.type)),
           ", and in what is copied ", withArticle(nameOf(had.type)), "; give it another name");
    const std::size_t shared = owner == Table::none ? 0 : listsAbove(m_schema, owner).size();
    return {had.lists, table, member, shared};
  }
  if (owner != Table::none && m_schema.table(owner).kind != TableKind::collection &&
      !column.type.isText && listsAbove(m_schema, owner).size() == column.type.depth)
    return addMember(column, owner);
  return addLists(column, owner);
}

/// Adds a member to the records of a parameter or value, which know no decorations.
SnapshotPlan::Column SnapshotPlan::addMember(const SnapshotColumn& column, std::uint32_t owner) {
  TableDefinition record = m_schema.table(owner).definition();
  if (!m_schema.table(owner).isRoot() ||
      (record.members.size() == 1 && record.members[0].name.empty()))
    fail(ErrorKind::type, "'", column.name, "' cannot be a member of '", record.name,
         "', which has no members with names; give it a name without a dot");
  append(record, memberOf(column, column.name.substr(record.name.size() + 1)));
  record.type = record.name; // not the component any more that it may have been
  const auto place = static_cast<std::uint32_t>(record.members.size()) - 1;
  Schema schema;
  for (std::uint32_t table = 0; table < m_schema.size(); ++table)
    (void)schema.add(table == owner ? record : m_schema.table(table).definition());
  m_schema = std::move(schema);
  return {listsAbove(m_schema, owner), owner, place};
}

/// Adds the innermost lists of texts; what is left of `table` is that of their characters.
void SnapshotPlan::addStrings(TableDefinition& table, Column& column) {
  if (table.parent == Table::none)
    table.kind = TableKind::parameter;
  table.type = VectorMember::string;
  table.parent = m_schema.add(table);
  column.lists.push_back(table.parent);
  table.name += ".text";
  table.kind = TableKind::text;
}

/// Adds a column's own tables: one for each of its lists that its owner does not lie in.
SnapshotPlan::Column SnapshotPlan::addLists(const SnapshotColumn& column, std::uint32_t owner) {
  const ColumnType type = column.type;
  Column added;
  if (owner != Table::none)
    added.lists = listsAbove(m_schema, owner);
  if (added.lists.size() > type.depth)
    fail(ErrorKind::type, "'", column.name, "' is ", withArticle(nameOf(type)), ", and so not of '",
         m_schema.table(owner).name, "'; give it a name without a dot");
  TableDefinition table{.name = column.name, .parent = owner};
  if (type.lists() == 0 && type.isText && owner == Table::none) { // one an entry
    table.kind = TableKind::value;
    table.parent = m_schema.add(table);
    table.name += '.';
  }
  const auto addValues = [&] {
    table.type = type.isText && table.kind == TableKind::vectorMember
                     ? std::string(VectorMember::string)
                     : std::string(nameOf(type.scalar));
    table.rowSize = sizeOf(type.scalar);
    table.members = {memberOf(column, "")};
    added.table = m_schema.add(table);
  };
  if (added.lists.size() == type.depth) {
    table.kind = owner == Table::none ? TableKind::value : TableKind::decoration;
    addValues();
    return added;
  }
  for (;; table.name += '.') {
    table.kind = table.parent == Table::none ? TableKind::collection : TableKind::vectorMember;
    if (added.lists.size() + 1 == type.depth)
      break;
    if (type.isText && added.lists.size() + 2 == type.depth) {
      addStrings(table, added);
      break;
    }
    table.parent = m_schema.add(table);
    added.lists.push_back(table.parent);
  }
  addValues();
  added.lists.push_back(added.table);
  return added;
}

std::vector<std::uint32_t> SnapshotPlan::numbersOf(const Schema& schema) const {
  SchemaUnion all = m_copies;
  std::vector<std::uint32_t> numbers = all.add(schema, rootsOtherThan(copies(), schema));
  for (std::uint32_t& number : numbers)
    if (number != Table::none && number >= copies().size())
      number = Table::none; // the first file does not have it
  return numbers;
}

Batch SnapshotPlan::join(const Batch& copies, std::span<const ArgumentValues> columns) const {
  Batch batch(m_schema, copies.firstEntry(), copies.entries());
  for (std::uint32_t table = 0; table < copies.schema().size(); ++table)
    batch.table(table) = copies.table(table);
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    const auto& [lists, table, member, shared] = m_columns[i];
    const ColumnValues& values = columns[i].column;
    for (std::size_t level = 0; level < lists.size(); ++level) {
      TableView& view = batch.table(lists[level]);
      const std::uint32_t parent = m_schema.table(lists[level]).parent;
      if (parent != Table::none && m_schema.table(parent).kind == TableKind::value)
        batch.table(parent).rows = batch.entries();
      if (view.offsets.empty() || level >= shared) {
        view.offsets = values.offsets[level];
        view.rows = view.offsets.back();
      } else {
        ColumnValues there;
        there.offsets[0] = view.offsets;
        ColumnValues column;
        column.offsets[0] = values.offsets[level];
        detail::checkSameLists(there, column);
      }
    }
    TableView& view = batch.table(table);
    view.rows = values.size;
    view.members.resize(m_schema.table(table).members.size());
    view.members[member] = {values.values ? values.values : &noValues,
                            sizeOf(m_schema.table(table).members[member].type)};
  }
  return batch;
}

} // namespace kaon
