#include <kaon/dataset/PartBatches.h>

#include <kaon/base/Error.h>
#include <kaon/dataset/DatasetParts.h>

namespace kaon {

void PartBatches::begin(const detail::DatasetPart& part, std::span<const std::uint32_t> numbers) {
  m_source = part.source;
  m_tables.clear();
  m_members.clear();
  const Schema& schema = m_source->schema();
  for (TableNumber table = 0; table < schema.size(); ++table) {
    if (numbers[table] == Table::none)
      continue;
    m_tables.push_back(table);
    for (MemberNumber member = 0; member < schema.table(table).members.size(); ++member)
      m_members.emplace_back(table, member);
  }
  m_batches.emplace(*m_source, m_tables, m_members,
                    EntryRange{part.clusters.front().first, part.clusters.back().last}, part.file);
  m_isLoaded = false;
}

/// Moves to the batch with an entry. Batches before it are not decoded.
EntryRange PartBatches::rangeAt(std::uint64_t entry) {
  while (entry >= m_batches->batch().firstEntry() + m_batches->batch().entries()) {
    if (!m_batches->advance())
      fail(ErrorKind::corrupt, m_source->name(), ": has no entry ", entry);
    m_isLoaded = false;
  }
  const Batch& batch = m_batches->batch();
  return {batch.firstEntry(), batch.firstEntry() + batch.entries()};
}

const Batch& PartBatches::at(std::uint64_t entry) {
  (void)rangeAt(entry);
  if (!std::exchange(m_isLoaded, true)) {
    for (const TableNumber table : m_tables)
      m_batches->loadRows(table);
    for (const auto& [table, member] : m_members)
      m_batches->loadMember(table, member);
  }
  return m_batches->batch();
}

} // namespace kaon
