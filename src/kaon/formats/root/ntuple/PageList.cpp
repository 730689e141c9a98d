#include <kaon/formats/root/ntuple/PageList.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/ntuple/Envelope.h>

#include <limits>
#include <utility>

namespace kaon::root {
namespace {

constexpr std::uint64_t mostEntries = std::uint64_t{1} << 40; // of a cluster

/// Reads the first entry and the number of entries.
Cluster takeSummary(ByteReader& list) {
  constexpr std::uint64_t entryMask = (std::uint64_t{1} << 56) - 1;
  ByteReader record = takeRecord(list);
  Cluster cluster;
  cluster.firstEntry = record.get<std::uint64_t>();
  const auto word = record.get<std::uint64_t>();
  cluster.entries = word & entryMask;
  if ((word & ~entryMask) != 0)
    fail(ErrorKind::version, record.where(), ": a cluster has flags that kaon does not know");
  if (cluster.entries > mostEntries)
    failDamaged(record, "a cluster claims more entries than it can have");
  return cluster;
}

Cluster::Column takePages(ByteReader& columns, std::vector<PageLocator>& pages) {
  ItemList list = takeList(columns);
  Cluster::Column column;
  column.firstPage = static_cast<std::uint32_t>(pages.size());
  column.pages = list.count;
  for (std::uint32_t i = 0; i < list.count; ++i) {
    const auto elements = list.items.get<std::int32_t>();
    PageLocator page;
    page.hasChecksum = elements < 0;
    page.elements = elements < 0 ? 0U - static_cast<std::uint32_t>(elements)
                                 : static_cast<std::uint32_t>(elements);
    page.firstElement = column.elements;
    page.place = takeLocator(list.items);
    column.elements += page.elements;
    pages.push_back(page);
  }
  column.isThere = list.items.get<std::int64_t>() >= 0; // otherwise the column is suppressed
  if (column.isThere)
    column.compression = list.items.get<std::uint32_t>();
  else if (list.count > 0)
    failDamaged(columns, "a column that does not exist has pages");
  if (pages.size() > std::numeric_limits<std::uint32_t>::max())
    failDamaged(columns, "a cluster has more pages than it can have");
  return column;
}

/// Reads the page list of one group.
void takePageList(ByteReader& reader, const NTupleDescriptor& descriptor, const ClusterGroup& group,
                  std::vector<Cluster>& clusters) {
  if (reader.get<std::uint64_t>() != descriptor.headerChecksum)
    failDamaged(reader, "belongs to another header");
  ItemList summaries = takeList(reader);
  ItemList pages = takeList(reader);
  if (summaries.count != group.clusters || pages.count != group.clusters)
    failDamaged(reader, "has another number of clusters than the footer says");
  for (std::uint32_t i = 0; i < group.clusters; ++i) {
    Cluster cluster = takeSummary(summaries.items);
    ItemList columns = takeList(pages.items);
    if (columns.count > descriptor.columns.size())
      failDamaged(reader, "has more columns than the header");
    cluster.columns.reserve(columns.count);
    for (std::uint32_t column = 0; column < columns.count; ++column)
      cluster.columns.push_back(takePages(columns.items, cluster.pages));
    const std::uint64_t expected =
        clusters.empty() ? 0 : clusters.back().firstEntry + clusters.back().entries;
    if (cluster.firstEntry != expected)
      failDamaged(reader, "the clusters do not follow one another");
    if (cluster.entries > 0)
      clusters.push_back(std::move(cluster));
  }
}

} // namespace

std::vector<Cluster> readClusters(const io::ByteSource& bytes, const NTupleDescriptor& descriptor,
                                  const std::string& where) {
  std::vector<io::ByteRange> ranges;
  // Bytes of the file that are not used yet; lists do not overlap.
  std::uint64_t left = bytes.size();
  const auto isWhole = [&](const ClusterGroup& group) {
    return descriptor.maxKeySize == 0 || group.pageList.place.bytes <= descriptor.maxKeySize;
  };
  for (const ClusterGroup& group : descriptor.groups) {
    const Locator& place = group.pageList.place;
    if (place.bytes > left)
      fail(ErrorKind::corrupt, where,
           ": the page lists are larger than the file, which is damaged");
    left -= place.bytes;
    ranges.push_back({place.position, isWhole(group) ? place.bytes : std::uint64_t{0}});
  }
  Buffer scratch, pieces, room;
  const auto views = bytes.views(ranges, scratch);
  std::vector<Cluster> clusters;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const ClusterGroup& group = descriptor.groups[i];
    const std::string name = where + ": page list " + std::to_string(i);
    const auto stored =
        isWhole(group) ? views[i]
                       : readBlob(bytes, group.pageList.place, descriptor.maxKeySize, pieces, name);
    const Envelope envelope =
        openEnvelope(stored, EnvelopeType::pageList, group.pageList.length, room, name);
    ByteReader reader(envelope.payload, name);
    takePageList(reader, descriptor, group, clusters);
  }
  return clusters;
}

} // namespace kaon::root
