#include <kaon/store/PageWriter.h>

#include <kaon/base/Hash.h>
#include <kaon/batch/Gather.h>

#include <algorithm>

namespace kaon::store {
namespace {

using Range = std::pair<std::size_t, std::size_t>;

/// The rows of a table that lie under the entries [first, last).
Range rowsUnder(const Batch& batch, std::uint32_t table, Range entries) {
  const Table& info = batch.schema().table(table);
  const Range parents = info.isRoot() ? entries : rowsUnder(batch, info.parent, entries);
  if (!info.isCounted())
    return parents;
  const auto offsets = batch.table(table).offsets;
  return {offsets[parents.first], offsets[parents.second]};
}

/// The widest column's bytes for a row.
std::size_t widestElement(const Schema& schema, std::uint32_t table) {
  std::size_t widest = 0;
  const auto [first, last] = schema.columnsOf(table);
  for (std::uint32_t column = first; column < last; ++column)
    widest = std::max<std::size_t>(widest, schema.columns()[column].elementSize);
  return widest;
}

/// The entries of a page of a table with one row for each: no need to look at every one.
std::vector<std::uint32_t> equalPages(std::size_t entries, std::size_t width,
                                      std::size_t pageBytes) {
  const std::size_t each = std::max<std::size_t>(pageBytes / std::max<std::size_t>(width, 4), 1);
  std::vector<std::uint32_t> ends;
  for (std::size_t end = each; end < entries; end += each)
    ends.push_back(static_cast<std::uint32_t>(end));
  ends.push_back(static_cast<std::uint32_t>(entries));
  return ends;
}

/// Whether the encoding has pieces that a codec may have shrunk.
bool hasCodec(Encoding encoding) {
  return encoding == Encoding::compressed || encoding == Encoding::parts ||
         encoding == Encoding::bytePlanes || encoding == Encoding::bitPlanes;
}

} // namespace

void PageWriter::encode(const Batch& batch, Choosers& choosers) {
  const auto columns = batch.schema().columns();
  for (std::size_t i = choosers.size(); i < columns.size(); ++i)
    choosers.emplace_back(elementOf(batch.schema(), columns[i]), m_compression);
  m_groups.clear();
  m_columns.clear();
  m_boundaries.clear();
  m_entries.clear();
  m_pages.clear();
  for (std::uint32_t table = 0; table < batch.schema().tables().size(); ++table)
    if (batch.schema().table(table).isRoot())
      encodeGroup(batch, table, choosers);
  std::ranges::sort(m_columns, {}, &ClusterColumn::column);
  const ClusterHead head{static_cast<std::uint32_t>(m_groups.size()),
                         static_cast<std::uint32_t>(m_columns.size()),
                         static_cast<std::uint32_t>(m_boundaries.size()),
                         static_cast<std::uint32_t>(m_entries.size())};
  m_meta.clear();
  m_meta.append(std::as_bytes(std::span(&head, 1)));
  m_meta.append(std::as_bytes(std::span(m_groups)));
  m_meta.append(std::as_bytes(std::span(m_columns)));
  m_meta.append(std::as_bytes(std::span(m_entries)));
  m_meta.append(std::as_bytes(std::span(m_boundaries)));
}

/// Whole entries until the largest column of the group reaches a page's size.
std::vector<std::uint32_t> PageWriter::boundaries(const Batch& batch, std::uint32_t root) const {
  if (!batch.schema().table(root).isCounted())
    return equalPages(batch.entries(), widestElement(batch.schema(), root), m_pageBytes);
  struct Measured {
    std::uint32_t table;
    std::size_t width;
    std::size_t first; // row of the page
  };
  std::vector<Measured> measured;
  for (const std::uint32_t table : batch.schema().tablesUnder(root))
    measured.push_back({table, widestElement(batch.schema(), table), 0});
  const auto isFull = [&](std::size_t entry) {
    return std::ranges::any_of(measured, [&](const Measured& m) {
      const std::size_t rows = rowsUnder(batch, m.table, {0, entry}).second - m.first;
      return rows * m.width >= m_pageBytes;
    });
  };
  std::vector<std::uint32_t> ends;
  std::size_t first = 0;
  for (std::size_t entry = 1; entry <= batch.entries(); ++entry) {
    if (entry < batch.entries() && !isFull(entry) && (entry - first) * 4 < m_pageBytes)
      continue;
    ends.push_back(static_cast<std::uint32_t>(entry));
    first = entry;
    for (Measured& m : measured)
      m.first = rowsUnder(batch, m.table, {0, entry}).second;
  }
  return ends;
}

void PageWriter::encodeGroup(const Batch& batch, std::uint32_t root, Choosers& choosers) {
  const std::vector<std::uint32_t> ends = boundaries(batch, root);
  m_groups.push_back({root, static_cast<std::uint32_t>(m_boundaries.size()),
                      static_cast<std::uint32_t>(ends.size()), 0});
  m_boundaries.insert(m_boundaries.end(), ends.begin(), ends.end());
  for (const std::uint32_t table : batch.schema().tablesUnder(root)) {
    const auto [firstColumn, lastColumn] = batch.schema().columnsOf(table);
    for (std::uint32_t column = firstColumn; column < lastColumn; ++column) {
      const Column& info = batch.schema().columns()[column];
      m_columns.push_back({column, static_cast<std::uint32_t>(m_entries.size())});
      std::size_t first = 0;
      for (const std::uint32_t end : ends) {
        writePage(collect(batch, info, {first, end}), info.elementSize, choosers[column]);
        first = end;
      }
    }
  }
}

/// A page's values one after another, where they lie or in m_values.
std::span<const std::byte> PageWriter::collect(const Batch& batch, const Column& column,
                                               RowRange entries) {
  const Table& info = batch.schema().table(column.table);
  const TableView& table = batch.table(column.table);
  if (column.role == ColumnRole::presence) {
    if (!table.present.empty())
      return table.present.subspan(entries.first, entries.last - entries.first);
    const auto all = m_values.assign(entries.last - entries.first);
    std::ranges::fill(all, std::byte{1});
    return all;
  }
  const Range inEntries{entries.first, entries.last};
  if (column.role == ColumnRole::counts) {
    const Range parents = info.isRoot() ? inEntries : rowsUnder(batch, info.parent, inEntries);
    return collectCounts(table, {parents.first, parents.second});
  }
  const auto [first, last] = rowsUnder(batch, column.table, inEntries);
  if (column.role == ColumnRole::rows)
    return collectRows(info, table, {first, last});
  const ColumnView& member = table.members[column.member];
  const std::size_t size = column.elementSize;
  if (member.stride == size)
    return {member.base + first * size, (last - first) * size};
  const auto out = m_values.assign((last - first) * size);
  copyStrided(out.data(), size, member.base + first * member.stride, member.stride, last - first,
              size);
  return out;
}

std::span<const std::byte> PageWriter::collectCounts(const TableView& table, RowRange parents) {
  const auto out = m_values.assign((parents.last - parents.first) * sizeof(std::uint32_t));
  auto* const counts = reinterpret_cast<std::uint32_t*>(out.data());
  for (std::size_t i = parents.first; i < parents.last; ++i)
    counts[i - parents.first] = table.offsets[i + 1] - table.offsets[i];
  return out;
}

std::span<const std::byte> PageWriter::collectRows(const Table& info, const TableView& table,
                                                   RowRange rows) {
  const std::size_t count = rows.last - rows.first;
  const auto out = m_values.assign(count * info.rowSize);
  // What lies between members would otherwise be whatever was in memory.
  std::ranges::fill(out, std::byte{0});
  for (std::size_t i = 0; i < info.members.size(); ++i) {
    const ColumnView& member = table.members[i];
    copyStrided(out.data() + info.members[i].offset, info.rowSize,
                member.base + rows.first * member.stride, member.stride, count,
                info.members[i].size());
  }
  return out;
}

void PageWriter::writePage(std::span<const std::byte> values, std::size_t elementSize,
                           codec::EncodingChooser& chooser) {
  PageEntry entry;
  entry.values = values.size() / elementSize;
  const std::size_t before = m_pages.size();
  entry.encoding = chooser.encode(values, m_pages);
  if (entry.encoding == Encoding::raw || !isPlausible(m_pages.size() - before, values.size())) {
    entry.encoding = Encoding::raw;
    m_pages.shrink(before);
    writeRaw(values);
  }
  entry.size = entry.encoding == Encoding::raw ? values.size() : m_pages.size() - before;
  entry.position = m_pages.size() - entry.size;
  if (hasCodec(entry.encoding))
    entry.codec = static_cast<std::uint8_t>(m_compression.codec);
  entry.checksum = checksum(m_pages.bytes().subspan(entry.position));
  m_entries.push_back(entry);
}

/// Aligned, so that it can be used where it lies in a mapped file.
void PageWriter::writeRaw(std::span<const std::byte> values) {
  static constexpr std::array<std::byte, alignment> zeros{};
  m_pages.append(std::span(zeros).first(aligned(m_pages.size()) - m_pages.size()));
  m_pages.append(values);
}

} // namespace kaon::store
