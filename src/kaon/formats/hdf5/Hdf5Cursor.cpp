#include <kaon/formats/hdf5/Hdf5Cursor.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Damage.h>
#include <kaon/base/Error.h>
#include <kaon/batch/MissingPage.h>
#include <kaon/reading/EntryPages.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace kaon::hdf5 {
namespace {

constexpr std::uint64_t mostRows = std::numeric_limits<std::uint32_t>::max(); // in one range

/// Returns the range of a table's offsets that tells the rows of these entries or rows above.
EntryRange storedOffsets(const DatasetOrigin& origin, EntryRange above) {
  if (!origin.hasEndsOnly)
    return {above.first, above.last + 1};
  return {above.first == 0 ? 0 : above.first - 1, above.last};
}

} // namespace

Hdf5Cursor::Hdf5Cursor(const CategoryDatasets& contents, const PageWidths& widths)
    : m_contents(contents), m_widths(widths), m_readers(contents.datasets.size()),
      m_variable(contents.datasets.size()), m_rows(contents.schema.size()),
      m_reads(contents.file->source(), std::numeric_limits<std::uint64_t>::max(),
              [this](std::uint64_t entry) { return portionAt(entry); }) {}

detail::PageRange Hdf5Cursor::pages(TableNumber group, std::uint64_t entry) {
  return pageIn({0, m_contents.entries}, 0, m_widths.ofGroup(group), entry);
}

void Hdf5Cursor::fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) {
  m_held.clear();
  m_planned.assign(columns.begin(), columns.end());
  m_reads.plan(m_contents.file->source().isDistant() ? entries : EntrySelection(0, 0));
}

/// Returns the cluster with an entry, and the positions of its values. Fetches its offsets, which
/// tell these positions. Damaged parts are skipped here; reading them reports the error.
PlannedReads::Portion Hdf5Cursor::portionAt(std::uint64_t entry) {
  PlannedReads::Portion portion{m_widths.clusterOf(entry)};
  m_held.clear();
  unlessDamaged([&] {
    holdOffsets(portion.entries);
    portion.ranges = rangesOfValues(portion.entries);
  });
  return portion;
}

/// Fetches offsets level by level, because the offsets of a list depend on its parent's.
void Hdf5Cursor::holdOffsets(EntryRange entries) {
  const Schema& schema = m_contents.schema;
  // Tables by the number of tables above them.
  std::map<std::size_t, std::set<std::uint32_t>> levels;
  for (const std::uint32_t column : m_planned) {
    std::vector<std::uint32_t> path;
    for (TableNumber table = schema.columns()[column].table; table != Table::none;
         table = schema.table(table).parent)
      path.push_back(table);
    for (std::size_t i = 0; i < path.size(); ++i)
      levels[path.size() - i].insert(path[i]);
  }
  for (const auto& [level, tables] : levels) {
    std::vector<io::ByteRange> ranges;
    for (const TableNumber table : tables) {
      const Table info = schema.table(table);
      if (!info.isCounted())
        continue;
      const EntryRange above = info.isRoot() ? entries : rows(info.parent, entries).rows;
      const DatasetOrigin& origin = m_contents.tables[table];
      if (origin.variable != DatasetOrigin::none) {
        reader(origin.variable).addRanges(above.first, above.last, ranges);
      } else {
        const EntryRange stored = storedOffsets(origin, above);
        reader(origin.offsets).addRanges(stored.first, stored.last, ranges);
      }
    }
    holdRanges(std::move(ranges));
  }
}

std::vector<io::ByteRange> Hdf5Cursor::rangesOfValues(EntryRange entries) {
  std::vector<io::ByteRange> ranges;
  for (const std::uint32_t number : m_planned) {
    const Column& column = m_contents.schema.columns()[number];
    const DatasetOrigin& origin = m_contents.tables[column.table];
    if (column.role == ColumnRole::presence && origin.presence != DatasetOrigin::none)
      reader(origin.presence).addRanges(entries.first, entries.last, ranges);
    if (column.role != ColumnRole::member || origin.variable != DatasetOrigin::none)
      continue;
    const EntryRange rows = this->rows(column.table, entries).rows;
    reader(origin.members[column.member].dataset).addRanges(rows.first, rows.last, ranges);
  }
  return ranges;
}

void Hdf5Cursor::holdRanges(std::vector<io::ByteRange> ranges) {
  std::ranges::sort(ranges, {}, &io::ByteRange::offset);
  m_held.push_back(m_contents.file->source().hold(ranges));
}

DatasetReader& Hdf5Cursor::reader(std::uint32_t dataset) {
  auto& reader = m_readers[dataset];
  if (!reader)
    reader = std::make_unique<DatasetReader>(m_contents.datasets[dataset], *m_contents.file,
                                             m_contents.name,
                                             m_contents.datasets[dataset].variable.has_value());
  return *reader;
}

/// Strings and lists of the same records are consecutive datasets. They share the first one's
/// reader, so that a chunk is decoded once for all of them.
VariableReader& Hdf5Cursor::variableReader(std::uint32_t dataset) {
  auto& variable = m_variable[dataset];
  if (!variable) {
    const auto& datasets = m_contents.datasets;
    std::uint32_t first = dataset;
    while (first > 0 && datasets[first - 1].variable &&
           datasets[first - 1].path == datasets[dataset].path)
      --first;
    variable = std::make_unique<VariableReader>(datasets[dataset], reader(first), *m_contents.file,
                                                m_contents.name);
  }
  return *variable;
}

