#include <kaon/reading/Batches.h>

#include <kaon/base/SortUnique.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/reading/NamedMembers.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace kaon {

Batches::Batches(const Source& source, const std::vector<std::string>& names,
                 const EntrySelection& entries, std::shared_ptr<const File> file)
    : Batches(source, named(source, names), entries, std::move(file)) {}

Batches Batches::ofAll(const Source& source, const EntrySelection& entries,
                       std::shared_ptr<const File> file) {
  return {source, all(source.schema()), entries, std::move(file)};
}

Batches::Batches(const Source& source, std::vector<std::uint32_t> tables,
                 std::vector<TableMember> members, const EntrySelection& entries,
                 std::shared_ptr<const File> file)
    : m_file(std::move(file)), m_window(source), m_entries(entries.within({0, source.entries()})),
      m_batch(source.schema(), m_entries.hull().first, 0) {
  const Schema& schema = source.schema();
  sortUnique(members);
  for (const auto& [table, member] : members)
    if (tables.empty() || tables.back() != table)
      tables.push_back(table);
  for (std::size_t i = 0; i < tables.size(); ++i) // adds the tables above, too
    if (const TableNumber parent = schema.table(tables[i]).parent; parent != Table::none)
      tables.push_back(parent);
  sortUnique(tables);
  m_selected.reserve(tables.size());
  auto member = members.begin();
  for (const TableNumber table : tables) {
    Selected& selected = m_selected.emplace_back(Selected{table, {}});
    for (; member != members.end() && member->table == table; ++member) {
      selected.members.push_back(member->member);
      selected.gathered.emplace_back();
    }
    m_batch.table(table).members.resize(schema.table(table).members.size());
  }
  listColumns();
}

Batches::Wanted Batches::named(const Source& source, const std::vector<std::string>& names) {
  const Schema& schema = source.schema();
  Wanted wanted;
  for (const std::string& name : names) {
    if (const TableNumber table = schema.find(name); table != Table::none)
      wanted.tables.push_back(table);
    std::ranges::copy(detail::valuesBelow(source, name), std::back_inserter(wanted.members));
  }
  return wanted;
}

Batches::Wanted Batches::all(const Schema& schema) {
  Wanted wanted;
  for (TableNumber table = 0; table < schema.size(); ++table) {
    wanted.tables.push_back(table);
    for (MemberNumber member = 0; member < schema.table(table).members.size(); ++member)
      wanted.members.emplace_back(table, member);
  }
  return wanted;
}

void Batches::listColumns() {
  const Schema& schema = m_window.source().schema();
  for (const Selected& selected : m_selected) {
    const Table info = schema.table(selected.table);
    if (info.canBeAbsent())
      m_columns.push_back(schema.presenceColumn(selected.table));
    if (info.isCounted())
      m_columns.push_back(schema.countsColumn(selected.table));
    for (const MemberNumber member : selected.members)
      m_columns.push_back(schema.place(selected.table, member).column);
  }
  sortUnique(m_columns); // members of a row share its column
}

bool Batches::next() {
  if (!advance())
    return false;
  for (Selected& selected : m_selected) {
    viewRows(selected);
    viewMembers(selected, selected.members);
  }
  return true;
}

/// Returns the next run of selected entries before `last`; empty if there are no more.
EntryRange Batches::nextRun(std::uint64_t last) {
  const auto runs = m_entries.runs();
  while (m_nextRun < runs.size() && runs[m_nextRun].last <= m_next)
    ++m_nextRun;
  if (m_nextRun == runs.size() || runs[m_nextRun].first >= last)
    return {last, last};
  return {std::max(runs[m_nextRun].first, m_next), std::min(runs[m_nextRun].last, last)};
}

bool Batches::advance() {
  if (!m_window.isValid())
    fail(ErrorKind::usage, "these batches were moved away");
  // Copying a few entries costs less than a batch of their own.
  constexpr std::uint64_t longRun = 64;
  EntryRange run = nextRun(m_entries.hull().last);
  if (run.size() == 0)
    return false;
  if (!std::exchange(m_isFetching, true))
    m_window.fetch(m_columns, m_entries);
  std::uint64_t last = m_entries.hull().last;
  const Schema& schema = m_window.source().schema();
  for (Selected& selected : m_selected) {
    selected.hasRows = false;
    if (schema.table(selected.table).isRoot())
      last = std::min(last, m_window.pages(selected.table, run.first).lastEntry);
  }
  run.last = std::min(run.last, last);
  m_runs.clear();
  do {
    m_runs.push_back(run);
    m_next = run.last;
    if (run.size() >= longRun)
      break;
    run = nextRun(last);
  } while (run.size() > 0 && run.size() < longRun);
  m_batch.setRuns(m_runs);
  if (m_file)
    m_batch.setOrigin(m_file);
  return true;
}

void Batches::loadRows(TableNumber table) {
  const TableNumber parent = m_window.source().schema().table(table).parent;
  Selected& wanted = selected(table);
  if (wanted.hasRows)
    return;
  if (parent != Table::none)
    loadRows(parent);
  viewRows(wanted);
}

