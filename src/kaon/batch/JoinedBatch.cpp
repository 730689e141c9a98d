#include <kaon/batch/JoinedBatch.h>

#include <kaon/base/Error.h>
#include <kaon/batch/BatchRows.h>
#include <kaon/batch/StridedCopy.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace kaon {

JoinedBatch::JoinedBatch(Schema schema) : m_schema(std::move(schema)), m_tables(m_schema.size()) {
  for (std::uint32_t number = 0; number < m_schema.size(); ++number) {
    m_tables[number].members.resize(m_schema.table(number).members.size());
    for (Buffer& member : m_tables[number].members)
      member.reserve(1); // values are somewhere, even if there are none
  }
}

void JoinedBatch::append(const Batch& batch, std::size_t first, std::size_t last) {
  const std::vector<RowRange> ranges = rowsOf(batch, first, last);
  for (std::uint32_t number = 0; number < m_schema.size(); ++number) {
    const Table info = m_schema.table(number);
    const TableView& from = batch.table(number);
    const RowRange range = ranges[number];
    Rows& rows = m_tables[number];
    if (range.size() > std::numeric_limits<std::uint32_t>::max() - rows.count)
      fail(ErrorKind::usage, "'", info.name, "' has more than 4294967295 rows in one batch");
    if (info.canBeAbsent()) {
      if (from.present.empty())
        std::fill_n(rows.present.grow(last - first), last - first, std::byte{1});
      else
        rows.present.append(from.present.subspan(first, last - first));
    }
    if (info.isCounted()) {
      const RowRange parents = info.isRoot() ? RowRange{first, last} : ranges[info.parent];
      appendOffsets(rows, from.offsets.subspan(parents.first, parents.size() + 1));
    }
    for (std::uint32_t member = 0; member < info.members.size(); ++member) {
      if (member >= from.members.size() || !from.members[member].base)
        fail(ErrorKind::usage, "the batch lacks '", m_schema.nameOfMember(number, member), "'");
      const std::size_t size = info.members[member].size();
      copyStrided(rows.members[member].grow(range.size() * size), size,
                  from.members[member].at(range.first), from.members[member].stride, range.size(),
                  size);
    }
    rows.count += range.size();
    m_bytes += std::uint64_t{info.rowSize} * range.size();
  }
  appendRuns(m_origins, batch.origins(first, last));
  m_entries += last - first;
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
  for (std::uint32_t number = 0; number < m_schema.size(); ++number) {
    const Table info = m_schema.table(number);
    const Rows& rows = m_tables[number];
    TableView& table = batch.table(number);
    table.rows = rows.count;
    if (info.isCounted())
      table.offsets = rows.offsets;
    if (info.canBeAbsent())
      table.present = rows.present.bytes();
    for (std::uint32_t member = 0; member < info.members.size(); ++member)
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
