#include <kaon/detail/batch/BatchRows.h>

#include <kaon/base/Error.h>

#include <algorithm>

namespace kaon::detail {
namespace {

/// Returns the rows above a table's rows: the parent's, or the entries.
RowRange parentsOf(const Table& table, RowRange entries, const std::vector<RowRange>& rows) {
  return table.isRoot() ? entries : rows[table.parent];
}

std::uint64_t sumOf(const Schema& schema, RowRange entries, const std::vector<RowRange>& rows) {
  std::uint64_t bytes = 0;
  for (TableNumber number = 0; number < schema.size(); ++number) {
    const Table table = schema.table(number);
    bytes += std::uint64_t{table.rowSize} * rows[number].size();
    if (table.isCounted())
      bytes += sizeof(std::uint32_t) * parentsOf(table, entries, rows).size();
  }
  return bytes;
}

} // namespace

RowRange rowsUnder(const Batch& batch, TableNumber table, RowRange above) {
  const auto offsets = batch.table(table).offsets;
  if (above.last >= offsets.size() || offsets[above.first] > offsets[above.last] ||
      offsets[above.last] > batch.table(table).rows)
    fail(ErrorKind::usage, "the offsets of '", batch.schema().table(table).name,
         "' do not fit its ", batch.table(table).rows,
         " rows: offsets need one number more than the rows above, and must not decrease");
  return {offsets[above.first], offsets[above.last]};
}

std::vector<RowRange> rowsOf(const Batch& batch, std::size_t first, std::size_t last) {
  const Schema& schema = batch.schema();
  std::vector<RowRange> rows(schema.size());
  for (TableNumber number = 0; number < schema.size(); ++number) {
    const Table table = schema.table(number);
    const RowRange parents = parentsOf(table, {first, last}, rows);
    rows[number] = table.isCounted() ? rowsUnder(batch, number, parents) : parents;
  }
  return rows;
}

std::uint64_t bytesOf(const Batch& batch, std::size_t first, std::size_t last) {
  return sumOf(batch.schema(), {first, last}, rowsOf(batch, first, last));
}

std::size_t endOfRun(const Batch& batch, std::size_t first, std::uint64_t bytes,
                     std::size_t entries) {
  const std::size_t most =
      first + std::min(batch.entries() - first, std::max(entries, std::size_t{1}));
  std::size_t least = std::min(first + 1, most), end = most;
  while (least < end) { // the end is in [least, end]
    const std::size_t middle = least + (end - least) / 2;
    if (bytesOf(batch, first, middle) >= bytes)
      end = middle;
    else
      least = middle + 1;
  }
  return end;
}

BatchSlice::BatchSlice(const Batch& batch, std::size_t first, std::size_t last,
                       const Schema& schema)
    : m_batch(schema, batch.firstEntry() + first, last - first) {
  m_batch.setOrigins(batch.origins(first, last));
  const std::vector<RowRange> rows = rowsOf(batch, first, last);
  for (TableNumber number = 0; number < schema.size(); ++number) {
    const Table info = schema.table(number);
    const TableView& whole = batch.table(number);
    TableView& part = m_batch.table(number);
    part.rows = rows[number].size();
    if (!whole.present.empty())
      part.present = whole.present.subspan(first, last - first);
    if (info.isCounted()) {
      const RowRange parents = parentsOf(info, {first, last}, rows);
      part.offsets = whole.offsets.subspan(parents.first, parents.size() + 1);
      if (const std::uint32_t begin = part.offsets.front(); begin != 0) {
        auto& shifted = m_offsets.emplace_back(part.offsets.begin(), part.offsets.end());
        for (std::uint32_t& offset : shifted)
          offset -= begin;
        part.offsets = shifted;
      }
    }
    for (const ColumnView& column : whole.members)
      part.members.push_back(
          {column.base ? column.at(rows[number].first) : nullptr, column.stride});
  }
}

} // namespace kaon::detail
