#include <kaon/formats/kaonfile/CategoryCursor.h>

#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/base/Wording.h>
#include <kaon/batch/MissingPage.h>
#include <kaon/codec/Decompressors.h>
#include <kaon/codec/PageEncoding.h>
#include <kaon/codec/PartEncoding.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/io/MappedBytes.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

namespace kaon::kaonfile {
namespace {

/// Smaller pages are copied from a map before they are decoded, because checkUnchanged() would take
/// longer.
constexpr std::size_t leastInPlace = 4096;

} // namespace

CategoryCursor::CategoryCursor(const StoredCategory& category)
    : m_category(category), m_cluster{.meta = category.meta()}, m_next{.meta = category.meta()},
      m_tags{.meta = category.meta()},
      m_reads(category.bytes(), category.options().memoryBudget,
              [this](std::uint64_t entry) { return portionAt(entry); }) {}

/// Returns a cluster or tags record by number. Only the last cluster and the last tags record stay
/// loaded.
ClusterMeta& CategoryCursor::holder(std::size_t number) {
  const bool isTags = number >= m_category.contents().clusters.size();
  Holder& holder = isTags ? m_tags : m_cluster;
  if (holder.number == number)
    return holder.meta;
  if (m_next.number == number) {
    std::swap(m_cluster, m_next);
    return m_cluster.meta;
  }
  holder.number = ~std::size_t{0};
  holder.meta.open(
      m_category.index(number), m_category.kindOf(number),
      m_category.record(number, [this](std::size_t next) { return needsCluster(next); }));
  holder.number = number;
  return holder.meta;
}

/// Returns whether the page descriptions of a cluster are needed for the planned columns. Without
/// planned columns, checks the last requested group.
bool CategoryCursor::needsCluster(std::size_t number) const {
  if (number >= m_category.contents().clusters.size())
    return false; // a tags record
  const EntryRange entries = m_category.entriesOf(number);
  const auto isInCluster = [&](TableNumber group) {
    return m_category.holderOf(group, entries.first) == number;
  };
  if (!m_reads.isPlanned(entries))
    return false;
  return m_columns.empty() ? isInCluster(m_group)
                           : std::ranges::any_of(m_columns, [&](ColumnNumber column) {
                               return isInCluster(m_category.groupOf(column));
                             });
}

void CategoryCursor::fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) {
  m_columns.assign(columns.begin(), columns.end());
  m_reads.plan(entries.within({0, m_category.contents().entries}));
}

/// Returns the cluster of an entry, or its tags record if only tags are planned; or the part of
/// them around the entry whose pages fit into the budget.
PlannedReads::Portion CategoryCursor::portionAt(std::uint64_t entry) {
  std::size_t number = m_category.clusterOf(entry);
  if (!m_columns.empty() && !needsCluster(number))
    number = m_category.holderOf(m_category.groupOf(m_columns.front()), entry);
  const IndexCluster& index = m_category.index(number);
  const EntryRange cluster{index.firstEntry, index.firstEntry + index.entries};
  PlannedReads::Portion all{cluster, rangesOf(cluster)};
  const std::uint64_t bytes = io::bytesIn(all.ranges);
  const std::uint64_t budget = m_category.options().memoryBudget;
  if (bytes <= budget)
    return all;
  const std::uint64_t parts = bytes / std::max<std::uint64_t>(budget, 1) + 1;
  const std::uint64_t width = cluster.size() / parts + 1;
  const std::uint64_t first = entry - (entry - cluster.first) % width;
  const EntryRange part{first, std::min(first + width, cluster.last)};
  return {part, rangesOf(part)};
}

