#include <kaon/writing/BatchBuilder.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <cstring>

namespace kaon::detail {
namespace {

/// Bytes of rows that are cut together, while they are in the fastest cache.
constexpr std::size_t bytesToCut = std::size_t{12} << 10;

} // namespace

TableNumber BatchBuilder::add(const TableDefinition& table) {
  const std::uint32_t number = m_schema.add(table);
  Rows& rows = m_rows.emplace_back();
  const Table info = m_schema.table(number);
  rows.rowSize = info.rowSize;
  rows.parent = info.parent;
  rows.kind = info.kind;
  if (info.isRoot()) {
    rows.offsets.assign(m_entries + 1, 0);
    rows.present.assign(m_entries, std::byte{0});
  }
  if (m_makesColumns && info.layout != Layout::row && info.members.size() > 1)
    for (const Member& member : info.members)
      rows.columns.push_back({member.offset, member.size(), {}});
  rows.takeMemory();
  if (info.kind == TableKind::value)
    fill(number, m_entries);
  if (info.kind == TableKind::decoration)
    fill(number, m_rows[info.parent].count);
  else if (!info.isRoot() && info.isCounted()) // the current entry may still add lists
    fillLists(number, m_rows[info.parent].endedRows);
  rows.endedRows = info.kind == TableKind::decoration ? m_rows[info.parent].endedRows : rows.count;
  return number;
}

/// Converts rows that are not yet columns.
void BatchBuilder::cut(Rows& rows) const {
  const std::size_t count = rows.count - rows.cut;
  m_copies.clear();
  for (Column& column : rows.columns)
    m_copies.push_back({column.values.grow(count * column.size), column.size,
                        rows.rows.data() + column.offset, rows.rowSize, column.size});
  copyTogether(m_copies, count);
  rows.rows.clear();
  rows.cut = rows.count;
}

/// Whether rows become columns. Those of a huge entry do not: columns would be a second copy.
bool BatchBuilder::areCut(const Rows& rows) const {
  return !rows.columns.empty() && (!m_isViewing || rows.cut > 0);
}

/// Adds empty lists until there is one for each row of the parent.
void BatchBuilder::fillLists(TableNumber table, std::size_t parents) {
  while (m_rows[table].offsets.size() <= parents)
    endRow(table);
}

/// Appends rows with missing values until the table has this many rows.
void BatchBuilder::fill(TableNumber table, std::size_t rows) {
  const std::size_t before = m_rows[table].count;
  if (before >= rows)
    return;
  const Table info = m_schema.table(table);
  std::byte* const begin = append(table, rows - before);
  std::memset(begin, 0, (rows - before) * info.rowSize);
  for (const Member& member : info.members) {
    if (member.missing == 0)
      continue;
    for (std::size_t row = 0; row < rows - before; ++row)
      for (std::uint32_t i = 0; i < member.extent; ++i)
        std::memcpy(begin + row * info.rowSize + member.offset + i * sizeOf(member.type),
                    &member.missing, sizeOf(member.type));
  }
}

void BatchBuilder::view(TableNumber table, const std::byte* rows, std::size_t stride,
                        std::size_t count) {
  if (count > std::numeric_limits<std::uint32_t>::max())
    failTooMany(table);
  Rows& all = m_rows[table];
  all.viewed = rows;
  all.stride = stride;
  all.count = count;
  m_hasViews = true;
}

void BatchBuilder::failTooMany(TableNumber table) const {
  fail(ErrorKind::usage, "'", m_schema.table(table).name,
       "' has more than 4294967295 rows in one batch");
}

void BatchBuilder::endRow(TableNumber table, std::uint32_t count) {
  m_rows[table].offsets.push_back(m_rows[table].offsets.back() + count);
}

void BatchBuilder::endEntry() {
  ++m_entries;
  TableNumber table = 0;
  for (Rows& rows : m_rows) {
    switch (rows.kind) {
    case TableKind::collection:
    case TableKind::parameter:
      rows.offsets.push_back(static_cast<std::uint32_t>(rows.count));
      rows.present.push_back(std::byte{rows.isPresent});
      rows.isPresent = false;
      break;
    case TableKind::value:
      fill(table, m_entries);
      break;
    case TableKind::decoration:
      fill(table, m_rows[rows.parent].count);
      break;
    case TableKind::oneRelation:
      break;
    default: // lists
      fillLists(table, m_rows[rows.parent].count);
    }
    rows.endedRows = rows.count;
    if (rows.rows.size() >= bytesToCut && areCut(rows))
      cut(rows);
    ++table;
  }
}

void BatchBuilder::dropEntry() noexcept {
  for (TableNumber table = 0; table < m_rows.size(); ++table) {
    const Table info = m_schema.table(table);
    Rows& rows = m_rows[table];
    rows.count = std::min(rows.count, rows.endedRows);
    rows.rows.shrink((rows.count - rows.cut) * info.rowSize);
    if (rows.count == 0)
      rows.viewed = nullptr;
    rows.isPresent = false;
    const std::size_t lists = info.isRoot() ? m_entries : m_rows[info.parent].endedRows;
    if (rows.offsets.size() > lists + 1)
      rows.offsets.resize(lists + 1);
  }
}

std::size_t BatchBuilder::bytes() const noexcept {
  std::size_t sum = 0;
  for (const Rows& rows : m_rows)
    sum += rows.count * rows.rowSize + rows.offsets.size() * sizeof(std::uint32_t);
  return sum;
}

Batch BatchBuilder::batch(std::uint64_t firstEntry) const {
  Batch batch(m_schema, firstEntry, m_entries);
  for (std::uint32_t number = 0; number < m_rows.size(); ++number) {
    const Table info = m_schema.table(number);
    Rows& rows = m_rows[number];
    TableView& table = batch.table(number);
    table.rows = rows.count;
    if (info.isCounted())
      table.offsets = rows.offsets;
    table.present = rows.present;
    for (std::size_t i = 0; rows.viewed && i < info.members.size(); ++i)
      table.members.push_back({rows.viewed + info.members[i].offset, rows.stride});
    if (rows.viewed)
      continue;
    if (areCut(rows)) {
      cut(rows);
      for (const Column& column : rows.columns)
        table.members.push_back({column.values.data(), column.size});
    }
    for (std::size_t i = table.members.size(); i < info.members.size(); ++i)
      table.members.push_back({rows.rows.data() + info.members[i].offset, info.rowSize});
  }
  return batch;
}

void BatchBuilder::release() {
  clear();
  for (Rows& rows : m_rows) {
    rows.rows = {};
    for (Column& column : rows.columns)
      column.values = {};
    rows.takeMemory();
    rows.offsets.shrink_to_fit();
    rows.present.shrink_to_fit();
  }
}

void BatchBuilder::clear() {
  m_entries = 0;
  m_hasViews = false;
  for (Rows& rows : m_rows) {
    rows.rows.clear();
    rows.viewed = nullptr;
    for (Column& column : rows.columns)
      column.values.clear();
    rows.cut = 0;
    rows.count = 0;
    rows.endedRows = 0;
    rows.offsets.assign(1, 0);
    rows.present.clear();
    rows.isPresent = false;
  }
}

} // namespace kaon::detail
