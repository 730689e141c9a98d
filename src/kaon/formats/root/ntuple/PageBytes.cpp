#include <kaon/formats/root/ntuple/PageBytes.h>

#include <utility>

namespace kaon::root {
namespace {

// Bytes that are read along instead of splitting a request.
constexpr std::uint64_t smallGap = 4096;

} // namespace

PageBytes::PageBytes(const NTuple& ntuple)
    : m_ntuple(ntuple), m_reads(ntuple.container.bytes(), ntuple.container.options().memoryBudget,
                                [this](std::uint64_t entry) { return portionAt(entry); }) {}

void PageBytes::plan(std::vector<std::uint32_t> columns, const EntrySelection& entries) {
  m_columns = std::move(columns);
  m_reads.plan(entries.within({0, m_ntuple.entries()}));
}

/// Returns the requested pages of an entry's cluster, up to the memory budget. Pages outside of the
/// file are skipped here; reading them reports the error.
PlannedReads::Portion PageBytes::portionAt(std::uint64_t entry) const {
  const std::uint64_t budget = m_ntuple.container.options().memoryBudget;
  const std::uint64_t fileBytes = m_ntuple.container.bytes().size();
  const Cluster& cluster = m_ntuple.clusters[m_ntuple.clusterOf(entry)];
  const std::uint64_t mostBlob = m_ntuple.descriptor.maxKeySize;
  std::vector<io::ByteRange> ranges;
  std::uint64_t sum = 0;
  for (const std::uint32_t column : m_columns)
    for (const PageLocator& page : cluster.pagesOf(cluster.column(column))) {
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
  return {{cluster.firstEntry, cluster.firstEntry + cluster.entries}, std::move(ranges)};
}

} // namespace kaon::root
