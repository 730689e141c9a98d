#include <kaon/dataset/SnapshotPlan.h>

#include <kaon/base/Error.h>
#include <kaon/base/Joined.h>
#include <kaon/base/Wording.h>
#include <kaon/detail/dataset/EntryFunction.h>
#include <kaon/detail/reading/ColumnLocator.h>
#include <kaon/model/Datatype.h>
#include <kaon/model/Structure.h>
#include <kaon/model/Texts.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace kaon {
namespace {

std::size_t partsIn(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::count(name, '.')) + 1;
}

/// Returns a dotted name without its first `parts` parts.
std::string_view withoutParts(std::string_view text, std::size_t parts) {
  for (; parts > 0; --parts) {
    const std::size_t dot = text.find('.');
    text.remove_prefix(dot == std::string_view::npos ? text.size() : dot + 1);
  }
  return text;
}

/// Returns the definition of a column's member; `path` is the end of the column's name that names
/// the member.
MemberDefinition memberDefinition(const SnapshotColumn& column, std::string_view path) {
  return {.name = std::string(path) + column.part,
          .type = column.type.scalar,
          .extent = column.extent,
          .unit = column.unit,
          .description = column.description,
          .structure = column.structure.empty()
                           ? std::string()
                           : std::string(withoutParts(column.structure,
                                                      partsIn(column.name) - partsIn(path)))};
}

/// Adds a member behind the other members of a table's rows.
void append(TableDefinition& table, MemberDefinition member) {
  const std::uint32_t size = sizeOf(member.type);
  member.offset = (table.rowSize + size - 1) / size * size;
  table.rowSize = member.offset + member.size();
  table.members.push_back(std::move(member));
}

/// Returns the root tables of a schema that `kept` does not have.
std::vector<std::uint32_t> rootsOtherThan(const Schema& kept, const Schema& schema) {
  std::vector<std::uint32_t> roots;
  for (TableNumber number = 0; number < schema.size(); ++number)
    if (const Table table = schema.table(number);
        table.isRoot() && kept.find(table.name) == Table::none)
      roots.push_back(number);
  return roots;
}

/// Checks that each list has as many values as the array of the first file.
void checkArrays(std::span<const std::uint32_t> offsets, std::uint32_t extent) {
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    if (offsets[i + 1] - offsets[i] != extent)
      fail(ErrorKind::type, "an array of ", std::to_string(offsets[i + 1] - offsets[i]),
           " values, but arrays of ", std::to_string(extent), " in the first file");
}

} // namespace

SnapshotColumn storedColumn(const Schema& schema, TableMember place, detail::ColumnType type) {
  const Table table = schema.table(place.table);
  const Member member = table.members[place.member];
  const bool isLate = table.kind == TableKind::decoration;
  const Table objects = isLate ? schema.table(table.parent) : table;
  const std::string path = isLate ? dotted(table.name.substr(objects.name.size() + 1), member.name)
                                  : std::string(member.name);
  std::string name(objects.name.substr(0, objects.name.find_last_not_of('.') + 1));
  name += path.empty() || path.front() == '.' ? path : "." + path;
  SnapshotColumn column = {.name = {},
                           .type = type,
                           .unit = std::string(member.unit),
                           .description = std::string(member.description),
                           .extent = member.extent,
                           .isArray = isArray(schema, place.table, place.member)};
  if (column.isArray)
    --column.type.depth;
  if (!member.structure.empty())
    column.structure = std::string(partsIn(name) - partsIn(path), '.').append(member.structure);
  // The name ends with the outermost optional.
  std::size_t end = name.size();
  if (const std::size_t step = column.structure.find(optionalStep); step != std::string::npos)
    end = name.size() -
          withoutParts(name, partsIn(std::string_view(column.structure).substr(0, step))).size() -
          1;
  column.part = name.substr(end);
  name.resize(end);
  column.name = std::move(name);
  return column;
}