/// Returns the ranges of planned pages that begin in these entries of one cluster.
std::vector<io::ByteRange> CategoryCursor::rangesOf(EntryRange entries) {
  const std::size_t number = m_category.clusterOf(entries.first);
  std::vector<std::uint32_t> inCluster; // columns that are not read from tags
  for (const ColumnNumber column : m_columns)
    if (m_category.holderOf(m_category.groupOf(column), entries.first) == number)
      inCluster.push_back(column);
  if (!inCluster.empty())
    holder(number).load(inCluster);
  std::vector<io::ByteRange> ranges;
  for (const ColumnNumber column : m_columns) {
    const TableNumber group = m_category.groupOf(column);
    ClusterMeta& cluster = holder(m_category.holderOf(group, entries.first));
    const auto ends = cluster.ends(group);
    const ColumnPages* const pages = cluster.column(column);
    if (!pages)
      continue;
    std::uint64_t begin = cluster.index().firstEntry;
    for (std::size_t page = 0; page < std::min(pages->pages.size(), ends.size()); ++page) {
      const PageEntry& entry = pages->pages[page];
      const std::uint64_t end = cluster.index().firstEntry + ends[page];
      if (begin >= entries.first && begin < entries.last && !entry.isShort &&
          m_reads.isPlanned({begin, end}))
        ranges.push_back({cluster.position(entry), entry.size});
      begin = end;
    }
  }
  io::joinNeighbours(ranges, alignment); // ignoring padding for alignment
  return ranges;
}

/// Fetches the portion with an entry, and announces the next one.
void CategoryCursor::fetchPortion(std::uint64_t entry) {
  const std::size_t number = m_category.clusterOf(entry);
  if (m_next.number == number)
    std::swap(m_cluster, m_next);
  m_reads.begin(entry);
  if (m_category.bytes().inPlace()) {
    m_reads.load();
    announceMeta(number + 2);
  } else {
    fetchBytes();
  }
  // The current cluster is still needed.
  std::swap(m_cluster, m_next);
  m_reads.announceNext();
  std::swap(m_cluster, m_next);
}

/// Announces the meta bytes of the next clusters. On a disk, waiting for them cluster by cluster
/// takes longer than reading the pages.
void CategoryCursor::announceMeta(std::size_t first) const {
  constexpr std::size_t ahead = 4;
  const std::size_t last = std::min(first + ahead, m_category.contents().clusters.size());
  std::uint64_t left = m_category.options().memoryBudget;
  std::vector<io::ByteRange> ranges;
  for (std::size_t number = first; number < last; ++number)
    if (const auto range = ClusterMeta::wholeRange(m_category.index(number));
        range && range->count <= left && needsCluster(number)) {
      ranges.push_back(*range);
      left -= range->count;
    }
  m_category.bytes().prefetch(ranges);
}

/// Reads the pages of the portion in one request, together with the meta bytes of the next cluster
/// if they are few.
void CategoryCursor::fetchBytes() {
  const PlannedReads::Portion& portion = m_reads.portion();
  std::vector<io::ByteRange> ranges = portion.ranges;
  const std::size_t next = m_category.clusterOf(portion.entries.first) + 1;
  const bool isEnd = portion.entries.last != m_category.entriesOf(next - 1).last ||
                     next >= m_category.contents().clusters.size() ||
                     !m_reads.isPlanned(m_category.entriesOf(next));
  std::unique_lock<std::mutex> claim;
  if (!isEnd && std::ranges::any_of(m_columns, [&](ColumnNumber column) {
        return m_category.holderOf(m_category.groupOf(column), portion.entries.last) == next;
      }))
    claim = m_category.claimRecord(next);
  if (claim)
    ranges.push_back(*ClusterMeta::wholeRange(m_category.index(next)));
  const auto views = m_reads.fetch(ranges);
  if (claim)
    m_category.keepRecord(next, views.back(), std::move(claim));
}

/// Reads an unplanned event if the file is not in place: the pages of all columns of its group in
/// one request. Pages of split groups also hold other events; they are read only if that takes less
/// time than further requests.
void CategoryCursor::fetchEvents(ClusterMeta& cluster, ColumnNumber column,
                                 const detail::PageRange& range) {
  const TableNumber group = m_category.groupOf(column);
  const PageEntry& wanted = cluster.column(column)->pages[range.page];
  const bool isPlanned = m_reads.portion().contains(range.firstEntry) &&
                         m_reads.isPlanned({range.firstEntry, range.lastEntry});
  if (m_category.bytes().inPlace() || isPlanned || wanted.isShort ||
      find(cluster.position(wanted), wanted.size))
    return;
  constexpr std::uint64_t bytesInOneRequest = std::uint64_t{1} << 20; // about 10 ms at 100 MB/s
  const std::uint64_t budget = m_category.options().memoryBudget;
  const std::uint64_t most =
      schema().table(group).layout == Layout::split ? std::min(budget, bytesInOneRequest) : budget;
  try {
    const std::vector<io::ByteRange> ranges = rangesOfPage(cluster, group, range.page);
    const std::uint64_t bytes = io::bytesIn(ranges);
    if (bytes > most)
      return;
    if (m_eventBytes + bytes > budget) {
      m_events.clear();
      m_eventBytes = 0;
    }
    io::FetchedRanges fetched;
    fetched.fetch(m_category.bytes(), ranges);
    m_events.push_back(std::move(fetched));
    m_eventBytes += bytes;
  } catch (const Error&) {
    // Errors are reported when the page is read.
  }
}

