#include <kaon/store/Cluster.h>

#include <kaon/base/Hash.h>

#include <algorithm>

namespace kaon::store {
namespace {

/// Takes `count` things off the front of `bytes`; they are aligned, as records are.
template <class T>
std::optional<std::span<const T>> takeArray(std::span<const std::byte>& bytes,
                                            std::uint32_t count) {
  if (count > bytes.size() / sizeof(T))
    return std::nullopt;
  const std::span<const T> things(reinterpret_cast<const T*>(bytes.data()), count);
  bytes = bytes.subspan(count * sizeof(T));
  return things;
}

} // namespace

RecordHeader readRecord(const io::ByteSource& source, std::uint64_t position, std::uint64_t fileId,
                        RecordKind kind, std::span<const std::byte>& meta, Buffer& scratch) {
  const auto header =
      loadAs<RecordHeader>(source.view(position, sizeof(RecordHeader), scratch).data());
  const auto damaged = [&](const char* what) {
    fail(ErrorKind::corrupt, source.name(), ": byte ", position, ": ", what,
         "; the file is damaged");
  };
  if (header.magic != recordMagic ||
      header.checksum != checksum(bytesBefore(header, offsetof(RecordHeader, checksum))))
    damaged("no record of a kaon file");
  if (header.fileId != fileId || header.kind != kind)
    damaged("a record of another file or kind");
  const std::uint64_t metaBegin = position + sizeof(RecordHeader);
  meta = source.view(metaBegin, header.metaSize, scratch);
  if (header.metaChecksum != checksum(meta))
    damaged("the record does not match its checksum");
  return header;
}

Cluster::Cluster(const io::ByteSource& source, std::uint64_t position, std::uint64_t fileId)
    : m_where(source.name() + ": cluster at byte " + std::to_string(position)) {
  std::span<const std::byte> meta;
  m_header = readRecord(source, position, fileId, RecordKind::cluster, meta, m_meta);
  if (reinterpret_cast<std::uintptr_t>(meta.data()) % alignof(PageEntry) != 0) {
    m_meta.append(meta); // the source lies in memory at an odd address
    meta = m_meta.bytes();
  }
  m_pagesBegin = aligned(position + sizeof(RecordHeader) + m_header.metaSize);
  if (m_header.pagesSize > source.size() || m_pagesBegin > source.size() - m_header.pagesSize)
    failDamaged("its pages lie outside the file");
  const auto heads = takeArray<ClusterHead>(meta, 1);
  if (!heads)
    failDamaged("it is too short");
  const ClusterHead head = heads->front();
  const auto groups = takeArray<ClusterGroup>(meta, head.groups);
  const auto columns = takeArray<ClusterColumn>(meta, head.columns);
  const auto entries = takeArray<PageEntry>(meta, head.pages);
  const auto boundaries = takeArray<ClusterBoundary>(meta, head.boundaries);
  if (!groups || !columns || !entries || !boundaries)
    failDamaged("it is too short");
  m_groups = *groups;
  m_columns = *columns;
  m_entries = *entries;
  m_boundaries = *boundaries;
  m_verified.reset(new std::atomic<bool>[m_entries.size()]());
  check();
}

const ClusterGroup* Cluster::group(std::uint32_t table) const noexcept {
  const auto found = std::ranges::lower_bound(m_groups, table, {}, &ClusterGroup::table);
  return found != m_groups.end() && found->table == table ? &*found : nullptr;
}

std::span<const PageEntry> Cluster::pages(const ClusterGroup& group,
                                          std::uint32_t column) const noexcept {
  const auto found = std::ranges::lower_bound(m_columns, column, {}, &ClusterColumn::column);
  if (found == m_columns.end() || found->column != column || found->firstPage > m_entries.size() ||
      group.pages > m_entries.size() - found->firstPage)
    return {};
  return m_entries.subspan(found->firstPage, group.pages);
}

/// What the accessors rely on.
void Cluster::check() const {
  if (m_header.entries == 0)
    failDamaged("it has no entry");
  if (!std::ranges::is_sorted(m_groups, std::ranges::less_equal{}, &ClusterGroup::table) ||
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
  fail(ErrorKind::corrupt, m_where, ": ", what, "; the file is damaged");
}

} // namespace kaon::store
