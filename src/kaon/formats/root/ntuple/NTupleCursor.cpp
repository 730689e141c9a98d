#include <kaon/formats/root/ntuple/NTupleCursor.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/batch/MissingPage.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/root/ntuple/Elements.h>
#include <kaon/reading/EntryPages.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace kaon::root {
namespace {

// Bytes for columns that were added later.
constexpr std::uint64_t mostZeros = std::uint64_t{64} << 20;

} // namespace

/// Fetches the columns with numbers of rows, too.
void NTupleCursor::fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) {
  const Schema& schema = m_ntuple.mapping.schema;
  std::vector<std::uint32_t> stored;
  const auto add = [&](std::span<const std::uint32_t> some) {
    stored.insert(stored.end(), some.begin(), some.end());
  };
  for (const std::uint32_t number : columns) {
    const Column& column = schema.columns()[number];
    add(m_ntuple.storedColumns(column));
    for (std::uint32_t table = column.table; table != Table::none;
         table = schema.table(table).parent)
      add(m_ntuple.mapping.rules[table].rows.columns);
  }
  sortUnique(stored);
  m_pages.bytes().plan(std::move(stored), entries);
}

detail::PageRange NTupleCursor::pages(TableNumber group, std::uint64_t entry) {
  m_pages.bytes().reach(entry);
  const std::size_t number = m_ntuple.clusterOf(entry);
  const Cluster& cluster = m_ntuple.clusters[number];
  const std::uint64_t width = widthOf(group, number);
  return pageIn({cluster.firstEntry, cluster.firstEntry + cluster.entries}, number, width, entry);
}

/// Returns the number of entries in a group's pages of a cluster.
std::uint64_t NTupleCursor::widthOf(std::uint32_t group, std::size_t number) {
  Width& width = m_widths[group];
  if (width.cluster == number)
    return width.entries;
  const Schema& schema = m_ntuple.mapping.schema;
  const Cluster& cluster = m_ntuple.clusters[number];
  std::uint64_t widest = 1, inEntry = 1; // bytes in the cluster and in an entry
  const auto look = [&](const std::vector<std::uint32_t>& columns, std::uint64_t size) {
    for (const std::uint32_t column : columns)
      widest = std::max(widest, cluster.column(column).elements * size);
  };
  for (const std::uint32_t root : schema.rootsOf(group))
    for (const std::uint32_t table : schema.tablesUnder(root)) {
      const TableRules& rules = m_ntuple.mapping.rules[table];
      look(rules.rows.columns, sizeof(std::uint32_t));
      const Table info = schema.table(table);
      for (std::size_t member = 0; member < rules.members.size(); ++member)
        look(rules.members[member].columns, sizeOf(info.members[member].type));
      // Missing values of late columns are not stored, but need memory.
      for (const Member& member : info.members)
        inEntry = std::max(inEntry, rules.rowsPerEntry * member.size());
    }
  width = {number, std::min(pageWidth(bytesInPage, static_cast<double>(widest), cluster.entries),
                            pageWidth(bytesInPage, static_cast<double>(inEntry), 1))};
  return width.entries;
}

void NTupleCursor::read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
                        detail::Page& page) {
  const Column& info = m_ntuple.mapping.schema.columns()[column];
  page.shared.reset();
  switch (info.role) {
  case ColumnRole::presence:
    return readPresence(column, range, values, page);
  case ColumnRole::counts:
    return readCounts(info, range, values, page);
  case ColumnRole::rows: // never used: all tables store their columns separately
  case ColumnRole::member:
    return readMember(info, range, values, page);
  }
}

void NTupleCursor::readPresence(std::uint32_t column, const detail::PageRange& range,
                                std::size_t values, detail::Page& page) {
  const Column& info = m_ntuple.mapping.schema.columns()[column];
  const auto& columns = m_ntuple.mapping.rules[info.table].presence;
  if (columns.empty())
    return fillMissing(m_ntuple.mapping.schema, column, true, values, m_ntuple.name, page);
  const std::uint64_t begin = m_ntuple.clusters[range.cluster].firstEntry;
  const ClusterColumn from =
      m_rows.entryColumn(info.table, columns, range.lastEntry - begin, range);
  page.values = values;
  readNumbers(info, from, Scalar::Bool, range.firstEntry - begin, range.lastEntry - begin,
              static_cast<std::size_t>(range.cluster), page);
}

void NTupleCursor::readCounts(const Column& column, const detail::PageRange& range,
                              std::size_t values, detail::Page& page) {
  const auto offsets = m_rows.rows(column.table, range).offsets;
  if (offsets.size() != values + 1)
    failColumn(column, range, "it does not match the number of rows above");
  const auto bytes = std::as_bytes(offsets);
  std::ranges::copy(bytes, page.storage.assign(bytes.size()).begin());
  page.data = page.storage.data();
  page.values = offsets.size();
}

void NTupleCursor::readMember(const Column& column, const detail::PageRange& range,
                              std::size_t values, detail::Page& page) {
  const ClusterRows rows = m_rows.rows(column.table, range);
  const ValueRule& rule = m_ntuple.mapping.rules[column.table].members[column.member];
  const Member member = m_ntuple.mapping.schema.table(column.table).members[column.member];
  if (rows.size() != values)
    failColumn(column, range, "its number of rows is wrong");
  const ClusterColumn from =
      m_rows.memberColumn(column.table, rule.columns, member.extent, rows.last, range);
  page.values = values;
  const auto cluster = static_cast<std::size_t>(range.cluster);
  switch (rule.kind) {
  case ValueRule::Kind::values:
    return readNumbers(column, from, member.type, rows.first * member.extent,
                       rows.last * member.extent, cluster, page);
  case ValueRule::Kind::sizes:
    if (!readSizes(from, rows, member.type, cluster, page.roomFor(values * member.size())))
      failColumn(column, range, "lists end before they begin, or have too many elements");
    return;
  case ValueRule::Kind::tags:
    return readTags(from, rows, cluster, page.roomFor(values * member.size()));
  }
}

