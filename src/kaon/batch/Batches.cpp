#include <kaon/batch/Batches.h>

#include <kaon/base/SortUnique.h>
#include <kaon/batch/StridedCopy.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace kaon {
namespace {
constexpr std::byte nothing{}; // where a member without values lies
} // namespace

Batches::Batches(const Source& source, const std::vector<std::string>& names, EntryRange range,
                 std::shared_ptr<const File> file)
    : Batches(source, named(source.schema(), names), range, std::move(file)) {}

Batches Batches::ofAll(const Source& source, EntryRange range, std::shared_ptr<const File> file) {
  return {source, all(source.schema()), range, std::move(file)};
}

Batches::Batches(const Source& source, std::vector<std::uint32_t> tables,
                 std::vector<std::pair<std::uint32_t, std::uint32_t>> members, EntryRange range,
                 std::shared_ptr<const File> file)
    : m_file(std::move(file)), m_window(source), m_last(std::min(range.last, source.entries())),
      m_batch(source.schema(), std::min(range.first, m_last), 0) {
  const Schema& schema = source.schema();
  sortUnique(members);
  for (const auto& [table, member] : members)
    if (tables.empty() || tables.back() != table)
      tables.push_back(table);
  for (std::size_t i = 0; i < tables.size(); ++i) // those that they lie under, too
    if (const std::uint32_t parent = schema.table(tables[i]).parent; parent != Table::none)
      tables.push_back(parent);
  sortUnique(tables);
  m_selected.reserve(tables.size());
  auto member = members.begin();
  for (const std::uint32_t table : tables) {
    Selected& selected = m_selected.emplace_back(Selected{table, {}, {}, {}});
    for (; member != members.end() && member->first == table; ++member) {
      selected.members.push_back(member->second);
      selected.gathered.emplace_back();
    }
    m_batch.table(table).members.resize(schema.table(table).members.size());
  }
  listColumns();
}

Batches::Wanted Batches::named(const Schema& schema, const std::vector<std::string>& names) {
  Wanted wanted;
  for (const std::string& name : names) {
    if (const std::uint32_t table = schema.find(name); table != Table::none)
      wanted.tables.push_back(table);
    std::ranges::copy(schema.membersBelow(name), std::back_inserter(wanted.members));
  }
  return wanted;
}

Batches::Wanted Batches::all(const Schema& schema) {
  Wanted wanted;
  for (std::uint32_t table = 0; table < schema.size(); ++table) {
    wanted.tables.push_back(table);
    for (std::uint32_t member = 0; member < schema.table(table).members.size(); ++member)
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
    for (const std::uint32_t member : selected.members)
      m_columns.push_back(schema.place(selected.table, member).column);
  }
  sortUnique(m_columns); // members of rows share theirs
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

bool Batches::advance() {
  const std::uint64_t first = m_batch.firstEntry() + m_batch.entries();
  if (first >= m_last)
    return false;
  if (!std::exchange(m_isFetching, true))
    m_window.fetch(m_columns, {first, m_last});
  std::uint64_t last = m_last;
  const Schema& schema = m_window.source().schema();
  for (Selected& selected : m_selected) {
    selected.hasRows = false;
    if (schema.table(selected.table).isRoot())
      last = std::min(last, m_window.pages(selected.table, first).lastEntry);
  }
  m_batch.setRange(first, static_cast<std::size_t>(last - first));
  if (m_file)
    m_batch.setOrigin({m_file, first, m_batch.entries()});
  return true;
}

void Batches::loadRows(std::uint32_t table) {
  const std::uint32_t parent = m_window.source().schema().table(table).parent;
  Selected& wanted = selected(table);
  if (wanted.hasRows)
    return;
  if (parent != Table::none)
    loadRows(parent);
  viewRows(wanted);
}

void Batches::loadMember(std::uint32_t table, std::uint32_t member) {
  loadRows(table);
  viewMembers(selected(table), std::span(&member, 1));
}

Batches::Selected& Batches::selected(std::uint32_t table) {
  const auto place = std::ranges::lower_bound(m_selected, table, {}, &Selected::table);
  if (place == m_selected.end() || place->table != table)
    fail(ErrorKind::usage, "nothing of '", m_window.source().schema().table(table).name,
         "' was asked for");
  return *place;
}

/// How many rows of a table there are, and which; those of its parent are known.
void Batches::viewRows(Selected& selected) {
  const Schema& schema = m_window.source().schema();
  const Table info = schema.table(selected.table);
  TableView& table = m_batch.table(selected.table);
  const std::uint64_t first = m_batch.firstEntry();
  selected.firstRow = m_window.rows(selected.table, first).first;
  const std::size_t end = m_window.rows(selected.table, first + m_batch.entries() - 1).second;
  table.rows = end - selected.firstRow;
  if (info.canBeAbsent()) {
    const Page& presence = m_window.page(schema.presenceColumn(selected.table), first);
    table.present = {presence.data + (first - presence.range.firstEntry), m_batch.entries()};
  }
  if (info.isCounted())
    viewOffsets(selected, end);
  selected.hasRows = true;
}

/// Some members' values, one next to the other.
void Batches::viewMembers(Selected& selected, std::span<const std::uint32_t> members) {
  const Table info = m_window.source().schema().table(selected.table);
  TableView& table = m_batch.table(selected.table);
  m_copies.clear();
  for (const std::uint32_t member : members) {
    ColumnView& values = table.members[member];
    values = {&nothing, 0};
    if (table.rows == 0)
      continue;
    const std::size_t size = info.members[member].size();
    const ColumnView inPage = m_window.member(selected.table, member, m_batch.firstEntry());
    values = {inPage.at(selected.firstRow), size};
    if (inPage.stride == size)
      continue;
    const auto place = std::ranges::lower_bound(selected.members, member);
    Buffer& room = selected.gathered[static_cast<std::size_t>(place - selected.members.begin())];
    std::byte* const gathered = room.assign(table.rows * size).data();
    m_copies.push_back({gathered, size, inPage.at(selected.firstRow), inPage.stride, size});
    values.base = gathered;
  }
  copyTogether(m_copies, table.rows);
}

/// The offsets of the rows in the table's page up to `end`, counted from the batch's first.
void Batches::viewOffsets(Selected& selected, std::size_t end) {
  const Schema& schema = m_window.source().schema();
  const Table info = schema.table(selected.table);
  const std::uint64_t first = m_batch.firstEntry();
  const std::size_t parents = info.isRoot() ? m_batch.entries() : m_batch.table(info.parent).rows;
  const std::size_t firstParent =
      info.isRoot()
          ? static_cast<std::size_t>(first - m_window.pages(selected.table, first).firstEntry)
          : m_window.rows(info.parent, first).first;
  const auto inPage = m_window.offsets(selected.table, first).subspan(firstParent, parents + 1);
  TableView& table = m_batch.table(selected.table);
  if (selected.firstRow == 0) {
    table.offsets = inPage;
    return;
  }
  selected.offsets.resize(parents + 1);
  const auto shift = static_cast<std::uint32_t>(selected.firstRow);
  std::ranges::transform(inPage, selected.offsets.begin(),
                         [shift](std::uint32_t offset) { return offset - shift; });
  selected.offsets.back() = static_cast<std::uint32_t>(end - selected.firstRow);
  table.offsets = selected.offsets;
}

} // namespace kaon
