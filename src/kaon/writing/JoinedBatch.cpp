#include <kaon/writing/JoinedBatch.h>

#include <kaon/base/Error.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/detail/batch/StridedCopy.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

namespace kaon {
namespace {

/// Copies ranges of values one after another. Selected entries have few rows each. Copying 64 bytes
/// at once is faster than copying the exact number; the next range overwrites the excess.
void copyRanges(std::span<const detail::RowRange> ranges, const std::byte* in,
                const std::byte* inEnd, std::span<std::byte> to, std::size_t size) noexcept {
  constexpr std::ptrdiff_t most = 64;
  std::byte* out = to.data();
  std::byte* const outEnd = out + to.size();
  for (const detail::RowRange range : ranges) {
    const std::byte* const from = in + range.first * size;
    const auto bytes = static_cast<std::ptrdiff_t>(range.size() * size);
    if (bytes <= most && inEnd - from >= most && outEnd - out >= most)
      std::memcpy(out, from, most);
    else if (bytes > 0)
      std::memcpy(out, from, static_cast<std::size_t>(bytes));
    out += bytes;
  }
}

} // namespace

JoinedBatch::JoinedBatch(Schema schema) : m_schema(std::move(schema)), m_tables(m_schema.size()) {
  for (TableNumber number = 0; number < m_schema.size(); ++number) {
    m_tables[number].members.resize(m_schema.table(number).members.size());
    for (Buffer& member : m_tables[number].members)
      member.reserve(1); // values need an address, even without rows
  }
}

void JoinedBatch::append(const Batch& batch, std::span<const detail::RowRange> entries) {
  m_ranges.resize(m_schema.size());
  for (TableNumber number = 0; number < m_schema.size(); ++number) {
    const Table info = m_schema.table(number);
    const TableView& from = batch.table(number);
    const std::span<const detail::RowRange> above = info.isRoot() ? entries : m_ranges[info.parent];
    Rows& rows = m_tables[number];
    const std::size_t count = findRows(batch, number, above);
    if (count > std::numeric_limits<std::uint32_t>::max() - rows.count)
      fail(ErrorKind::usage, "'", info.name, "' has more than 4294967295 rows in one batch");
    for (const detail::RowRange range : above) {
      if (info.canBeAbsent() && from.present.empty())
        std::fill_n(rows.present.grow(range.size()), range.size(), std::byte{1});
      else if (info.canBeAbsent())
        rows.present.append(from.present.subspan(range.first, range.size()));
      if (info.isCounted())
        appendOffsets(rows, from.offsets.subspan(range.first, range.size() + 1));
    }
    for (MemberNumber member = 0; member < info.members.size(); ++member) {
      if (member >= from.members.size() || !from.members[member].base)
        fail(ErrorKind::usage, "the batch lacks '", m_schema.nameOfMember(number, member), "'");
      const std::size_t size = info.members[member].size();
      std::byte* out = rows.members[member].grow(count * size);
      const ColumnView& in = from.members[member];
      if (in.stride == size) {
        copyRanges(m_ranges[number], in.base, in.at(from.rows), {out, count * size}, size);
        continue;
      }
      for (const detail::RowRange range : m_ranges[number]) {
        detail::copyStrided(out, size, in.at(range.first), in.stride, range.size(), size);
        out += range.size() * size;
      }
    }
    rows.count += count;
    m_bytes += std::uint64_t{info.rowSize} * count;
  }
  for (const detail::RowRange range : entries) {
    if (batch.hasOrigins())
      detail::appendRuns(m_origins, batch.origins(range.first, range.last));
    else
      detail::appendRuns(m_origins, std::array{detail::FileEntries{nullptr, 0, range.size()}});
    m_entries += range.size();
  }
}

/// Finds a table's rows under these rows of its parent, or under these entries. Returns their
/// number.
std::size_t JoinedBatch::findRows(const Batch& batch, TableNumber table,
                                  std::span<const detail::RowRange> above) {
  const bool isCounted = m_schema.table(table).isCounted();
  std::vector<detail::RowRange>& ranges = m_ranges[table];
  ranges.clear();
  std::size_t count = 0;
  for (const detail::RowRange range : above) {
    const detail::RowRange rows = isCounted ? detail::rowsUnder(batch, table, range) : range;
    count += rows.size();
    if (!ranges.empty() && ranges.back().last == rows.first)
      ranges.back().last = rows.last;
    else
      ranges.push_back(rows);
  }
  return count;
}

void JoinedBatch::appendOffsets(Rows& rows, std::span<const std::uint32_t> offsets) {
  const std::uint32_t shift = rows.offsets.back() - offsets.front(); // modulo 2^32
  const std::size_t before = rows.offsets.size();
  rows.offsets.resize(before + offsets.size() - 1);
  for (std::size_t i = 1; i < offsets.size(); ++i)
    rows.offsets[before + i - 1] = offsets[i] + shift;
  m_bytes += sizeof(std::uint32_t) * (offsets.size() - 1);
}

Batch JoinedBatch::batch(std::uint64_t firstEntry) const {
  Batch batch(m_schema, firstEntry, m_entries);
  batch.setOrigins(m_origins);
  for (TableNumber number = 0; number < m_schema.size(); ++number) {
    const Table info = m_schema.table(number);
    const Rows& rows = m_tables[number];
    TableView& table = batch.table(number);
    table.rows = rows.count;
    if (info.isCounted())
      table.offsets = rows.offsets;
    if (info.canBeAbsent())
      table.present = rows.present.bytes();
    for (MemberNumber member = 0; member < info.members.size(); ++member)
      table.members.push_back({rows.members[member].data(), info.members[member].size()});
  }
  return batch;
}

void JoinedBatch::clear() {
  m_mostBytes = mostBytes();
  for (Rows& rows : m_tables) {
    rows.count = 0;
    rows.offsets.assign(1, 0);
    rows.present.clear();
    for (Buffer& member : rows.members)
      member.clear();
  }
  m_origins.clear();
  m_entries = 0;
  m_bytes = 0;
}

} // namespace kaon
