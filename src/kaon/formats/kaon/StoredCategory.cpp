#include <kaon/formats/kaon/StoredCategory.h>

#include <algorithm>
#include <utility>

namespace kaon::store {

StoredCategory::StoredCategory(const io::ByteSource& bytes, std::uint64_t fileId,
                               CategoryContents contents, const OpenOptions& options)
    : m_bytes(&bytes), m_fileId(fileId), m_name(bytes.name() + ":" + contents.name),
      m_contents(std::move(contents)), m_options(options) {}

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

} // namespace kaon::store
