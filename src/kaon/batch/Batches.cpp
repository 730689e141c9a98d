#include <kaon/batch/Batches.h>

#include <kaon/batch/Gather.h>

#include <algorithm>

namespace kaon {
namespace {
constexpr std::byte nothing{}; // where a member without values lies
}

Batches::Batches(const Source& source, const std::vector<std::string>& names, EntryRange range,
                 std::shared_ptr<const File> file)
    : m_file(std::move(file)), m_window(source), m_last(std::min(range.last, source.entries())),
      m_batch(source.schema(), std::min(range.first, m_last), 0) {
  const Schema& schema = source.schema();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> wanted;
  for (const std::string& name : names) {
    if (const std::uint32_t table = schema.find(name); table != Table::none)
      select(table);
    for (const auto& found : schema.membersBelow(name)) {
      select(found.first);
      wanted.push_back(found);
    }
  }
  std::ranges::sort(m_selected, {}, &Selected::table);
  std::ranges::sort(wanted);
  const auto repeated = std::ranges::unique(wanted);
  wanted.erase(repeated.begin(), repeated.end());
  for (const auto& [table, member] : wanted) {
    Selected& selected = *std::ranges::find(m_selected, table, &Selected::table);
    selected.members.push_back(member);
    selected.gathered.emplace_back();
  }
  for (const Selected& selected : m_selected)
    m_batch.table(selected.table).members.resize(schema.table(selected.table).members.size());
  listColumns();
  m_clusters = source.clusters();
}

void Batches::select(std::uint32_t table) {
  for (; table != Table::none; table = m_window.source().schema().table(table).parent)
    if (std::ranges::find(m_selected, table, &Selected::table) == m_selected.end())
      m_selected.push_back({table, {}, {}, {}});
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
  const auto repeated = std::ranges::unique(m_columns); // members of rows share theirs
  m_columns.erase(repeated.begin(), repeated.end());
}

/// Asks for the cluster of the entry and, so that it comes while this one is used, for the next.
void Batches::prefetch(std::uint64_t entry) {
  const auto isNear = [&] {
    return m_nextCluster < m_clusters.size() && m_clusters[m_nextCluster].first < m_last &&
           (m_nextCluster == 0 || m_clusters[m_nextCluster - 1].first <= entry);
  };
  for (; isNear(); ++m_nextCluster)
    if (m_clusters[m_nextCluster].last > entry)
      m_window.source().prefetch(m_columns, m_clusters[m_nextCluster].first);
}

bool Batches::next() {
  const std::uint64_t first = m_batch.firstEntry() + m_batch.entries();
  if (first >= m_last)
    return false;
  prefetch(first);
  std::uint64_t last = m_last;
  const Schema& schema = m_window.source().schema();
  for (const Selected& selected : m_selected)
    if (schema.table(selected.table).isRoot())
      last = std::min(last, m_window.pages(selected.table, first).lastEntry);
  m_batch.setRange(first, static_cast<std::size_t>(last - first));
  for (Selected& selected : m_selected)
    view(selected, first, last);
  return true;
}

void Batches::view(Selected& selected, std::uint64_t first, std::uint64_t last) {
  const Schema& schema = m_window.source().schema();
  const Table info = schema.table(selected.table);
  TableView& table = m_batch.table(selected.table);
  const std::size_t begin = m_window.rows(selected.table, first).first;
  const std::size_t end = m_window.rows(selected.table, last - 1).second;
  table.rows = end - begin;
  if (info.canBeAbsent()) {
    const Page& presence = m_window.page(schema.presenceColumn(selected.table), first);
    table.present = {presence.data + (first - presence.range.firstEntry), m_batch.entries()};
  }
  if (info.isCounted())
    viewOffsets(selected, first, begin, end);
  viewMembers(selected, first, begin);
}

/// The members' values from row `begin` of their pages on, one next to the other.
void Batches::viewMembers(Selected& selected, std::uint64_t first, std::size_t begin) {
  const Table info = m_window.source().schema().table(selected.table);
  TableView& table = m_batch.table(selected.table);
  m_copies.clear();
  for (std::size_t i = 0; i < selected.members.size(); ++i) {
    const std::uint32_t member = selected.members[i];
    ColumnView& values = table.members[member];
    values = {&nothing, 0};
    if (table.rows == 0)
      continue;
    const std::size_t size = info.members[member].size();
    const ColumnView inPage = m_window.member(selected.table, member, first);
    values = {inPage.at(begin), size};
    if (inPage.stride == size)
      continue;
    std::byte* const gathered = selected.gathered[i].assign(table.rows * size).data();
    m_copies.push_back({gathered, size, inPage.at(begin), inPage.stride, size});
    values.base = gathered;
  }
  copyTogether(m_copies, table.rows);
}

/// The offsets of the rows [begin, end) in the table's page, counted from `begin`.
void Batches::viewOffsets(Selected& selected, std::uint64_t first, std::size_t begin,
                          std::size_t end) {
  const Schema& schema = m_window.source().schema();
  const Table info = schema.table(selected.table);
  const std::size_t parents = info.isRoot() ? m_batch.entries() : m_batch.table(info.parent).rows;
  const std::size_t firstParent =
      info.isRoot()
          ? static_cast<std::size_t>(first - m_window.pages(selected.table, first).firstEntry)
          : m_window.rows(info.parent, first).first;
  const auto inPage = m_window.offsets(selected.table, first).subspan(firstParent, parents + 1);
  TableView& table = m_batch.table(selected.table);
  if (begin == 0) {
    table.offsets = inPage;
    return;
  }
  selected.offsets.resize(parents + 1);
  const auto shift = static_cast<std::uint32_t>(begin);
  std::ranges::transform(inPage, selected.offsets.begin(),
                         [shift](std::uint32_t offset) { return offset - shift; });
  selected.offsets.back() = static_cast<std::uint32_t>(end - begin);
  table.offsets = selected.offsets;
}

} // namespace kaon
