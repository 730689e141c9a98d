#include <kaon/formats/kaonfile/CategorySource.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/codec/Codec.h>
#include <kaon/codec/Encoding.h>
#include <kaon/formats/kaonfile/CategoryCursor.h>
#include <kaon/formats/kaonfile/ClusterMeta.h>
#include <kaon/formats/kaonfile/EncodedCluster.h>
#include <kaon/formats/kaonfile/FileRecord.h>
#include <kaon/formats/kaonfile/PageWriter.h>
#include <kaon/reading/Batches.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace kaon::kaonfile {

/// A cluster as stored in a file.
struct CopiedCluster final : EncodedCluster {
  CopiedCluster(const CategorySource& in, EntryRange which) : source(in), range(which) {
    entries = static_cast<std::uint32_t>(range.size());
    tables = source.schema().size();
  }
  [[nodiscard]] std::size_t bytes() const noexcept override {
    return metaScratch.capacity() + pagesScratch.capacity();
  }
  [[nodiscard]] std::optional<ClusterBytes> written() const noexcept override { return inFile; }
  void readKeysAndTags(std::span<const KeyLocator> wanted, bool wantsTags) override;
  /// Adds pages of further tables, from a writer, behind the stored pages.
  void add(std::span<const std::uint32_t> columns, ClusterMeta& stored, const Schema& schema,
           const PageWriter& further);

  const CategorySource& source;
  EntryRange range;
  ClusterBytes inFile;
  Buffer metaScratch;
  Buffer pagesScratch;
};

void CopiedCluster::add(std::span<const std::uint32_t> columns, ClusterMeta& stored,
                        const Schema& schema, const PageWriter& further) {
  Buffer pages, meta;
  pages.append(inFile.pages);
  const std::uint64_t begin = aligned(pages.size());
  const std::size_t gap = static_cast<std::size_t>(begin) - pages.size();
  std::memset(pages.grow(gap), 0, gap);
  pages.append(further.pages());
  ClusterMetaWriter description(schema, meta);
  for (const ColumnNumber column : columns)
    description.add(column, *stored.column(column));
  for (const auto& [column, written] : further.columns()) {
    ColumnPages moved = written;
    for (PageEntry& page : moved.pages)
      page.position += page.isShort ? 0 : begin;
    description.add(column, moved);
  }
  description.finish();
  metaScratch = std::move(meta);
  pagesScratch = std::move(pages);
  inFile = {metaScratch.bytes(), pagesScratch.bytes()};
  tables = schema.size();
}

void CopiedCluster::readKeysAndTags(std::span<const KeyLocator> wanted, bool wantsTags) {
  keys = {}; // may be those for another file
  tags.clear();
  std::vector<TableMember> members; // tables and their members
  for (TableNumber table = 0; wantsTags && table < source.schema().size(); ++table)
    if (has(source.schema().table(table).use, TableUse::tag))
      members.emplace_back(table, 0);
  for (const KeyLocator& place : wanted)
    if (place.table < source.schema().size())
      members.emplace_back(place.table, place.member);
  if (members.empty())
    return;
  sortUnique(members);
  keys.ranks.resize(wanted.size());
  for (const Batch& batch : Batches(source, {}, std::move(members), range)) {
    if (wantsTags)
      for (const auto& [table, values] : tagsOf(batch))
        tags[table].append(values.bytes());
    BatchKeys some = keysOf(batch, wanted);
    if (some.misfit && !keys.misfit) {
      keys.misfit = std::move(some.misfit);
      keys.misfit->entry += batch.firstEntry() - range.first;
    }
    for (std::size_t key = 0; key < some.ranks.size(); ++key)
      keys.ranks[key].insert(keys.ranks[key].end(), some.ranks[key].begin(), some.ranks[key].end());
  }
}

std::unique_ptr<detail::Cursor> CategorySource::cursor() const {
  return std::make_unique<CategoryCursor>(m_category);
}