/// Returns the ranges of the pages of this number in all columns of a group.
std::vector<io::ByteRange> CategoryCursor::rangesOfPage(ClusterMeta& cluster, TableNumber group,
                                                        std::uint32_t page) const {
  std::vector<io::ByteRange> ranges;
  for (const TableNumber root : schema().rootsOf(group))
    for (const TableNumber table : schema().tablesUnder(root)) {
      for (const ColumnNumber column : schema().columnsOf(table)) {
        const ColumnPages* const pages = cluster.column(column);
        if (pages && page < pages->pages.size() && !pages->pages[page].isShort)
          ranges.push_back({cluster.position(pages->pages[page]), pages->pages[page].size});
      }
    }
  io::joinNeighbours(ranges, alignment); // ignoring padding for alignment
  return ranges;
}

/// Returns bytes of the file that are already fetched.
std::optional<std::span<const std::byte>> CategoryCursor::find(std::uint64_t position,
                                                               std::uint64_t size) {
  const auto findIn = [&](const io::FetchedRanges& fetched) {
    const auto bytes = fetched.find(position, size);
    if (bytes)
      m_keeper = fetched.keeper();
    return bytes;
  };
  auto bytes = findIn(m_reads.fetched());
  for (auto event = m_events.rbegin(); !bytes && event != m_events.rend(); ++event)
    bytes = findIn(*event);
  return bytes;
}

/// Returns bytes of the file, and reads them if necessary. They may be in a map.
std::span<const std::byte> CategoryCursor::bytesAt(std::uint64_t position, std::uint64_t size) {
  if (const auto known = find(position, size))
    return *known;
  m_keeper.reset();
  return m_category.bytes().viewInPlace(position, size, m_scratch);
}

detail::PageRange CategoryCursor::pages(TableNumber group, std::uint64_t entry) {
  if (m_reads.isDue({entry, entry + 1}))
    fetchPortion(entry);
  const std::size_t number = m_category.holderOf(group, entry);
  m_group = group;
  ClusterMeta& cluster = holder(number);
  const std::uint64_t first = cluster.index().firstEntry;
  const auto ends = cluster.ends(group);
  if (ends.empty()) { // As many entries at once as a page of counts holds.
    constexpr std::uint64_t most = 16 * 1024;
    const std::uint64_t begin = entry - (entry - first) % most;
    const std::uint64_t last = first + cluster.index().entries;
    return {begin, std::min(begin + most, last), number, 0, last};
  }
  const auto end = std::ranges::upper_bound(ends, entry - first);
  const auto page = static_cast<std::uint32_t>(end - ends.begin());
  return {first + (page > 0 ? ends[page - 1] : 0), first + *end, number, page};
}

void CategoryCursor::read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
                          detail::Page& page) {
  ClusterMeta& cluster = holder(static_cast<std::size_t>(range.cluster));
  page.shared.reset();
  const Column& info = schema().columns()[column];
  if (const ColumnPages* const stored = cluster.column(column)) {
    const auto& pages = stored->pages;
    if (range.page >= pages.size() || pages[range.page].values != values)
      fail(ErrorKind::corrupt, m_category.name(), ": entries ", range.firstEntry, " to ",
           range.lastEntry, " have ", counted(values, "value"), " of '", nameOf(column), "', but ",
           range.page < pages.size() ? pages[range.page].values : 0, " are stored", cause());
    fetchEvents(cluster, column, range);
    return decode(cluster, pages[range.page], column, page);
  }
  const bool isThere = !lacksTable(cluster, info.table);
  if (isThere && info.role != ColumnRole::presence && values > 0)
    fail(ErrorKind::corrupt, m_category.name(), ": the cluster of entry ", range.firstEntry,
         " lacks the column '", nameOf(column), "'", cause());
  constexpr std::size_t most = std::size_t{1} << 26; // the most values of a small page
  if (values > most && !cluster.ends(m_category.groupOf(column)).empty())
    fail(ErrorKind::corrupt, m_category.name(), ": entries ", range.firstEntry, " to ",
         range.lastEntry, " are too many for one page", cause());
  fillMissing(schema(), column, isThere, values, m_category.name(), page);
}

