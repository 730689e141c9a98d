#include <kaon/formats/kaon/StoredCategory.h>

#include <algorithm>
#include <utility>

namespace kaon::store {

StoredCategory::StoredCategory(const io::ByteSource& bytes, std::uint64_t fileId,
                               std::uint32_t number, CategoryContents contents,
                               const OpenOptions& options)
    : m_bytes(&bytes), m_fileId(fileId), m_number(number),
      m_name(bytes.name() + ":" + contents.name), m_contents(std::move(contents)),
      m_options(options), m_clusters(new LazyCluster[holders()]) {}

std::size_t StoredCategory::clusterOf(std::uint64_t entry) const noexcept {
  const auto after =
      std::ranges::upper_bound(m_contents.clusters, entry, {}, &IndexCluster::firstEntry);
  return static_cast<std::size_t>(after - m_contents.clusters.begin()) - 1;
}

EntryRange StoredCategory::entriesOf(std::size_t cluster) const noexcept {
  const IndexCluster& index = m_contents.clusters[cluster];
  return {index.firstEntry, index.firstEntry + index.entries};
}

std::size_t StoredCategory::holderOf(std::uint32_t group, std::uint64_t entry) const noexcept {
  const auto& tags = m_contents.tags;
  if (!tags.empty() && has(schema().table(group).use, TableUse::tag)) {
    const auto after = std::ranges::upper_bound(tags, entry, {}, &IndexCluster::firstEntry);
    if (after != tags.begin() && entry - (after - 1)->firstEntry < (after - 1)->entries)
      return m_contents.clusters.size() + static_cast<std::size_t>(after - tags.begin()) - 1;
  }
  return clusterOf(entry);
}

const Cluster& StoredCategory::cluster(std::size_t number) const {
  LazyCluster& lazy = m_clusters[number];
  if (const Cluster* const loaded = lazy.loaded.load(std::memory_order_acquire))
    return *loaded;
  const std::lock_guard lock(lazy.loading);
  if (!lazy.owned) {
    const std::size_t clusters = m_contents.clusters.size();
    const bool isTags = number >= clusters;
    lazy.owned = std::make_unique<const Cluster>(
        *m_bytes, isTags ? m_contents.tags[number - clusters] : m_contents.clusters[number],
        m_fileId, isTags ? RecordKind::tags : RecordKind::cluster, m_number);
    lazy.loaded.store(lazy.owned.get(), std::memory_order_release);
  }
  return *lazy.owned;
}

} // namespace kaon::store
