#include <kaon/formats/kaon/CategoryCursor.h>

#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/batch/MissingPage.h>
#include <kaon/codec/Encoding.h>

#include <algorithm>
#include <limits>

namespace kaon::store {
namespace {

/// Puts ranges in order and makes one of those that follow each other, but for what aligns them.
void joinNeighbours(std::vector<io::ByteRange>& ranges) {
  std::ranges::sort(ranges, {}, &io::ByteRange::offset);
  std::size_t joined = 0;
  for (const io::ByteRange& range : ranges) {
    if (joined > 0) {
      io::ByteRange& last = ranges[joined - 1];
      const std::uint64_t end = last.offset + last.count;
      if (range.offset <= end || range.offset - end < alignment) {
        last.count = std::max(end, range.offset + range.count) - last.offset;
        continue;
      }
    }
    ranges[joined++] = range;
  }
  ranges.resize(joined);
}

} // namespace

void CategoryCursor::fetch(std::span<const std::uint32_t> columns, EntryRange entries) {
  m_columns.assign(columns.begin(), columns.end());
  m_planned = {entries.first, std::min(entries.last, m_category.contents().entries)};
  m_portion = {0, 0};
  m_announced = m_planned.first;
}

/// The cluster of an entry, or the part of it with that entry whose pages fit into the budget.
CategoryCursor::Portion CategoryCursor::portionAt(std::uint64_t entry) const {
  const EntryRange cluster = m_category.entriesOf(m_category.clusterOf(entry));
  Portion all{cluster, rangesOf(cluster)};
  std::uint64_t bytes = 0;
  for (const io::ByteRange& range : all.ranges)
    bytes += range.count;
  const std::uint64_t budget = m_category.options().memoryBudget;
  if (bytes <= budget)
    return all;
  const std::uint64_t parts = bytes / std::max<std::uint64_t>(budget, 1) + 1;
  const std::uint64_t width = cluster.size() / parts + 1;
  const std::uint64_t first = entry - (entry - cluster.first) % width;
  const EntryRange part{first, std::min(first + width, cluster.last)};
  return {part, rangesOf(part)};
}

/// Where the pages lie that begin in these entries, of one cluster.
std::vector<io::ByteRange> CategoryCursor::rangesOf(EntryRange entries) const {
  std::vector<io::ByteRange> ranges;
  for (const std::uint32_t column : m_columns) {
    const std::uint32_t groupNumber = m_category.groupOf(column);
    const Cluster& holder = m_category.cluster(m_category.holderOf(groupNumber, entries.first));
    const ClusterGroup* const group = holder.group(groupNumber);
    if (!group)
      continue;
    const auto ends = holder.boundaries(*group);
    const auto pages = holder.pages(*group, column);
    std::uint64_t begin = holder.header().firstEntry;
    for (std::size_t page = 0; page < std::min(pages.size(), ends.size()); ++page) {
      if (begin >= entries.first && begin < entries.last)
        ranges.push_back({holder.position(pages[page]), pages[page].size});
      begin = holder.header().firstEntry + ends[page];
    }
  }
  joinNeighbours(ranges);
  return ranges;
}

/// Fetches the portion of an entry and announces the next one.
void CategoryCursor::fetchPortion(std::uint64_t entry) {
  const auto announce = [this](const Portion& portion) {
    if (portion.entries.last > m_announced)
      m_category.bytes().prefetch(portion.ranges);
    m_announced = std::max(m_announced, portion.entries.last);
  };
  const Portion portion = portionAt(entry);
  m_portion = portion.entries;
  if (m_category.bytes().isInMemory()) {
    announce(portion);
  } else {
    // Pages may still point into what was fetched before.
    m_fetched = std::make_shared<Buffer>();
    const auto views = m_category.bytes().views(portion.ranges, *m_fetched);
    m_inFetched.clear();
    for (std::size_t i = 0; i < portion.ranges.size(); ++i)
      m_inFetched.push_back({portion.ranges[i], views[i]});
    m_announced = std::max(m_announced, m_portion.last);
  }
  if (m_portion.last < m_planned.last)
    announce(portionAt(m_portion.last));
}

/// Bytes of the file: fetched ones, or such as are read now.
std::span<const std::byte> CategoryCursor::bytesAt(std::uint64_t position, std::uint64_t size) {
  const auto after = std::ranges::upper_bound(
      m_inFetched, position, {}, [](const FetchedRange& each) { return each.range.offset; });
  if (after != m_inFetched.begin()) {
    const auto& [range, bytes] = *(after - 1);
    const std::uint64_t begin = position - range.offset;
    if (begin <= range.count && size <= range.count - begin)
      return bytes.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
  }
  return m_category.bytes().view(position, size, m_scratch);
}

PageRange CategoryCursor::pages(std::uint32_t group, std::uint64_t entry) {
  if (entry >= m_planned.first && entry < m_planned.last &&
      (entry < m_portion.first || entry >= m_portion.last))
    fetchPortion(entry);
  const std::size_t number = m_category.holderOf(group, entry);
  const Cluster& holder = m_category.cluster(number);
  const std::uint64_t first = holder.header().firstEntry;
  const ClusterGroup* const pages = holder.group(group);
  if (!pages) { // as many entries at once as a page of counts would hold
    constexpr std::uint64_t most = 16 * 1024;
    const std::uint64_t begin = entry - (entry - first) % most;
    const std::uint64_t last = first + holder.header().entries;
    return {begin, std::min(begin + most, last), number, 0, last};
  }
  const auto ends = holder.boundaries(*pages);
  const auto end = std::ranges::upper_bound(ends, entry - first);
  const auto page = static_cast<std::uint32_t>(end - ends.begin());
  return {first + (page > 0 ? ends[page - 1] : 0), first + *end, number, page};
}

void CategoryCursor::read(std::uint32_t column, const PageRange& range, std::size_t values,
                          Page& page) {
  const Cluster& holder = m_category.cluster(static_cast<std::size_t>(range.cluster));
  page.shared.reset();
  const Column& info = schema().columns()[column];
  const ClusterGroup* const group = holder.group(m_category.groupOf(column));
  const auto pages = group ? holder.pages(*group, column) : std::span<const PageEntry>{};
  if (!pages.empty()) {
    if (range.page >= pages.size() || pages[range.page].values != values)
      fail(ErrorKind::corrupt, m_category.name(), ": entries ", range.firstEntry, " to ",
           range.lastEntry, " have ", values, " values of '", nameOf(column), "' but ",
           range.page < pages.size() ? pages[range.page].values : 0,
           " stored; the file is damaged");
    return decode(holder, pages[range.page], column, page);
  }
  if (!group && holder.hasColumn(column))
    fail(ErrorKind::corrupt, m_category.name(), ": the cluster of entry ", range.firstEntry,
         " has pages of '", nameOf(column), "' but no boundaries of them; the file is damaged");
  const bool isThere = group && !lacksTable(holder, *group, info.table);
  if (isThere && info.role != ColumnRole::presence)
    fail(ErrorKind::corrupt, m_category.name(), ": the cluster of entry ", range.firstEntry,
         " lacks the column '", nameOf(column), "'; the file is damaged");
  constexpr std::size_t most = std::size_t{1} << 26; // as many as a small page can hold
  if (group && values > most)
    fail(ErrorKind::corrupt, m_category.name(), ": entries ", range.firstEntry, " to ",
         range.lastEntry, " are too many for one page; the file is damaged");
  fillMissing(schema(), column, isThere, values, m_category.name(), page);
}

/// Whether the table is younger than the cluster.
bool CategoryCursor::lacksTable(const Cluster& cluster, const ClusterGroup& group,
                                std::uint32_t table) const {
  const auto [first, last] = schema().columnsOf(table);
  for (std::uint32_t column = first; column < last; ++column)
    if (!cluster.pages(group, column).empty())
      return false;
  return true;
}

void CategoryCursor::decode(const Cluster& cluster, const PageEntry& entry, std::uint32_t column,
                            Page& page) {
  const Column& info = schema().columns()[column];
  const std::size_t elementSize = info.elementSize;
  if (entry.values > ~std::uint64_t{0} / elementSize ||
      !isPlausible(entry.size, entry.values * elementSize))
    failPage(cluster, entry, column, "claims to hold more than it can");
  const auto stored = bytesAt(cluster.position(entry), entry.size);
  if (m_category.options().verify && !cluster.isVerified(entry)) {
    if (checksum(stored) != entry.checksum)
      failPage(cluster, entry, column, "does not match its checksum");
    cluster.setVerified(entry);
  }
  if (info.role == ColumnRole::counts)
    return decodeOffsets(cluster, entry, column, stored, page);
  page.values = static_cast<std::size_t>(entry.values);
  const std::size_t size = page.values * elementSize;
  if (entry.encoding == Encoding::raw && stored.size() == size &&
      stored.data() != m_scratch.data() &&
      reinterpret_cast<std::uintptr_t>(stored.data()) % alignof(std::max_align_t) == 0) {
    page.data = stored.data();
    page.shared = m_fetched;
    return;
  }
  const auto out = page.room.size() == size ? page.room : page.storage.assign(size);
  page.data = out.data();
  if (!codec::decode(entry.encoding, elementOf(schema(), info), stored, out))
    failPage(cluster, entry, column, "does not decode");
}

void CategoryCursor::decodeOffsets(const Cluster& cluster, const PageEntry& entry,
                                   std::uint32_t column, std::span<const std::byte> stored,
                                   Page& page) const {
  page.values = static_cast<std::size_t>(entry.values) + 1;
  const auto out = page.storage.assign(page.values * sizeof(std::uint32_t));
  page.data = out.data();
  const std::span offsets(reinterpret_cast<std::uint32_t*>(out.data()), page.values);
  std::uint64_t total = 0;
  if (codec::decodeCounts(entry.encoding, stored, offsets, total))
    return;
  failPage(cluster, entry, column,
           total > std::numeric_limits<std::uint32_t>::max()
               ? "has counts that add up to " + std::to_string(total)
               : "does not decode");
}

std::string CategoryCursor::nameOf(std::uint32_t column) const {
  return store::nameOf(schema(), schema().columns()[column]);
}

void CategoryCursor::failPage(const Cluster& cluster, const PageEntry& entry, std::uint32_t column,
                              const std::string& what) const {
  fail(ErrorKind::corrupt, m_category.name(), ": the page of '", nameOf(column), "' at byte ",
       cluster.position(entry), ", in the cluster of entries ", cluster.header().firstEntry, " to ",
       cluster.header().firstEntry + cluster.header().entries, ", ", what, "; the file is damaged");
}

} // namespace kaon::store