const Hdf5Cursor::TableRows& Hdf5Cursor::rows(TableNumber table, EntryRange entries) {
  TableRows& rows = m_rows[table];
  if (rows.entries == entries)
    return rows;
  const Table info = m_contents.schema.table(table);
  const EntryRange above = info.isRoot() ? entries : this->rows(info.parent, entries).rows;
  rows.entries = {0, 0}; // stays empty if this fails
  rows.rows = above;
  if (m_contents.tables[table].variable != DatasetOrigin::none)
    takeVariable(table, above, rows);
  else if (info.isCounted())
    takeOffsets(table, above, entries.last == m_contents.entries, rows);
  rows.entries = entries;
  return rows;
}

/// Converts the ends of rows, counted in the whole file, to offsets that begin with 0.
void Hdf5Cursor::takeOffsets(TableNumber table, EntryRange above, bool isLast, TableRows& rows) {
  const DatasetOrigin& origin = m_contents.tables[table];
  const auto count = static_cast<std::size_t>(above.size()) + 1;
  const auto ends = m_ends.assign(count * sizeof(std::uint64_t));
  const EntryRange stored = storedOffsets(origin, above);
  const auto storedBytes = static_cast<std::size_t>(stored.size()) * sizeof(std::uint64_t);
  std::ranges::fill(ends.first(ends.size() - storedBytes), std::byte{0});
  reader(origin.offsets)
      .read(stored.first, stored.last, {0, sizeof(std::uint64_t)}, ends.last(storedBytes));
  const auto endAt = [&](std::size_t i) {
    return detail::loadAs<std::uint64_t>(ends.data() + i * sizeof(std::uint64_t));
  };
  const std::uint64_t first = endAt(0), last = endAt(count - 1);
  const std::uint64_t all = origin.rows;
  if (last < first || last > all || (isLast && last != all) || last - first > mostRows)
    failTable(table, above, "its offsets do not lead to its rows");
  const auto offsets = rows.offsets.assign(count * sizeof(std::uint32_t));
  std::uint64_t before = first;
  bool isRising = true;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t end = endAt(i);
    isRising &= end >= before && end <= last;
    before = end;
    const auto offset = static_cast<std::uint32_t>(end - first);
    std::memcpy(offsets.data() + i * sizeof(offset), &offset, sizeof(offset));
  }
  if (!isRising)
    failTable(table, above, "its offsets decrease");
  rows.rows = {first, last};
}

void Hdf5Cursor::takeVariable(TableNumber table, EntryRange above, TableRows& rows) {
  variableReader(m_contents.tables[table].variable)
      .read(above.first, above.last, rows.offsets, rows.values);
  const auto offsets = rows.offsets.bytes();
  rows.rows = {0, detail::loadAs<std::uint32_t>(offsets.last(sizeof(std::uint32_t)).data())};
}

void Hdf5Cursor::read(ColumnNumber columnNumber, const detail::PageRange& range, std::size_t values,
                      detail::Page& page) {
  const Column& column = m_contents.schema.columns()[columnNumber];
  const DatasetOrigin& origin = m_contents.tables[column.table];
  const EntryRange entries{range.firstEntry, range.lastEntry};
  if (m_reads.isDue(entries)) {
    m_reads.begin(range.firstEntry);
    holdRanges(m_reads.portion().ranges);
  }
  page.shared.reset();
  page.values = values;
  if (column.role == ColumnRole::presence) {
    if (origin.presence == DatasetOrigin::none)
      return fillMissing(m_contents.schema, columnNumber, true, values, m_contents.name, page);
    return readRows(origin.presence, entries, {0, 1}, page);
  }
  const TableRows& rows = this->rows(column.table, entries);
  if (column.role == ColumnRole::counts) {
    const auto offsets = rows.offsets.bytes();
    std::ranges::copy(offsets, page.storage.assign(offsets.size()).begin());
    page.data = page.storage.data();
    page.values = offsets.size() / sizeof(std::uint32_t);
    return;
  }
  const MemberOrigin& member = origin.members[column.member];
  if (rows.rows.size() != values)
    failTable(column.table, rows.rows, "the number of its rows does not match");
  if (origin.variable == DatasetOrigin::none)
    return readRows(member.dataset, rows.rows, member.part, page);
  std::ranges::copy(rows.values.bytes(), page.storage.assign(rows.values.size()).begin());
  page.data = page.storage.data();
}

/// Uses rows in place, or decodes them into the caller's memory or the page's.
void Hdf5Cursor::readRows(std::uint32_t dataset, EntryRange rows, RowPart part,
                          detail::Page& page) {
  DatasetReader& values = reader(dataset);
  if (part.size == m_contents.datasets[dataset].rowBytes())
    if (const std::byte* const data = values.find(rows.first, rows.last)) {
      page.data = data;
      return;
    }
  const std::size_t size = static_cast<std::size_t>(rows.size()) * part.size;
  values.read(rows.first, rows.last, part, page.roomFor(size));
}

void Hdf5Cursor::failTable(TableNumber table, EntryRange rows, std::string_view what) const {
  fail(ErrorKind::corrupt, m_contents.name, ": '", m_contents.schema.table(table).name,
       "' in rows ", rows.first, " to ", rows.last, ": ", what, "; the file is damaged");
}

} // namespace kaon::hdf5
