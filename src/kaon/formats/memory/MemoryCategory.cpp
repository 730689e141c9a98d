#include <kaon/formats/memory/MemoryCategory.h>

#include <kaon/batch/MissingPage.h>

#include <algorithm>
#include <utility>

namespace kaon::memory {
namespace {

/// Points to values in memory.
class MemoryCursor final : public detail::Cursor {
public:
  explicit MemoryCursor(const MemoryCategory& category) : m_category(category) {}

  void fetch(std::span<const std::uint32_t> /*columns*/,
             const EntrySelection& /*entries*/) override {}

  [[nodiscard]] detail::PageRange pages(TableNumber /*group*/, std::uint64_t entry) override {
    const std::size_t number = m_category.clusterOf(entry);
    const MemoryCategory::MemoryCluster& cluster = m_category.cluster(number);
    return {cluster.firstEntry, cluster.firstEntry + cluster.batch.entries(), number, 0};
  }

  void read(ColumnNumber columnNumber, const detail::PageRange& range, std::size_t values,
            detail::Page& page) override {
    const Column column = m_category.schema().columns()[columnNumber];
    const Batch& batch = m_category.cluster(range.cluster).batch;
    if (column.table >= batch.schema().size()) // the table was added after this batch
      return fillMissing(m_category.schema(), columnNumber, false, values, m_category.name(), page);
    const TableView& table = batch.table(column.table);
    page.values = values;
    switch (column.role) {
    case ColumnRole::presence:
      page.data = table.present.data();
      break;
    case ColumnRole::counts:
      page.values = table.offsets.size();
      page.data = std::as_bytes(table.offsets).data();
      break;
    case ColumnRole::rows: // never used: all layouts are split
    case ColumnRole::member:
      page.data = table.members[column.member].base;
      break;
    }
  }

private:
  const MemoryCategory& m_category;
};

} // namespace

void MemoryCategory::append(std::unique_ptr<const JoinedBatch> batch) {
  const Schema& schema = batch->schema();
  for (TableNumber table = m_schema.size(); table < schema.size(); ++table)
    m_schema.add(schema.table(table).definition());
  if (batch->entries() == 0)
    return;
  Batch view = batch->batch(m_entries);
  m_clusters.push_back({m_entries, std::move(batch), std::move(view)});
  m_entries += m_clusters.back().batch.entries();
}

std::vector<EntryRange> MemoryCategory::clusters() const {
  std::vector<EntryRange> ranges;
  for (const MemoryCluster& cluster : m_clusters)
    ranges.push_back({cluster.firstEntry, cluster.firstEntry + cluster.batch.entries()});
  return ranges;
}

std::unique_ptr<detail::Cursor> MemoryCategory::cursor() const {
  return std::make_unique<MemoryCursor>(*this);
}

std::uint64_t MemoryCategory::bytes() const noexcept {
  std::uint64_t sum = 0;
  for (const MemoryCluster& cluster : m_clusters)
    sum += cluster.data->bytes();
  return sum;
}

std::size_t MemoryCategory::clusterOf(std::uint64_t entry) const noexcept {
  const auto after = std::ranges::upper_bound(m_clusters, entry, {}, &MemoryCluster::firstEntry);
  return static_cast<std::size_t>(after - m_clusters.begin()) - 1;
}

} // namespace kaon::memory
