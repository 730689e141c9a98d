#include <kaon/dataset/DatasetParts.h>

#include <algorithm>
#include <utility>

namespace kaon::detail {
namespace {

/// Returns the least number of entries of a part, so that large files have at most 256 parts.
std::uint64_t entriesOfPart(const Source& source) {
  constexpr std::uint64_t leastEntries = 16 * 1024;
  constexpr std::uint64_t mostParts = 256;
  return std::max(leastEntries, source.entries() / mostParts);
}

} // namespace

DatasetPart without(const LeftOutColumns& leftOut, DatasetPart part, std::string_view category) {
  if (!leftOut.has(*part.source))
    return part;
  part.file = leftOut.removeFrom(std::move(part.file));
  part.source = &part.file->category(category);
  return part;
}

bool DatasetParts::openNext() {
  if (m_nextFile == m_dataset->files())
    return false;
  if (m_part.source)
    m_part.firstEntry += m_part.source->entries();
  const std::size_t number = m_nextFile++;
  m_part.sample = m_dataset->sampleOf(number);
  m_part.file = m_dataset->open(number);
  m_part.source = &m_part.file->category(m_dataset->category());
  m_nextCluster = 0;
  if (!m_dataset->isGood(number, *m_part.source, m_check)) {
    m_clusters.clear();
    return true;
  }
  m_clusters = m_part.source->clusters();
  m_entriesOfPart = entriesOfPart(*m_part.source);
  return true;
}

std::optional<DatasetPart> DatasetParts::next() {
  const std::lock_guard lock(m_mutex);
  while (m_nextCluster == m_clusters.size())
    if (!openNext())
      return std::nullopt;
  DatasetPart part = m_part;
  ++m_part.number;
  part.firstCluster = m_nextCluster;
  for (std::uint64_t entries = 0; m_nextCluster < m_clusters.size() && entries < m_entriesOfPart;
       ++m_nextCluster) {
    part.clusters.push_back(m_clusters[m_nextCluster]);
    entries += m_clusters[m_nextCluster].size();
  }
  return part;
}

double DatasetParts::share() const {
  const std::lock_guard lock(m_mutex);
  if (m_nextFile == 0)
    return 0;
  const double inFile = m_clusters.empty() ? 1
                                           : static_cast<double>(m_nextCluster) /
                                                 static_cast<double>(m_clusters.size());
  return (static_cast<double>(m_nextFile - 1) + inFile) / static_cast<double>(m_dataset->files());
}

} // namespace kaon::detail
