#include <kaon/formats/kaon/Cluster.h>

#include <kaon/base/Error.h>
#include <kaon/formats/kaon/Record.h>

#include <algorithm>

namespace kaon::store {

Cluster::Cluster(const io::ByteSource& source, const IndexCluster& index, std::uint64_t fileId,
                 RecordKind kind, std::uint32_t category)
    : m_source(source), m_where(index.position) {
  auto meta = readRecord(source, {source.name(), fileId, kind, index.position}, index.metaSize,
                         m_header, m_meta);
  if (m_header.category != category || m_header.firstEntry != index.firstEntry ||
      m_header.entries != index.entries || m_header.pagesSize != index.pagesSize)
    failDamaged("it has other entries than the index says");
  m_pagesBegin = aligned(index.position + sizeof(RecordHeader) + m_header.metaSize);
  if (m_header.pagesSize > source.size() || m_pagesBegin > source.size() - m_header.pagesSize)
    failDamaged("its pages lie outside the file");
  const auto heads = takeArray<ClusterHead>(meta, 1);
  const ClusterHead head = heads ? heads->front() : ClusterHead{};
  const auto groups = takeArray<ClusterGroup>(meta, head.groups);
  const auto columns = takeArray<ClusterColumn>(meta, head.columns);
  const auto entries = takeArray<PageEntry>(meta, head.pages);
  const auto bounds = takeArray<Bounds>(meta, head.bounds);
  const auto boundaries = takeArray<ClusterBoundary>(meta, head.boundaries);
  if (!heads || !groups || !columns || !entries || !bounds || !boundaries)
    failDamaged("it is too short");
  m_groups = *groups;
  m_columns = *columns;
  m_entries = *entries;
  m_bounds = *bounds;
  m_boundaries = *boundaries;
  m_verified.reset(new std::atomic<bool>[m_entries.size()]());
  check();
}

const ClusterGroup* Cluster::group(std::uint32_t group) const noexcept {
  const auto found = std::ranges::lower_bound(m_groups, group, {}, &ClusterGroup::group);
  return found != m_groups.end() && found->group == group ? &*found : nullptr;
}

const ClusterColumn* Cluster::find(std::uint32_t column) const noexcept {
  const auto found = std::ranges::lower_bound(m_columns, column, {}, &ClusterColumn::column);
  return found != m_columns.end() && found->column == column ? &*found : nullptr;
}

std::span<const PageEntry> Cluster::pages(const ClusterGroup& group, std::uint32_t column) const {
  const ClusterColumn* const found = find(column);
  if (!found)
    return {};
  if (found->firstPage > m_entries.size() || group.pages > m_entries.size() - found->firstPage)
    failDamaged("pages of a column are missing");
  return m_entries.subspan(found->firstPage, group.pages);
}

std::span<const Bounds> Cluster::bounds(const ClusterGroup& group, std::uint32_t column) const {
  const ClusterColumn* const found = find(column);
  if (!found || found->firstBounds == ClusterColumn::none)
    return {};
  if (found->firstBounds > m_bounds.size() || group.pages > m_bounds.size() - found->firstBounds)
    failDamaged("bounds of a column are missing");
  return m_bounds.subspan(found->firstBounds, group.pages);
}

/// What the accessors rely on.
void Cluster::check() const {
  if (m_header.entries == 0)
    failDamaged("it has no entry");
  if (!std::ranges::is_sorted(m_groups, std::ranges::less_equal{}, &ClusterGroup::group) ||
      !std::ranges::is_sorted(m_columns, std::ranges::less_equal{}, &ClusterColumn::column))
    failDamaged("its tables are out of order");
  for (const ClusterGroup& group : m_groups) {
    if (group.pages == 0 || group.firstBoundary > m_boundaries.size() ||
        group.pages > m_boundaries.size() - group.firstBoundary)
      failDamaged("its page boundaries are missing");
    const auto ends = boundaries(group);
    if (ends.front() == 0 || ends.back() != m_header.entries ||
        !std::ranges::is_sorted(ends, std::ranges::less_equal{}))
      failDamaged("its page boundaries are out of order");
  }
  for (const PageEntry& page : m_entries)
    if (page.size > m_header.pagesSize || page.position > m_header.pagesSize - page.size)
      failDamaged("a page lies outside of it");
}

void Cluster::failDamaged(const char* what) const {
  fail(ErrorKind::corrupt, m_source.name(), ": cluster at byte ", m_where, ": ", what,
       "; the file is damaged");
}

} // namespace kaon::store