std::optional<Extremes> CategoryCursor::extremes(TableNumber table, MemberNumber member,
                                                 const detail::PageRange& range) {
  const ColumnNumber column = schema().place(table, member).column;
  const ColumnPages* const pages = holder(static_cast<std::size_t>(range.cluster)).column(column);
  if (!pages || range.page >= pages->pages.size())
    return std::nullopt;
  const std::uint32_t first = membersIn(schema(), schema().columns()[column]).first;
  return extremesOf(pages->bounds[range.page * pages->members() + (member - first)]);
}

/// Returns whether a cluster has no data of a table: the table is newer, or absent from all
/// entries.
bool CategoryCursor::lacksTable(ClusterMeta& cluster, TableNumber table) const {
  for (const ColumnNumber column : schema().columnsOf(table))
    if (cluster.column(column))
      return false;
  return true;
}

/// Returns the bytes of a page, in the file or in its description.
std::span<const std::byte> CategoryCursor::bytesOf(const ClusterMeta& cluster,
                                                   const PageEntry& entry) {
  return entry.isShort ? std::span(entry.bytes).first(static_cast<std::size_t>(entry.size))
                       : bytesAt(cluster.position(entry), entry.size);
}

/// Copies bytes that may change, because they are in a map.
std::span<const std::byte> CategoryCursor::lasting(const PageEntry& entry,
                                                   std::span<const std::byte> bytes) {
  if (entry.isShort || !m_category.bytes().isMapped())
    return bytes;
  const auto copy = m_scratch.assign(std::max(bytes.size(), leastInPlace)).first(bytes.size());
  std::ranges::copy(bytes, copy.begin());
  return copy;
}

/// Checks that the bytes of a page are those that were written.
void CategoryCursor::check(const ClusterMeta& cluster, const PageEntry& entry, ColumnNumber column,
                           std::span<const std::byte> bytes) const {
  if (entry.isShort)
    return; // the checksum of its description was checked
  if (!m_category.options().verify)
    m_category.bytes().checkUnchanged();
  else if (pageChecksum(bytes) != entry.checksum)
    failPage(cluster, entry, column, "does not match its checksum");
}

std::optional<StoredPage> CategoryCursor::stored(ColumnNumber column,
                                                 const detail::PageRange& range) {
  ClusterMeta& cluster = holder(static_cast<std::size_t>(range.cluster));
  const Column& info = schema().columns()[column];
  StoredPage page;
  page.column = column;
  page.entries = {range.firstEntry, range.lastEntry};
  page.element = elementOf(schema(), info);
  const ColumnPages* const pages = cluster.column(column);
  if (!pages) {
    page.isMissing = true;
    if (info.role == ColumnRole::presence)
      page.missing = lacksTable(cluster, info.table) ? 0 : 1;
    else if (info.role == ColumnRole::member)
      page.missing = schema().table(info.table).members[info.member].missing;
    return page;
  }
  if (range.page >= pages->pages.size())
    fail(ErrorKind::corrupt, m_category.name(), ": entries ", range.firstEntry, " to ",
         range.lastEntry, " have no page of '", nameOf(column), "'", cause());
  fetchEvents(cluster, column, range);
  const PageEntry& entry = pages->pages[range.page];
  page.values = entry.values;
  page.encoding = entry.encoding;
  page.codec = entry.codec;
  page.bytes = lasting(entry, bytesOf(cluster, entry));
  check(cluster, entry, column, page.bytes);
  page.checksum = entry.isShort ? pageChecksum(page.bytes) : entry.checksum;
  return page;
}

