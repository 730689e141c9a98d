#include <kaon/writing/ClusterOrder.h>

#include <utility>

namespace kaon {

ClusterOrder::~ClusterOrder() {
  for (const auto& [place, waiting] : m_waiting)
    for (const Cluster& cluster : waiting.clusters)
      m_budget.endWaiting(cluster.bytes);
}

bool ClusterOrder::take(std::uint64_t place) {
  if (place == anywhere)
    return true;
  const std::lock_guard lock(m_mutex);
  return place >= m_next && m_waiting.try_emplace(place).second;
}

void ClusterOrder::append(std::uint64_t place, std::unique_ptr<detail::EncodedBatch> cluster) {
  if (place != anywhere) {
    const std::lock_guard lock(m_mutex);
    if (place != m_next) {
      m_waiting[place].clusters.push_back(kept(std::move(cluster)));
      return;
    }
  }
  m_sink.append(std::move(cluster));
}

/// Keeps a waiting cluster, in memory as long as there is room.
ClusterOrder::Cluster ClusterOrder::kept(std::unique_ptr<detail::EncodedBatch> encoded) {
  const std::size_t bytes = encoded->bytes();
  if (m_budget.beginWaiting(bytes))
    return {std::move(encoded), bytes};
  m_sink.setAside(*encoded);
  return {std::move(encoded), 0};
}

void ClusterOrder::finish(std::uint64_t place) {
  if (place == anywhere)
    return;
  const std::lock_guard lock(m_mutex);
  m_waiting[place].isFinished = true;
  while (!m_waiting.empty() && m_waiting.begin()->first == m_next) {
    Waiting& first = m_waiting.begin()->second;
    while (!first.clusters.empty()) {
      Cluster cluster = std::move(first.clusters.front());
      first.clusters.pop_front(); // removed even if appending fails
      m_budget.endWaiting(cluster.bytes);
      m_sink.append(std::move(cluster.encoded));
    }
    if (!first.isFinished)
      break;
    m_waiting.erase(m_waiting.begin());
    ++m_next;
  }
}

std::optional<std::uint64_t> ClusterOrder::missing() const {
  const std::lock_guard lock(m_mutex);
  return m_waiting.empty() ? std::nullopt : std::optional(m_next);
}

} // namespace kaon