std::vector<EntryRange> CategorySource::clusters() const {
  std::vector<EntryRange> ranges;
  ranges.reserve(m_category.contents().clusters.size());
  for (const IndexCluster& cluster : m_category.contents().clusters)
    ranges.push_back({cluster.firstEntry, cluster.firstEntry + cluster.entries});
  return ranges;
}

std::vector<Extremes> CategorySource::extremesOfClusters(TableNumber table,
                                                         MemberNumber /*member*/) const {
  const auto& bounds = m_category.contents().keyBounds;
  const auto key = static_cast<std::size_t>(std::ranges::find(m_keys, table) - m_keys.begin());
  std::vector<Extremes> extremes;
  for (std::size_t i = key; key < m_keys.size() && i < bounds.size(); i += m_keys.size())
    extremes.push_back(extremesOf({bounds[i], PageFlags::none}));
  return extremes;
}

std::optional<Extremes> CategorySource::extremes(TableNumber table, MemberNumber member,
                                                 std::size_t cluster) const {
  const std::optional<PageBounds> bounds = clusterBounds(table, member, cluster);
  return bounds ? std::optional(extremesOf(*bounds)) : std::nullopt;
}

/// Returns nothing if the cluster has no values of the member.
std::optional<PageBounds> CategorySource::clusterBounds(TableNumber table, MemberNumber member,
                                                        std::size_t cluster) const {
  const auto& keyBounds = m_category.contents().keyBounds;
  const auto key = static_cast<std::size_t>(std::ranges::find(m_keys, table) - m_keys.begin());
  if (!keyBounds.empty() && key < m_keys.size())
    return PageBounds{keyBounds[cluster * m_keys.size() + key], PageFlags::none};
  const ColumnNumber column = schema().place(table, member).column;
  ClusterMeta meta = m_category.meta();
  meta.open(m_category.index(cluster), RecordKind::cluster);
  const ColumnPages* const pages = meta.column(column);
  if (!pages)
    return std::nullopt;
  const std::uint32_t first = membersIn(schema(), schema().columns()[column]).first;
  PageBounds all;
  for (std::size_t i = member - first; i < pages->bounds.size(); i += pages->members())
    all.add(pages->bounds[i], schema().table(table).members[member].type);
  return all;
}