void CategoryCursor::decode(const ClusterMeta& cluster, const PageEntry& entry, ColumnNumber column,
                            detail::Page& page) {
  const Column& info = schema().columns()[column];
  const std::size_t elementSize = info.elementSize;
  if (!isPlausible(entry.size, std::uint64_t{entry.values} * elementSize))
    failPage(cluster, entry, column, "claims to hold more than it can");
  const std::span<const std::byte> inFile = bytesOf(cluster, entry);
  page.values = entry.values;
  const std::size_t size = page.values * elementSize;
  const bool isRaw = info.role != ColumnRole::counts && entry.encoding == Encoding::raw &&
                     inFile.size() == size && !entry.isShort;
  if (size > codec::mostAtOnce && info.role != ColumnRole::counts && !entry.isShort &&
      m_category.bytes().isMapped())
    return decodeLarge(cluster, entry, column, inFile, page.roomFor(size));
  if (isRaw && m_category.bytes().isMapped()) {
    const auto out = page.roomFor(size);
    std::ranges::copy(inFile, out.begin());
    return check(cluster, entry, column, out);
  }
  codec::requireDecompressor(static_cast<Codec>(entry.codec));
  const bool isInPlace =
      m_category.bytes().isMapped() && !entry.isShort && inFile.size() >= leastInPlace;
  const std::span<const std::byte> stored = isInPlace ? inFile : lasting(entry, inFile);
  check(cluster, entry, column, stored);
  if (isRaw && stored.data() != m_scratch.data() &&
      detail::addressOf(stored.data()) % alignof(std::max_align_t) == 0) {
    page.data = stored.data();
    page.shared = m_keeper;
    return;
  }
  if (info.role == ColumnRole::counts)
    decodeOffsets(cluster, entry, column, stored, page);
  else if (size > codec::mostAtOnce
               ? !codec::decodeInParts(entry.encoding, elementOf(schema(), info), stored,
                                       page.roomFor(size), [](std::span<const std::byte>) {})
               : !codec::decode(entry.encoding, elementOf(schema(), info), stored,
                                page.roomFor(size)))
    failPage(cluster, entry, column, "does not decode");
  if (isInPlace)
    m_category.bytes().checkUnchanged();
}

/// Decodes a page in a map in parts, and releases the map's memory behind them.
void CategoryCursor::decodeLarge(const ClusterMeta& cluster, const PageEntry& entry,
                                 ColumnNumber column, std::span<const std::byte> stored,
                                 std::span<std::byte> values) {
  codec::requireDecompressor(static_cast<Codec>(entry.codec));
  if (m_category.options().verify) {
    ChecksumOfParts sum;
    for (std::size_t first = 0; first < stored.size(); first += codec::partBytes) {
      const auto part = stored.subspan(first, std::min(codec::partBytes, stored.size() - first));
      sum.add(part);
      io::MappedBytes::unload(part);
    }
    if (static_cast<std::uint32_t>(sum.value()) != entry.checksum)
      failPage(cluster, entry, column, "does not match its checksum");
  }
  if (!codec::decodeInParts(entry.encoding, elementOf(schema(), schema().columns()[column]), stored,
                            values, io::MappedBytes::unload))
    failPage(cluster, entry, column, "does not decode");
  m_category.bytes().checkUnchanged();
}

void CategoryCursor::decodeOffsets(const ClusterMeta& cluster, const PageEntry& entry,
                                   ColumnNumber column, std::span<const std::byte> stored,
                                   detail::Page& page) const {
  page.values = std::size_t{entry.values} + 1;
  const auto out = page.storage.assign(page.values * sizeof(std::uint32_t));
  page.data = out.data();
  const std::span offsets(detail::valuesAt<std::uint32_t>(out.data()), page.values);
  std::uint64_t total = 0;
  if (codec::decodeCounts(entry.encoding, stored, offsets, total))
    return;
  failPage(cluster, entry, column,
           total > std::numeric_limits<std::uint32_t>::max()
               ? "has counts that add up to " + std::to_string(total)
               : "does not decode");
}

std::string CategoryCursor::nameOf(ColumnNumber column) const {
  return kaonfile::nameOf(schema(), schema().columns()[column]);
}

void CategoryCursor::failPage(const ClusterMeta& cluster, const PageEntry& entry,
                              ColumnNumber column, const std::string& what) const {
  m_category.bytes().checkUnchanged(); // a file that was overwritten is not damaged
  const IndexCluster& index = cluster.index();
  const std::uint64_t position = entry.isShort ? index.position : cluster.position(entry);
  fail(ErrorKind::corrupt, m_category.name(), ": the page of '", nameOf(column), "' at byte ",
       position, ", in the cluster of entries ", index.firstEntry, " to ",
       index.firstEntry + index.entries, ", ", what, cause());
}

} // namespace kaon::kaonfile