/// Reads the elements [first, last) of a cluster. Uses them in place if possible.
void NTupleCursor::readNumbers(const Column& column, const ClusterColumn& from, Scalar type,
                               std::uint64_t first, std::uint64_t last, std::size_t cluster,
                               detail::Page& page) {
  if (first >= from.missing &&
      pointTo(from, first - from.missing, last - from.missing, type, cluster, page))
    return;
  const std::size_t size = sizeOf(type);
  const Cluster& info = m_ntuple.clusters[cluster];
  const detail::PageRange whole{info.firstEntry, info.firstEntry + info.entries};
  if (first < from.missing && last - first > mostZeros / size)
    failColumn(column, whole, "an entry has too many zeros");
  auto out = page.roomFor(static_cast<std::size_t>(last - first) * size);
  if (first < from.missing) {
    const std::uint64_t zeros = std::min(last, from.missing) - first;
    std::ranges::fill(out.first(static_cast<std::size_t>(zeros) * size), std::byte{0});
    out = out.subspan(static_cast<std::size_t>(zeros) * size);
    first += zeros;
  }
  if (out.empty())
    return;
  bool fits = true;
  m_pages.forEach(cluster, from.column, first - from.missing, last - from.missing,
                  [&](const LoadedNTuplePage& stored, std::size_t at, std::size_t count) {
                    fits &= decodeElements(m_ntuple.descriptor.columns[from.column],
                                           stored.elements, at, type, out.first(count * size));
                    out = out.subspan(count * size);
                  });
  if (!fits)
    failColumn(column, whole, "a value does not fit into its type");
}

/// Points the page at elements of one stored page. Returns false if they cannot be used in place.
bool NTupleCursor::pointTo(const ClusterColumn& from, std::uint64_t first, std::uint64_t last,
                           Scalar type, std::size_t cluster, detail::Page& page) {
  if (first == last || !isPlain(m_ntuple.descriptor.columns[from.column], type))
    return false;
  const LoadedNTuplePage& stored = m_pages.at(cluster, from.column, first);
  const std::size_t size = sizeOf(type);
  const std::byte* const data =
      stored.elements.bytes.data() + static_cast<std::size_t>(first - stored.firstElement) * size;
  if (stored.last() < last || detail::addressOf(data) % size != 0)
    return false;
  page.data = data;
  page.shared = stored.keeper;
  return true;
}

/// Computes the lengths of lists from their ends. Returns false if a length does not fit into the
/// type.
bool NTupleCursor::readSizes(const ClusterColumn& from, const ClusterRows& rows, Scalar type,
                             std::size_t cluster, std::span<std::byte> out) {
  std::ranges::fill(out, std::byte{0});
  const std::uint64_t first = std::max(rows.first, from.missing);
  if (first >= rows.last)
    return true;
  std::uint64_t before = 0;
  const auto stored = first - from.missing;
  if (stored > 0)
    m_pages.forEach(cluster, from.column, stored - 1, stored,
                    [&](const LoadedNTuplePage& page, std::size_t at, std::size_t /*count*/) {
                      before = page.ends[at];
                    });
  const std::size_t size = sizeOf(type);
  const std::uint64_t most = size == sizeof(std::uint32_t) ? UINT32_MAX : INT64_MAX;
  bool fits = true;
  std::byte* to = out.data() + static_cast<std::size_t>(first - rows.first) * size;
  m_pages.forEach(cluster, from.column, stored, rows.last - from.missing,
                  [&](const LoadedNTuplePage& page, std::size_t at, std::size_t count) {
                    for (const std::uint64_t end : page.ends.subspan(at, count)) {
                      const std::uint64_t length = end - before;
                      fits &= length <= most;
                      std::memcpy(to, &length, size); // the lower bytes
                      to += size;
                      before = end;
                    }
                  });
  return fits;
}

void NTupleCursor::readTags(const ClusterColumn& from, const ClusterRows& rows, std::size_t cluster,
                            std::span<std::byte> out) {
  std::ranges::fill(out, std::byte{0});
  const std::uint64_t first = std::max(rows.first, from.missing);
  if (first >= rows.last)
    return;
  std::byte* to = out.data() + static_cast<std::size_t>(first - rows.first) * sizeof(std::uint32_t);
  m_pages.forEach(cluster, from.column, first - from.missing, rows.last - from.missing,
                  [&](const LoadedNTuplePage& page, std::size_t at, std::size_t count) {
                    for (std::size_t i = 0; i < count; ++i, to += sizeof(std::uint32_t)) {
                      const std::uint32_t tag = choiceAt(page.elements, at + i).tag;
                      std::memcpy(to, &tag, sizeof(tag));
                    }
                  });
}

void NTupleCursor::failColumn(const Column& column, const detail::PageRange& range,
                              std::string_view what) const {
  const Table table = m_ntuple.mapping.schema.table(column.table);
  const bool isMember =
      column.role == ColumnRole::member && !table.members[column.member].name.empty();
  fail(ErrorKind::corrupt, m_ntuple.name, ": '", table.name, isMember ? "." : "",
       isMember ? table.members[column.member].name : "", "' in entries ", range.firstEntry, " to ",
       range.lastEntry, ": ", what, "; the file is damaged");
}

} // namespace kaon::root
