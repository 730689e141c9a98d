#include <kaon/formats/hdf5/PageWidths.h>

#include <kaon/reading/EntryPages.h>

#include <algorithm>

namespace kaon::hdf5 {
namespace {

constexpr double pageBytes = 64 * 1024, clusterBytes = 16 * 1024 * 1024;
constexpr std::uint64_t mostInCluster = std::uint64_t{1} << 30;
constexpr std::uint64_t mostClusters = std::uint64_t{1} << 16;

} // namespace

PageWidths::PageWidths(const CategoryDatasets& contents)
    : m_entries(contents.entries), m_pages(contents.schema.size()) {
  const Schema& schema = contents.schema;
  std::vector<double> widest(schema.size());
  double all = 0;
  for (TableNumber table = 0; table < schema.size(); ++table) {
    const Table info = schema.table(table);
    double& most = widest[schema.groupOf(table)];
    const auto look = [&](std::uint64_t rows, std::uint32_t size) {
      const double bytes = static_cast<double>(rows) * size;
      most = std::max(most, bytes);
      all += bytes;
    };
    if (info.isCounted())
      look(info.isRoot() ? m_entries : contents.tables[info.parent].rows, sizeof(std::uint32_t));
    for (const Member& member : info.members)
      look(contents.tables[table].rows, member.size());
  }
  std::uint64_t widestPage = 1;
  for (TableNumber group = 0; group < schema.size(); ++group) {
    m_pages[group] = pageWidth(pageBytes, widest[group], m_entries);
    widestPage = std::max(widestPage, m_pages[group]);
  }
  m_cluster = std::max(widestPage, pageWidth(clusterBytes, all, m_entries, mostInCluster));
  while (m_entries / m_cluster > mostClusters)
    m_cluster *= 2;
}

std::vector<EntryRange> PageWidths::clusters() const {
  std::vector<EntryRange> ranges;
  for (std::uint64_t first = 0; first < m_entries; first += std::min(m_cluster, m_entries - first))
    ranges.push_back({first, first + std::min(m_cluster, m_entries - first)});
  return ranges;
}

} // namespace kaon::hdf5