std::vector<SnapshotColumn> optionalColumns(SnapshotColumn values, detail::ColumnType presence) {
  values.structure = std::string(partsIn(values.name) - 1, '.').append(optionalStep);
  SnapshotColumn present = {.name = values.name,
                            .type = presence,
                            .part = "." + std::string(optionalPresence),
                            .structure = values.structure};
  values.part = "." + std::string(optionalValue);
  return {std::move(values), std::move(present)};
}

SnapshotPlan::SnapshotPlan(const Schema& schema, std::span<const std::uint32_t> tables) {
  std::vector<std::uint32_t> leftOut;
  for (TableNumber number = 0; number < schema.size(); ++number)
    if (schema.table(number).isRoot() && std::ranges::find(tables, number) == tables.end())
      leftOut.push_back(number);
  (void)m_copies.add(schema, leftOut);
  m_schema = m_copies.schema();
}

void SnapshotPlan::add(const std::vector<SnapshotColumn>& columns) {
  addRows(columns);
  m_columns.resize(columns.size());
  std::map<std::string_view, std::vector<const SnapshotColumn*>> groups;
  for (const SnapshotColumn& column : columns)
    groups[column.name].push_back(&column);
  for (const auto& [name, group] : groups) {
    std::vector<Column> places = placesOf(group);
    for (std::size_t i = 0; i < group.size(); ++i) {
      places[i].extent = group[i]->extent;
      places[i].isArray = group[i]->isArray;
      m_columns[static_cast<std::size_t>(group[i] - columns.data())] = std::move(places[i]);
    }
  }
}

/// Adds tables for lists whose names share the part before the dot: their rows have several
/// members.
void SnapshotPlan::addRows(const std::vector<SnapshotColumn>& columns) {
  std::map<std::string, TableDefinition> tables;
  std::set<std::string_view> objects; // objects that are entries: their lists are separate
  for (const SnapshotColumn& column : columns)
    if (column.type.lists() == 0)
      objects.insert(std::string_view(column.name).substr(0, column.name.find('.')));
  for (const SnapshotColumn& column : columns) {
    const std::size_t dot = column.name.find('.');
    if (dot == std::string::npos || column.type.lists() == 0 ||
        objects.contains(std::string_view(column.name).substr(0, dot)) ||
        ownerOf(column.name) != Table::none)
      continue;
    TableDefinition& table = tables[column.name.substr(0, dot)];
    if (column.type.depth > 1)
      continue; // Lists under the rows have tables of their own.
    append(table, memberDefinition(column, std::string_view(column.name).substr(dot + 1)));
  }
  for (auto& [name, table] : tables) {
    table.name = name;
    if (!table.members.empty())
      table.type = name;
    (void)m_schema.add(table);
  }
}

/// Returns the table of the longest prefix of a column's name before a dot.
TableNumber SnapshotPlan::ownerOf(std::string_view name) const {
  for (std::size_t dot = name.rfind('.'); dot != std::string_view::npos && dot > 0;
       dot = name.rfind('.', dot - 1))
    if (const TableNumber table = m_schema.find(name.substr(0, dot)); table != Table::none)
      return table;
  return Table::none;
}

/// Returns the existing member of a column's name, in a table of its own or in the table of its
/// owner.
std::optional<TableMember> SnapshotPlan::memberOf(const SnapshotColumn& column,
                                                  std::uint32_t owner) const {
  const auto find = [this](TableNumber table, std::string_view name) -> std::optional<TableMember> {
    if (table == Table::none)
      return std::nullopt;
    const auto members = m_schema.table(table).members;
    const MemberNumber member = members.find(name);
    return member < members.size() ? std::optional(TableMember{table, member}) : std::nullopt;
  };
  const std::string whole = column.name + column.part;
  if (const auto own = find(m_schema.contentsOf(m_schema.find(column.name)), column.part))
    return own;
  if (const auto late = find(m_schema.contentsOf(m_schema.find(whole)), ""))
    return late;
  return owner == Table::none
             ? std::nullopt
             : find(owner, std::string_view(whole).substr(m_schema.table(owner).name.size() + 1));
}

