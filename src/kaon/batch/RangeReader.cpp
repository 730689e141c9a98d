#include <kaon/batch/RangeReader.h>

#include <kaon/base/Error.h>
#include <kaon/batch/Gather.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace kaon {
namespace {

/// Calls `use(table, entries)` for each table, parents first, and each of its pages, cut to the
/// range: group by group, so that what tells the rows of a page serves all of it.
template <class Use>
void forEachPage(Window& window, EntryRange range, Use use) {
  const Schema& schema = window.source().schema();
  for (std::uint32_t group = 0; group < schema.size(); ++group) {
    if (schema.groupOf(group) != group)
      continue;
    for (std::uint64_t first = range.first; first < range.last;) {
      const EntryRange entries{first, std::min(window.pages(group, first).lastEntry, range.last)};
      for (const std::uint32_t root : schema.rootsOf(group))
        for (const std::uint32_t table : schema.tablesUnder(root))
          use(table, entries);
      first = entries.last;
    }
  }
}

} // namespace

RangeReader::RangeReader(const Source& source)
    : m_schema(source.schema()), m_window(source), m_memory(m_schema.size()),
      m_batch(m_schema, 0, 0) {
  for (std::uint32_t table = 0; table < m_schema.size(); ++table)
    m_memory[table].members.resize(m_schema.table(table).members.size());
}

const Batch& RangeReader::read(EntryRange range) {
  for (std::uint32_t table = 0; table < m_schema.size(); ++table) {
    Memory& memory = m_memory[table];
    memory.offsets.assign(1, 0);
    memory.present.clear();
    for (Buffer& member : memory.members)
      member.clear();
    m_batch.table(table).rows = 0;
  }
  m_batch.setRange(range.first, static_cast<std::size_t>(range.size()));
  forEachPage(m_window, range,
              [this](std::uint32_t table, EntryRange entries) { appendPage(table, entries); });
  for (std::uint32_t table = 0; table < m_schema.size(); ++table)
    view(table);
  return m_batch;
}

/// Appends the rows of entries that share a page.
void RangeReader::appendPage(std::uint32_t table, EntryRange entries) {
  const Table info = m_schema.table(table);
  Memory& memory = m_memory[table];
  const std::size_t first = m_window.rows(table, entries.first).first;
  const std::size_t rows = m_window.rows(table, entries.last - 1).second - first;
  std::size_t& all = m_batch.table(table).rows;
  if (rows > std::numeric_limits<std::uint32_t>::max() - all)
    fail(ErrorKind::usage, m_window.source().name(), ": entries ", m_batch.firstEntry(), " to ",
         entries.last, " have more than 4294967295 rows of '", info.name,
         "', too many for one cluster; make clusters smaller");
  all += rows;
  if (info.canBeAbsent()) {
    const Page& presence = m_window.page(m_schema.presenceColumn(table), entries.first);
    memory.present.append({presence.data + (entries.first - presence.range.firstEntry),
                           static_cast<std::size_t>(entries.size())});
  }
  if (info.isCounted())
    appendOffsets(table, entries);
  for (std::uint32_t i = 0; i < info.members.size() && rows > 0; ++i) {
    const std::size_t size = info.members[i].size();
    const ColumnView values = m_window.member(table, i, entries.first);
    copyStrided(memory.members[i].grow(rows * size), size, values.at(first), values.stride, rows,
                size);
  }
}

void RangeReader::appendOffsets(std::uint32_t table, EntryRange entries) {
  const Table info = m_schema.table(table);
  const std::uint64_t begin = m_window.pages(table, entries.first).firstEntry;
  const std::pair<std::size_t, std::size_t> parents =
      info.isRoot() ? std::pair{static_cast<std::size_t>(entries.first - begin),
                                static_cast<std::size_t>(entries.last - begin)}
                    : std::pair{m_window.rows(info.parent, entries.first).first,
                                m_window.rows(info.parent, entries.last - 1).second};
  const auto inPage = m_window.offsets(table, entries.first);
  auto& offsets = m_memory[table].offsets;
  const std::uint32_t shift = offsets.back() - inPage[parents.first]; // modulo 2^32
  for (std::size_t i = parents.first + 1; i <= parents.second; ++i)
    offsets.push_back(inPage[i] + shift);
}

void RangeReader::view(std::uint32_t table) {
  const Table info = m_schema.table(table);
  Memory& memory = m_memory[table];
  TableView& made = m_batch.table(table);
  if (info.isCounted())
    made.offsets = memory.offsets;
  if (info.canBeAbsent())
    made.present = memory.present.bytes();
  made.members.clear();
  for (std::uint32_t i = 0; i < info.members.size(); ++i) {
    memory.members[i].reserve(1); // values are somewhere, even if there are none
    made.members.push_back({memory.members[i].data(), info.members[i].size()});
  }
}

void measure(Window& window, EntryRange range, std::vector<std::uint64_t>& bytes) {
  const Schema& schema = window.source().schema();
  // Where the rows of each entry begin in the page, by table.
  std::vector<std::vector<std::uint32_t>> begins(schema.size());
  forEachPage(window, range, [&](std::uint32_t table, EntryRange entries) {
    const Table info = schema.table(table);
    auto& own = begins[table];
    if (info.isRoot()) {
      own.resize(static_cast<std::size_t>(entries.size()) + 1);
      std::iota(own.begin(), own.end(),
                static_cast<std::uint32_t>(entries.first -
                                           window.pages(table, entries.first).firstEntry));
    } else {
      own = begins[info.parent];
    }
    if (info.isCounted()) {
      const auto offsets = window.offsets(table, entries.first);
      for (std::uint32_t& begin : own)
        begin = offsets[begin];
    }
    const std::uint64_t width = info.rowSize + (info.isCounted() ? sizeof(std::uint32_t) : 0);
    for (std::size_t i = 0; i + 1 < own.size(); ++i)
      bytes[static_cast<std::size_t>(entries.first - range.first) + i] +=
          width * (own[i + 1] - own[i]);
  });
}

} // namespace kaon