std::optional<ColumnUsage> CategorySource::usage(ColumnNumber column) const {
  ColumnUsage usage;
  std::map<std::pair<Encoding, Codec>, std::uint64_t> bytesBy;
  ClusterMeta meta = m_category.meta();
  for (std::size_t number = 0; number < m_category.holders(); ++number) {
    meta.open(m_category.index(number), m_category.kindOf(number));
    const ColumnPages* const pages = meta.column(column);
    if (!pages)
      continue;
    for (const PageEntry& page : pages->pages) {
      usage.values += number < m_category.contents().clusters.size() ? page.values : 0;
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

bool CategorySource::isLarge(std::size_t number) const {
  constexpr std::uint64_t least = std::uint64_t{512} << 10; // stored bytes
  constexpr std::uint64_t leastDecoded = 4 << 20; // decoded bytes, for well compressed clusters
  const IndexCluster& cluster = m_category.index(number);
  if (cluster.metaSize + cluster.pagesSize >= least)
    return true;
  std::uint64_t decoded = 0;
  ClusterMeta meta = m_category.meta();
  meta.open(cluster, RecordKind::cluster);
  for (const ColumnNumber column : meta.columns())
    for (const PageEntry& page : meta.column(column)->pages)
      decoded += page.values * std::uint64_t{schema().columns()[column].elementSize};
  return decoded >= leastDecoded;
}

Codec CategorySource::codecOfCluster(std::size_t number) const {
  ClusterMeta meta = m_category.meta();
  meta.open(m_category.index(number), RecordKind::cluster);
  for (const ColumnNumber column : meta.columns())
    for (const PageEntry& page : meta.column(column)->pages)
      if (const auto codec = static_cast<Codec>(page.codec); codec != Codec::none)
        return codec;
  return Codec::none;
}

std::unique_ptr<detail::EncodedBatch> CategorySource::storedCluster(std::size_t number) const {
  return copiedCluster(number);
}

std::unique_ptr<CopiedCluster> CategorySource::copiedCluster(std::size_t number) const {
  const io::ByteSource& bytes = m_category.bytes();
  const IndexCluster& index = m_category.index(number);
  auto cluster = std::make_unique<CopiedCluster>(*this, m_category.entriesOf(number));
  const ClusterIdentity identity{m_category.file(), RecordKind::cluster,
                                 m_category.contents().number, index};
  RecordHeader header;
  Buffer scratch;
  cluster->metaScratch.append(
      readRecord(bytes, {bytes.name(), identity.file.id, identity.kind, index.position},
                 index.metaSize, header, scratch));
  // Copying seals the blocks anew, so they must be sound here.
  ClusterMeta described = m_category.meta();
  described.open(index, identity.kind);
  if (const auto mistake = identity.mistakeIn(header); !mistake.empty())
    described.failDamaged(mistake);
  if (blocksIn(cluster->metaScratch.bytes()) != index.blocks)
    described.failDamaged("it has other columns than the index says");
  (void)described.columns(); // checks all blocks
  sealBlocks({cluster->metaScratch.data(), cluster->metaScratch.size()}, identity.seal());
  cluster->inFile.meta = cluster->metaScratch.bytes();
  const std::uint64_t pages = aligned(index.position + sizeof header + index.metaSize);
  if (header.pagesSize > 0)
    cluster->inFile.pages =
        bytes.view(pages, static_cast<std::size_t>(header.pagesSize), cluster->pagesScratch);
  for (const std::uint32_t key : m_keys)
    if (const std::optional<PageBounds> bounds = clusterBounds(key, 0, number))
      cluster->bounds[key] = bounds->bounds;
  return cluster;
}

std::unique_ptr<detail::EncodedBatch>
CategorySource::storedCluster(std::size_t number, const Batch& further,
                              const SinkOptions& options) const {
  std::unique_ptr<CopiedCluster> cluster = copiedCluster(number);
  ClusterMeta stored = m_category.meta();
  stored.open(m_category.index(number), RecordKind::cluster);
  const std::vector<std::uint32_t> columns = stored.columns();
  for (const ColumnNumber column : columns)
    for (const PageEntry& page : stored.column(column)->pages)
      if (const auto codec = static_cast<Codec>(page.codec);
          codec != Codec::none && codec != options.codec.codec)
        return nullptr;
  const Schema& all = further.schema();
  if (all.size() == schema().size())
    return cluster;
  for (TableNumber table = schema().size(); table < all.size(); ++table)
    if (all.groupOf(table) < schema().size() && stored.ends(all.groupOf(table)).empty())
      return nullptr; // The group has only new tables.
  PageWriter writer(options);
  writer.encodeFrom(further, schema().size(), [&](TableNumber group) {
    return group < schema().size() ? stored.ends(group) : std::span<const std::uint32_t>();
  });
  cluster->add(columns, stored, all, writer);
  return cluster;
}

void CategorySource::addOverheads(std::vector<Overhead>& overheads) const {
  std::uint64_t pages = 0, meta = 0, all = 0;
  ClusterMeta described = m_category.meta();
  for (std::size_t number = 0; number < m_category.holders(); ++number) {
    const IndexCluster& cluster = m_category.index(number);
    const auto header = recordAt(m_category.bytes(), m_category.file().id, cluster.position);
    if (!header)
      continue;
    all += extentOf(m_category.bytes(), *header, cluster.position);
    meta += sizeof *header + header->metaSize;
    described.open(cluster, m_category.kindOf(number));
    for (const ColumnNumber column : described.columns())
      for (const PageEntry& page : described.column(column)->pages) {
        pages += page.size;
        meta -= page.isShort ? page.size : 0; // Short pages are part of the meta bytes.
      }
  }
  overheads.push_back({m_category.contents().name, "meta", meta});
  overheads.push_back({m_category.contents().name, "padding", all - std::min(all, meta + pages)});
}

} // namespace kaon::kaonfile