/// Returns the place of a column that replaces a member.
SnapshotPlan::Column SnapshotPlan::replaced(const SnapshotColumn& column, TableMember place,
                                            std::uint32_t owner) const {
  const detail::ColumnLocator had =
      detail::columnPlace(m_schema, nameOfColumn(m_schema, place.table, place.member));
  detail::ColumnType type = column.type;
  type.depth += column.isArray ? 1 : 0;
  if (!(had.type == type))
    fail(ErrorKind::type, "'", column.name, "' is ", withArticle(nameOf(type)), ", but ",
         withArticle(nameOf(had.type)), " in the copied tables; give it another name");
  if (had.isArray != column.isArray || had.extent != column.extent)
    fail(ErrorKind::type, "'", column.name, "' has lists of ",
         column.isArray ? std::to_string(column.extent) : "any number of",
         " values, but arrays of ", had.isArray ? std::to_string(had.extent) : "any number of",
         " in the copied tables; give it another name");
  const std::size_t shared = owner == Table::none ? 0 : detail::listsAbove(m_schema, owner).size();
  return {had.lists, place.table, place.member, shared};
}

/// Returns the places of columns of one name: existing members, or tables that are added.
std::vector<SnapshotPlan::Column> SnapshotPlan::placesOf(Group group) {
  const SnapshotColumn& first = *group.front();
  const std::uint32_t owner = ownerOf(first.name);
  std::vector<Column> places;
  for (const SnapshotColumn* column : group)
    if (const std::optional<TableMember> place = memberOf(*column, owner))
      places.push_back(replaced(*column, *place, owner));
  if (places.size() == group.size())
    return places;
  if (!places.empty() || copies().contains(first.name))
    fail(ErrorKind::type, "'", first.name, "' is ", first.part.empty() ? "never" : "sometimes",
         " missing, or of another shape than in the copied tables; give it another name");
  if (owner == Table::none || first.type.isText ||
      detail::listsAbove(m_schema, owner).size() != first.type.depth)
    return addLists(group, owner);
  return m_schema.table(owner).kind == TableKind::collection ? addDecorations(group, owner)
                                                             : addMembers(group, owner);
}

/// Adds members to the records of a parameter or value, which cannot have decorations.
std::vector<SnapshotPlan::Column> SnapshotPlan::addMembers(Group group, std::uint32_t owner) {
  TableDefinition record = m_schema.table(owner).definition();
  if (!m_schema.table(owner).isRoot() ||
      (record.members.size() == 1 && record.members[0].name.empty()))
    fail(ErrorKind::type, "'", group.front()->name, "' cannot be a member of '", record.name,
         "', which has no members with names; give it a name without a dot");
  record.type = record.name; // With further members, it is no longer the component's type.
  std::vector<Column> places;
  for (const SnapshotColumn* column : group) {
    places.push_back({detail::listsAbove(m_schema, owner), owner,
                      static_cast<std::uint32_t>(record.members.size())});
    append(record, memberDefinition(*column,
                                    std::string_view(column->name).substr(record.name.size() + 1)));
  }
  Schema schema;
  for (TableNumber table = 0; table < m_schema.size(); ++table)
    (void)schema.add(table == owner ? record : m_schema.table(table).definition());
  m_schema = std::move(schema);
  return places;
}

/// Adds members to the objects of a collection, each as a decoration.
std::vector<SnapshotPlan::Column> SnapshotPlan::addDecorations(Group group, std::uint32_t owner) {
  std::vector<Column> places;
  for (const SnapshotColumn* column : group) {
    const std::string_view path =
        std::string_view(column->name).substr(m_schema.table(owner).name.size() + 1);
    MemberDefinition member = memberDefinition(*column, path);
    member.name.clear(); // The table has the name.
    const std::uint32_t size = member.size();
    places.push_back({.lists = detail::listsAbove(m_schema, owner),
                      .table = m_schema.add({.name = column->name + column->part,
                                             .kind = TableKind::decoration,
                                             .type = std::string(nameOf(member.type)),
                                             .parent = owner,
                                             .rowSize = size,
                                             .members = {std::move(member)}})});
  }
  return places;
}

