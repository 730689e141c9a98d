#include <kaon/formats/root/ntuple/PageBytes.h>

#include <utility>

namespace kaon::root {
namespace {

// Bytes that are read along instead of splitting a request.
constexpr std::uint64_t smallGap = 4096;

} // namespace

void PageBytes::plan(std::vector<std::uint32_t> columns, const EntrySelection& entries) {
  m_columns = std::move(columns);
  m_planned = entries.within({0, m_ntuple.entries()});
  m_reached = {0, 0};
  m_announced = 0;
}

/// Returns the places of the requested pages of a cluster in order, up to the memory budget. Pages
/// outside of the file are skipped here; reading them reports the error.
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
        break;
      sum += bytes;
      ranges.push_back({page.place.position, bytes});
    }
  io::joinNeighbours(ranges, smallGap);
  return ranges;
}

std::shared_ptr<const void> PageBytes::hold() const {
  if (!m_ntuple.container.bytes().isDistant())
    return nullptr;
  std::vector<io::ByteRange> ranges;
  std::uint64_t left = m_ntuple.container.options().memoryBudget;
  for (std::uint64_t entry = m_planned.hull().first; entry < m_planned.hull().last;) {
    const std::size_t cluster = m_ntuple.clusterOf(entry);
    const std::vector<io::ByteRange> pages = rangesOf(cluster);
    const std::uint64_t bytes = io::bytesIn(pages);
    if (bytes > left)
      break;
    left -= bytes;
    ranges.insert(ranges.end(), pages.begin(), pages.end());
    const Cluster& info = m_ntuple.clusters[cluster];
    entry = m_planned.runFrom(info.firstEntry + info.entries).first;
  }
  return m_ntuple.container.bytes().hold(ranges);
}

void PageBytes::reach(std::uint64_t entry) {
  if ((entry >= m_reached.first && entry < m_reached.last) ||
      !m_planned.overlaps({entry, entry + 1}))
    return;
  const std::size_t cluster = m_ntuple.clusterOf(entry);
  const Cluster& info = m_ntuple.clusters[cluster];
  m_reached = {info.firstEntry, info.firstEntry + info.entries};
  const io::ByteSource& bytes = m_ntuple.container.bytes();
  const auto announce = [&](std::size_t number) {
    bytes.prefetch(rangesOf(number));
    m_announced = number + 1;
  };
  if (!bytes.isInMemory())
    m_fetched.fetch(bytes, rangesOf(cluster));
  else if (cluster >= m_announced)
    announce(cluster);
  const std::uint64_t next = m_planned.runFrom(m_reached.last).first;
  if (next < m_planned.hull().last && m_ntuple.clusterOf(next) >= m_announced)
    announce(m_ntuple.clusterOf(next));
}

} // namespace kaon::root
