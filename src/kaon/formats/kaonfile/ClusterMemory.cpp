#include <kaon/formats/kaonfile/ClusterMemory.h>

namespace kaon::kaonfile {

PageBuffers ClusterMemory::take() {
  if (m_spares.empty())
    return {};
  PageBuffers last = std::move(m_spares.back());
  m_spares.pop_back();
  return last;
}

void ClusterMemory::keep(PageBuffers buffers) {
  buffers.before.reset();
  std::size_t sum = buffers.capacity();
  if (sum > 8 * m_spareBytes) // of a huge entry
    return;
  for (const PageBuffers& spare : m_spares)
    sum += spare.capacity();
  if (m_spares.empty() || sum <= m_spareBytes)
    m_spares.push_back(std::move(buffers));
}

ClusterMemory::Aside ClusterMemory::setAside(PageBuffers cluster) {
  Aside aside{m_asides.append(cluster.meta.bytes()), cluster.meta.size(), cluster.pages.size(),
              std::move(cluster.before)};
  m_asides.append(cluster.pages.bytes());
  ++m_asideClusters;
  keep(std::move(cluster));
  return aside;
}

/// Reads a cluster, and empties the file after the last one.
PageBuffers ClusterMemory::takeBack(Aside aside) {
  PageBuffers cluster = take();
  m_asides.read(aside.position, cluster.meta.assign(aside.metaSize));
  m_asides.read(aside.position + aside.metaSize, cluster.pages.assign(aside.pagesSize));
  cluster.before = std::move(aside.before);
  if (--m_asideClusters == 0)
    m_asides.clear();
  return cluster;
}

} // namespace kaon::kaonfile
