#include <kaon/formats/root/ntuple/PageBytes.h>

#include <algorithm>
#include <utility>

namespace kaon::root {
namespace {

constexpr std::uint64_t pageChecksumBytes = 8;

/// Puts ranges in order and makes one of those that nearly follow each other.
void joinNeighbours(std::vector<io::ByteRange>& ranges) {
  constexpr std::uint64_t mostBetween = 4096;
  std::ranges::sort(ranges, {}, &io::ByteRange::offset);
  std::size_t joined = 0;
  for (const io::ByteRange& range : ranges) {
    if (joined > 0) {
      io::ByteRange& last = ranges[joined - 1];
      const std::uint64_t end = last.offset + last.count;
      if (range.offset <= end || range.offset - end < mostBetween) {
        last.count = std::max(end, range.offset + range.count) - last.offset;
        continue;
      }
    }
    ranges[joined++] = range;
  }
  ranges.resize(joined);
}

} // namespace

void PageBytes::plan(std::vector<std::uint32_t> columns, EntryRange entries) {
  m_columns = std::move(columns);
  m_planned = {entries.first, std::min(entries.last, m_ntuple.entries())};
  m_reached = {0, 0};
  m_announced = 0;
}

/// Where the wanted pages of a cluster lie, up to the memory budget; what is not in the file is
/// told to who reads it.
std::vector<io::ByteRange> PageBytes::rangesOf(std::size_t cluster) const {
  const std::uint64_t budget = m_ntuple.container.options().memoryBudget;
  const std::uint64_t fileBytes = m_ntuple.container.bytes().size();
  const Cluster& info = m_ntuple.clusters[cluster];
  const std::uint64_t mostBlob = m_ntuple.descriptor.maxKeySize;
  std::vector<io::ByteRange> ranges;
  std::uint64_t sum = 0;
  for (const std::uint32_t column : m_columns)
    for (const StoredPage& page : info.pagesOf(info.column(column))) {
      const std::uint64_t bytes = page.place.bytes + (page.hasChecksum ? pageChecksumBytes : 0);
      if (page.place.position > fileBytes || bytes > fileBytes - page.place.position ||
          (mostBlob > 0 && bytes > mostBlob))
        continue;
      if (bytes > budget - sum)
        return ranges;
      sum += bytes;
      ranges.push_back({page.place.position, bytes});
    }
  return ranges;
}

void PageBytes::reach(std::uint64_t entry) {
  if (entry < m_planned.first || entry >= m_planned.last ||
      (entry >= m_reached.first && entry < m_reached.last))
    return;
  const std::size_t cluster = m_ntuple.clusterOf(entry);
  const Cluster& info = m_ntuple.clusters[cluster];
  m_reached = {info.firstEntry, info.firstEntry + info.entries};
  const io::ByteSource& bytes = m_ntuple.container.bytes();
  const auto announce = [&](std::size_t number) {
    std::vector<io::ByteRange> ranges = rangesOf(number);
    joinNeighbours(ranges);
    bytes.prefetch(ranges);
    m_announced = number + 1;
  };
  if (!bytes.isInMemory())
    fetch(cluster);
  else if (cluster >= m_announced)
    announce(cluster);
  if (m_reached.last < m_planned.last && cluster + 1 >= m_announced)
    announce(cluster + 1);
}

void PageBytes::fetch(std::size_t cluster) {
  std::vector<io::ByteRange> ranges = rangesOf(cluster);
  joinNeighbours(ranges);
  m_fetched = std::make_shared<Buffer>(); // pages may still point into what was fetched before
  m_inFetched.clear();
  const auto views = m_ntuple.container.bytes().views(ranges, *m_fetched);
  for (std::size_t i = 0; i < ranges.size(); ++i)
    m_inFetched.push_back({ranges[i], views[i]});
}

std::optional<std::span<const std::byte>> PageBytes::find(std::uint64_t position,
                                                          std::uint64_t size) const {
  const auto after = std::ranges::upper_bound(
      m_inFetched, position, {}, [](const FetchedRange& each) { return each.range.offset; });
  if (after == m_inFetched.begin())
    return std::nullopt;
  const auto& [range, bytes] = *(after - 1);
  const std::uint64_t begin = position - range.offset;
  if (begin > range.count || size > range.count - begin)
    return std::nullopt;
  return bytes.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
}

} // namespace kaon::root
