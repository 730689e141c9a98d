#include <kaon/formats/kaon/CategorySource.h>

#include <kaon/codec/Codec.h>
#include <kaon/codec/Encoding.h>
#include <kaon/formats/kaon/CategoryCursor.h>
#include <kaon/formats/kaon/Record.h>

#include <algorithm>
#include <map>
#include <utility>

namespace kaon::store {
namespace {

Extremes extremesOf(const PageBounds& found) {
  return {found.bounds.least, found.bounds.greatest, has(found.flags, PageFlags::unbounded),
          has(found.flags, PageFlags::hasNaN)};
}

} // namespace

CategorySource::CategorySource(const io::ByteSource& bytes, std::uint64_t fileId,
                               std::uint32_t number, CategoryContents contents,
                               const OpenOptions& options)
    : m_bytes(&bytes), m_fileId(fileId), m_number(number),
      m_name(bytes.name() + ":" + contents.name), m_contents(std::move(contents)),
      m_options(options),
      m_clusters(new LazyCluster[m_contents.clusters.size() + m_contents.tags.size()]) {}

std::unique_ptr<Cursor> CategorySource::cursor() const {
  return std::make_unique<CategoryCursor>(*this);
}

std::vector<EntryRange> CategorySource::clusters() const {
  std::vector<EntryRange> ranges;
  ranges.reserve(m_contents.clusters.size());
  for (const IndexCluster& cluster : m_contents.clusters)
    ranges.push_back({cluster.firstEntry, cluster.firstEntry + cluster.entries});
  return ranges;
}

std::size_t CategorySource::clusterOf(std::uint64_t entry) const noexcept {
  const auto after =
      std::ranges::upper_bound(m_contents.clusters, entry, {}, &IndexCluster::firstEntry);
  return static_cast<std::size_t>(after - m_contents.clusters.begin()) - 1;
}

EntryRange CategorySource::entriesOf(std::size_t cluster) const noexcept {
  const IndexCluster& index = m_contents.clusters[cluster];
  return {index.firstEntry, index.firstEntry + index.entries};
}

std::size_t CategorySource::holderOf(std::uint32_t group, std::uint64_t entry) const noexcept {
  const auto& tags = m_contents.tags;
  if (!tags.empty() && has(schema().table(group).use, TableUse::tag)) {
    const auto after = std::ranges::upper_bound(tags, entry, {}, &IndexCluster::firstEntry);
    if (after != tags.begin() && entry - (after - 1)->firstEntry < (after - 1)->entries)
      return m_contents.clusters.size() + static_cast<std::size_t>(after - tags.begin()) - 1;
  }
  return clusterOf(entry);
}

std::optional<Extremes> CategorySource::extremes(std::uint32_t column,
                                                 const PageRange& range) const {
  const Cluster& holder = cluster(static_cast<std::size_t>(range.cluster));
  const ClusterGroup* const group = holder.group(groupOf(column));
  if (!group)
    return std::nullopt;
  const auto bounds = holder.bounds(*group, column);
  const auto pages = holder.pages(*group, column);
  if (range.page >= bounds.size() || range.page >= pages.size())
    return std::nullopt;
  return extremesOf({bounds[range.page], pages[range.page].flags});
}

std::optional<Extremes> CategorySource::clusterExtremes(std::uint32_t column,
                                                        std::size_t number) const {
  const Column& info = schema().columns()[column];
  if (!m_contents.keyBounds.empty() && has(schema().table(info.table).use, TableUse::key)) {
    const auto keys = m_contents.keyTables();
    const auto key = static_cast<std::size_t>(std::ranges::find(keys, info.table) - keys.begin());
    return extremesOf({m_contents.keyBounds[number * keys.size() + key], PageFlags::none});
  }
  const Cluster& holder = cluster(number);
  const ClusterGroup* const group = holder.group(groupOf(column));
  if (!group || !hasBounds(info))
    return std::nullopt;
  const auto bounds = holder.bounds(*group, column);
  const auto pages = holder.pages(*group, column);
  if (bounds.empty() || pages.empty())
    return std::nullopt;
  PageBounds all;
  for (std::size_t page = 0; page < bounds.size(); ++page)
    all.add({bounds[page], pages[page].flags},
            schema().table(info.table).members[info.member].type);
  return extremesOf(all);
}

std::optional<ColumnUsage> CategorySource::usage(std::uint32_t column) const {
  ColumnUsage usage;
  std::map<std::pair<Encoding, Codec>, std::uint64_t> bytesBy;
  for (std::size_t number = 0; number < m_contents.clusters.size() + m_contents.tags.size();
       ++number) {
    const Cluster& holder = cluster(number);
    const ClusterGroup* const group = holder.group(groupOf(column));
    if (!group)
      continue;
    for (const PageEntry& page : holder.pages(*group, column)) {
      usage.values += number < m_contents.clusters.size() ? page.values : 0;
      usage.storedBytes += page.size;
      bytesBy[{page.encoding, static_cast<Codec>(page.codec)}] += page.size;
    }
  }
  usage.decodedBytes = usage.values * schema().columns()[column].elementSize;
  for (const auto& [form, bytes] : bytesBy)
    usage.forms.push_back({form.first, form.second, bytes});
  std::ranges::sort(usage.forms, std::ranges::greater{}, &StoredForm::bytes);
  return usage;
}

const Cluster& CategorySource::cluster(std::size_t number) const {
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

void CategorySource::addOverheads(std::vector<Overhead>& overheads) const {
  std::uint64_t pages = 0, meta = 0, all = 0;
  for (const auto* clusters : {&m_contents.clusters, &m_contents.tags})
    for (const IndexCluster& cluster : *clusters)
      if (const auto header = recordAt(*m_bytes, m_fileId, cluster.position)) {
        all += extentOf(*m_bytes, *header, cluster.position);
        meta += sizeof *header + header->metaSize;
      }
  for (std::uint32_t column = 0; column < schema().columns().size(); ++column)
    pages += usage(column)->storedBytes;
  overheads.push_back({m_contents.name, "meta", meta});
  overheads.push_back({m_contents.name, "padding", all - std::min(all, meta + pages)});
}

} // namespace kaon::store
