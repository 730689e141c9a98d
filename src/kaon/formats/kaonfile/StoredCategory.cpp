#include <kaon/formats/kaonfile/StoredCategory.h>

#include <kaon/detail/io/FetchedRanges.h>

#include <algorithm>
#include <utility>

namespace kaon::kaonfile {

StoredCategory::StoredCategory(const io::ByteSource& bytes, FileIdentity file,
                               CategoryContents contents, const OpenOptions& options)
    : m_bytes(&bytes), m_file(file), m_name(bytes.name() + ":" + contents.name),
      m_contents(std::move(contents)), m_options(options),
      m_records(bytes.isInMemory() ? nullptr : new Record[holders()]) {}

std::size_t StoredCategory::clusterOf(std::uint64_t entry) const noexcept {
  const auto after =
      std::ranges::upper_bound(m_contents.clusters, entry, {}, &IndexCluster::firstEntry);
  return static_cast<std::size_t>(after - m_contents.clusters.begin()) - 1;
}

EntryRange StoredCategory::entriesOf(std::size_t cluster) const noexcept {
  const IndexCluster& index = m_contents.clusters[cluster];
  return {index.firstEntry, index.firstEntry + index.entries};
}

std::size_t StoredCategory::holderOf(TableNumber group, std::uint64_t entry) const noexcept {
  const auto& tags = m_contents.tags;
  if (!tags.empty() && has(schema().block().tables[group].use, TableUse::tag)) {
    const auto after = std::ranges::upper_bound(tags, entry, {}, &IndexCluster::firstEntry);
    if (after != tags.begin() && entry - (after - 1)->firstEntry < (after - 1)->entries)
      return m_contents.clusters.size() + static_cast<std::size_t>(after - tags.begin()) - 1;
  }
  return clusterOf(entry);
}

std::span<const std::byte> StoredCategory::record(std::size_t number,
                                                  const IsWanted& isWanted) const {
  const auto range = ClusterMeta::wholeRange(index(number));
  if (!m_records || !range)
    return {};
  Record& record = m_records[number];
  if (!record.isKnown.load(std::memory_order_acquire)) {
    std::unique_lock lock(record.reading);
    if (!record.isKnown.load(std::memory_order_relaxed))
      readRecords(number, isWanted, std::move(lock));
  }
  return record.bytes.bytes();
}

/// Reads a record and, in the same request, following wanted records that cost little extra time.
void StoredCategory::readRecords(std::size_t number, const IsWanted& isWanted,
                                 std::unique_lock<std::mutex> claim) const {
  constexpr std::uint64_t mostBytes = std::uint64_t{64} << 10;
  std::vector<io::ByteRange> ranges{*ClusterMeta::wholeRange(index(number))};
  std::vector<std::pair<std::size_t, std::unique_lock<std::mutex>>> further;
  for (std::size_t next = number + 1;
       next < holders() && io::bytesIn(ranges) < mostBytes && isWanted(next); ++next) {
    const auto range = ClusterMeta::wholeRange(index(next));
    if (!range || range->offset > m_bytes->size() || range->count > m_bytes->size() - range->offset)
      break; // Reading it reports the mistake.
    if (auto right = claimRecord(next)) {
      ranges.push_back(*range);
      further.emplace_back(next, std::move(right));
    }
  }
  Buffer scratch;
  const auto views = m_bytes->views(ranges, scratch);
  keepRecord(number, views.front(), std::move(claim));
  for (std::size_t i = 0; i < further.size(); ++i)
    keepRecord(further[i].first, views[i + 1], std::move(further[i].second));
}

std::unique_lock<std::mutex> StoredCategory::claimRecord(std::size_t number) const {
  if (!m_records || !ClusterMeta::wholeRange(index(number)))
    return {};
  Record& record = m_records[number];
  std::unique_lock lock(record.reading, std::try_to_lock);
  if (lock && record.isKnown.load(std::memory_order_relaxed))
    lock.unlock();
  return lock;
}

void StoredCategory::keepRecord(std::size_t number, std::span<const std::byte> bytes,
                                std::unique_lock<std::mutex>) const {
  Record& record = m_records[number];
  record.bytes.append(bytes);
  record.isKnown.store(true, std::memory_order_release);
}

} // namespace kaon::kaonfile