void Batches::loadMember(TableNumber table, MemberNumber member) {
  loadRows(table);
  viewMembers(selected(table), std::span(&member, 1));
}

Batches::Selected& Batches::selected(TableNumber table) {
  const auto place = std::ranges::lower_bound(m_selected, table, {}, &Selected::table);
  if (place == m_selected.end() || place->table != table)
    fail(ErrorKind::usage, "no column of '", m_window.source().schema().table(table).name,
         "' was asked for");
  return *place;
}

/// Returns the rows above those of a table, counted in their page: the parent's, or the entries.
std::span<const detail::RowRange> Batches::rowsAbove(TableNumber table) {
  const Table info = m_window.source().schema().table(table);
  if (!info.isRoot())
    return selected(info.parent).rows;
  const std::uint64_t begin = m_window.pages(table, m_batch.firstEntry()).firstEntry;
  m_entryRows.clear();
  for (const EntryRange& run : m_runs)
    m_entryRows.push_back(
        {static_cast<std::size_t>(run.first - begin), static_cast<std::size_t>(run.last - begin)});
  return m_entryRows;
}

/// Finds the rows of a table. The rows of its parent are known.
void Batches::viewRows(Selected& selected) {
  const Table info = m_window.source().schema().table(selected.table);
  TableView& table = m_batch.table(selected.table);
  const auto above = rowsAbove(selected.table);
  selected.rows.assign(above.begin(), above.end());
  if (info.canBeAbsent())
    viewPresence(selected, above);
  if (info.isCounted()) {
    const auto begins = m_window.offsets(selected.table, m_batch.firstEntry());
    for (detail::RowRange& rows : selected.rows)
      rows = {begins[rows.first], begins[rows.last]};
    viewOffsets(selected, above);
  }
  table.rows = 0;
  for (const detail::RowRange& rows : selected.rows)
    table.rows += rows.size();
  selected.hasRows = true;
}

void Batches::viewPresence(Selected& selected, std::span<const detail::RowRange> entries) {
  TableView& table = m_batch.table(selected.table);
  const ColumnNumber column = m_window.source().schema().presenceColumn(selected.table);
  const std::byte* const inPage = m_window.page(column, m_batch.firstEntry()).data;
  if (entries.size() == 1) {
    table.present = {inPage + entries.front().first, m_batch.entries()};
    return;
  }
  selected.present.clear();
  for (const detail::RowRange& run : entries)
    selected.present.append({inPage + run.first, run.size()});
  table.present = selected.present.bytes();
}

/// Sets the offsets of rows under these rows, counted from the batch's first row.
void Batches::viewOffsets(Selected& selected, std::span<const detail::RowRange> above) {
  TableView& table = m_batch.table(selected.table);
  const auto inPage = m_window.offsets(selected.table, m_batch.firstEntry());
  if (above.size() == 1 && selected.rows.front().first == 0) {
    table.offsets = inPage.subspan(above.front().first, above.front().size() + 1);
    return;
  }
  selected.offsets.assign(1, 0);
  for (const detail::RowRange& rows : above) {
    const std::size_t before = selected.offsets.size();
    const std::uint32_t shift = selected.offsets.back() - inPage[rows.first]; // modulo 2^32
    selected.offsets.resize(before + rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      selected.offsets[before + i] = inPage[rows.first + i + 1] + shift;
  }
  table.offsets = selected.offsets;
}

/// Sets the values of some members, each contiguous.
void Batches::viewMembers(Selected& selected, std::span<const MemberNumber> members) {
  const Table info = m_window.source().schema().table(selected.table);
  TableView& table = m_batch.table(selected.table);
  const std::size_t firstRow = selected.rows.front().first;
  m_copies.clear();
  for (const MemberNumber member : members) {
    ColumnView& values = table.members[member];
    values = {&detail::noValues, 0};
    if (table.rows == 0)
      continue;
    const std::size_t size = info.members[member].size();
    const ColumnView inPage = m_window.member(selected.table, member, m_batch.firstEntry());
    values = {inPage.at(firstRow), size};
    if (inPage.stride == size && selected.rows.size() == 1)
      continue;
    const auto place = std::ranges::lower_bound(selected.members, member);
    Buffer& room = selected.gathered[static_cast<std::size_t>(place - selected.members.begin())];
    std::byte* const gathered = room.assign(table.rows * size).data();
    m_copies.push_back({gathered, size, inPage.base, inPage.stride, size});
    values.base = gathered;
  }
  if (selected.rows.size() > 1)
    return gather(selected);
  for (detail::StridedCopy& copy : m_copies)
    copy.in += firstRow * copy.inStride;
  detail::copyTogether(m_copies, table.rows);
}

/// Copies the rows of all runs, for the members in m_copies.
void Batches::gather(const Selected& selected) {
  for (detail::StridedCopy& copy : m_copies)
    for (const detail::RowRange& rows : selected.rows) {
      detail::copyStrided(copy.out, copy.outStride, copy.in + rows.first * copy.inStride,
                          copy.inStride, rows.size(), copy.size);
      copy.out += rows.size() * copy.outStride;
    }
}

} // namespace kaon
