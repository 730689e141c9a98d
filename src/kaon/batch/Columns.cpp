#include <kaon/batch/Columns.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/model/CollectionTables.h>

#include <algorithm>

namespace kaon {

void Columns::add(std::string_view name, ValuesView values, std::string_view unit,
                  std::string_view description) {
  const TableNumber table = addTable({.name = std::string(name),
                                      .kind = TableKind::value,
                                      .type = std::string(nameOf(values.type())),
                                      .rowSize = sizeOf(values.type()),
                                      .members = {{.name = "",
                                                   .type = values.type(),
                                                   .unit = std::string(unit),
                                                   .description = std::string(description)}}});
  view(table, {});
  m_views[table].members.push_back(column(table, 0, values));
}

void Columns::add(std::string_view name, std::span<const std::uint32_t> offsets,
                  const std::vector<MemberValues>& members) {
  TableDefinition table{.name = std::string(name)};
  if (const std::size_t dot = name.rfind('.'); dot != std::string_view::npos)
    if (const TableNumber parent = m_schema->find(name.substr(0, dot)); parent != Table::none) {
      table.kind = TableKind::vectorMember;
      table.parent = parent;
    }
  for (const MemberValues& member : members) {
    const std::uint32_t size = sizeOf(member.values.type());
    table.rowSize = (table.rowSize + size - 1) / size * size;
    table.members.push_back({.name = member.name,
                             .type = member.values.type(),
                             .offset = table.rowSize,
                             .unit = member.unit,
                             .description = member.description});
    table.rowSize += size;
  }
  const bool isBare = members.size() == 1 && members.front().name.empty();
  if (!members.empty()) // lists of lists have no type
    table.type = isBare ? nameOf(members.front().values.type()) : name;
  const std::uint32_t number = addTable(table);
  view(number, offsets);
  for (MemberNumber member = 0; member < members.size(); ++member)
    m_views[number].members.push_back(column(number, member, members[member].values));
}

void Columns::declare(const Datatype& datatype, std::string_view name) {
  std::vector<TableDefinition> tables =
      tablesOf(datatype, name, m_schema->size(), datatype.storage.layout.value_or(Layout::split));
  for (const TableDefinition& table : tables) {
    const std::uint32_t number = m_schema->add(table);
    m_views.emplace_back();
    m_isFilled.push_back(false);
    m_views[number].members.resize(table.members.size());
  }
}

void Columns::fill(std::string_view name, std::span<const std::uint32_t> offsets,
                   const std::vector<MemberValues>& members) {
  const TableNumber number = m_schema->tableNamed(name);
  const Table table = m_schema->table(number);
  view(number, offsets);
  for (const MemberValues& member : members) {
    const std::uint32_t place = table.members.find(member.name);
    if (place == table.members.size()) {
      std::vector<std::string> known;
      for (const Member& each : table.members)
        known.emplace_back(each.name);
      fail(ErrorKind::name, "'", name, "' has no member '", member.name, "'",
           suggestion(member.name, known));
    }
    m_views[number].members[place] = column(number, place, member.values);
  }
  for (MemberNumber place = 0; place < table.members.size(); ++place)
    if (!m_views[number].members[place].base)
      fail(ErrorKind::usage, "'", m_schema->nameOfMember(number, place), "' was given no values");
}

Batch Columns::batch() const {
  Batch batch(*m_schema, 0, m_entries);
  for (std::uint32_t number = 0; number < m_views.size(); ++number) {
    if (!m_isFilled[number])
      fail(ErrorKind::usage, "'", m_schema->table(number).name, "' was declared, but not filled");
    batch.table(number) = m_views[number];
  }
  return batch;
}

std::size_t Columns::rowsAbove(const Table& table) const {
  return table.isRoot() ? m_entries : m_views[table.parent].rows;
}

TableNumber Columns::addTable(const TableDefinition& table) {
  if (m_schema->find(table.name) != Table::none)
    fail(ErrorKind::usage, "there is a '", table.name, "' already");
  const std::uint32_t number = m_schema->add(table);
  m_views.emplace_back();
  m_isFilled.push_back(false);
  return number;
}

/// Sets the rows and offsets of a table.
void Columns::view(TableNumber number, std::span<const std::uint32_t> offsets) {
  const Table table = m_schema->table(number);
  TableView& rows = m_views[number];
  const std::size_t above = rowsAbove(table);
  if (!table.isRoot() && !m_isFilled[table.parent])
    fail(ErrorKind::usage, "'", m_schema->table(table.parent).name, "' must be filled before '",
         table.name, "', which lies under it");
  if (!table.isCounted()) {
    if (!offsets.empty())
      fail(ErrorKind::usage, "'", table.name,
           "' has one row for each entry or parent row, and therefore no offsets");
    rows.rows = above;
  } else {
    if (offsets.size() != above + 1 || offsets.front() != 0 || !std::ranges::is_sorted(offsets))
      fail(ErrorKind::usage, "'", table.name, "' needs ", above + 1,
           " offsets that begin with 0 and never decrease");
    rows.offsets = offsets;
    rows.rows = offsets.back();
  }
  m_isFilled[number] = true;
}

ColumnView Columns::column(TableNumber table, MemberNumber member, const ValuesView& values) const {
  const Member info = m_schema->table(table).members[member];
  if (values.type() != info.type)
    fail(ErrorKind::type, "'", m_schema->nameOfMember(table, member), "' holds ", nameOf(info.type),
         " values, not ", nameOf(values.type()));
  const std::size_t wanted = m_views[table].rows * info.extent;
  if (values.size() != wanted)
    fail(ErrorKind::usage, "'", m_schema->nameOfMember(table, member), "' needs ", wanted,
         " values, but was given ", values.size());
  return {values.data() ? values.data() : &detail::noValues, info.size()};
}

} // namespace kaon