/// Adds the innermost lists of texts. `table` becomes the table of their characters.
void SnapshotPlan::addStrings(TableDefinition& table, Column& column) {
  if (table.parent == Table::none)
    table.kind = TableKind::parameter;
  table.type = VectorMember::string;
  table.parent = m_schema.add(table);
  column.lists.push_back(table.parent);
  table.name += ".text";
  table.kind = TableKind::text;
}

/// Adds tables for columns of their own: one for each level of lists that the owner does not have.
std::vector<SnapshotPlan::Column> SnapshotPlan::addLists(Group group, std::uint32_t owner) {
  const std::string& name = group.front()->name;
  const detail::ColumnType type = group.front()->type;
  Column added;
  if (owner != Table::none)
    added.lists = detail::listsAbove(m_schema, owner);
  if (added.lists.size() > type.depth)
    fail(ErrorKind::type, "'", name, "' is ", withArticle(nameOf(type)),
         ", so it cannot be a member of '", m_schema.table(owner).name,
         "'; give it a name without a dot");
  TableDefinition table{.name = name, .parent = owner};
  if (type.lists() == 0 && type.isText && owner == Table::none) { // one text per entry
    table.kind = TableKind::value;
    table.parent = m_schema.add(table);
    table.name += '.';
  }
  const auto addValues = [&] {
    const bool isOptional = !group.front()->part.empty();
    table.type = isOptional ? name
                 : type.isText && table.kind == TableKind::vectorMember
                     ? std::string(VectorMember::string)
                     : std::string(nameOf(type.scalar));
    for (const SnapshotColumn* column : group)
      append(table, memberDefinition(*column, ""));
    added.table = m_schema.add(table);
    if (table.kind != TableKind::value)
      added.lists.push_back(added.table);
    std::vector<Column> places(group.size(), added);
    for (MemberNumber member = 0; member < group.size(); ++member)
      places[member].member = member;
    return places;
  };
  if (added.lists.size() == type.depth) {
    table.kind = TableKind::value;
    return addValues();
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
  return addValues();
}

std::vector<std::uint32_t> SnapshotPlan::numbersOf(const Schema& schema) const {
  SchemaUnion all = m_copies;
  std::vector<std::uint32_t> numbers = all.add(schema, rootsOtherThan(copies(), schema));
  for (std::uint32_t& number : numbers)
    if (number != Table::none && number >= copies().size())
      number = Table::none; // The first file lacks this table.
  return numbers;
}

Batch SnapshotPlan::join(const Batch& copies,
                         std::span<const detail::ArgumentValues> columns) const {
  Batch batch(m_schema, copies.firstEntry(), copies.entries());
  for (TableNumber table = 0; table < copies.schema().size(); ++table)
    batch.table(table) = copies.table(table);
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    const auto& [lists, table, member, shared, extent, isArray] = m_columns[i];
    const detail::ColumnValues& values = columns[i].column;
    if (isArray)
      checkArrays(values.offsets[lists.size()], extent);
    for (std::size_t level = 0; level < lists.size(); ++level) {
      TableView& view = batch.table(lists[level]);
      const TableNumber parent = m_schema.table(lists[level]).parent;
      if (parent != Table::none && m_schema.table(parent).kind == TableKind::value)
        batch.table(parent).rows = batch.entries();
      if (view.offsets.empty() || level >= shared) {
        view.offsets = values.offsets[level];
        view.rows = view.offsets.back();
      } else {
        detail::ColumnValues there;
        there.offsets[0] = view.offsets;
        detail::ColumnValues column;
        column.offsets[0] = values.offsets[level];
        detail::checkSameLists(there, column);
      }
    }
    TableView& view = batch.table(table);
    view.rows = values.size / extent;
    view.members.resize(m_schema.table(table).members.size());
    view.members[member] = {values.values ? values.values : &detail::noValues,
                            m_schema.table(table).members[member].size()};
  }
  return batch;
}

} // namespace kaon
