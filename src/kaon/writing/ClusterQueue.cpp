#include <kaon/writing/ClusterQueue.h>

#include <utility>

namespace kaon {

ClusterQueue::~ClusterQueue() {
  stop();
  for (const auto& cluster : m_clusters)
    m_budget.endEncoding(cluster->expected);
}

void ClusterQueue::add(std::unique_ptr<JoinedBatch> data, std::uint64_t bytes, Encode encode) {
  Cluster& cluster = *m_clusters.emplace_back(std::make_unique<Cluster>());
  cluster.data = std::move(data);
  cluster.bytes = bytes;
  cluster.expected = static_cast<std::size_t>(m_ratio * static_cast<double>(bytes));
  m_budget.beginEncoding(cluster.expected);
  const auto encodeNow = [&cluster, encode = std::move(encode)] {
    cluster.encoded = encode();
    cluster.isEncoded.store(true, std::memory_order_release);
  };
  const std::size_t workers = threads();
  if (workers == 1) {
    encodeNow();
  } else {
    if (!m_tasks)
      m_tasks.emplace();
    m_tasks->run(encodeNow);
  }
  appendEncoded();
  if (m_clusters.size() > workers || m_budget.isFull())
    wait();
}

void ClusterQueue::wait() {
  if (m_tasks)
    m_tasks->wait();
  appendEncoded();
}

/// Appends the first clusters, as far as they are encoded. If appending fails, the cluster is gone,
/// because code that cleans up comes here again.
void ClusterQueue::appendEncoded() {
  while (!m_clusters.empty() && m_clusters.front()->isEncoded.load(std::memory_order_acquire)) {
    const std::unique_ptr<Cluster> first = std::move(m_clusters.front());
    m_clusters.pop_front();
    m_budget.endEncoding(first->expected);
    if (first->bytes > 0)
      m_ratio = static_cast<double>(first->encoded->bytes()) / static_cast<double>(first->bytes);
    m_append(std::move(first->encoded));
    if (first->data) {
      first->data->clear();
      m_idle.push_back(std::move(first->data));
    }
  }
}

std::size_t ClusterQueue::bytes() const noexcept {
  std::size_t sum = 0;
  for (const auto& data : m_idle)
    sum += data->mostBytes();
  for (const auto& cluster : m_clusters)
    sum += cluster->data ? cluster->data->mostBytes() : 0;
  return sum;
}

std::unique_ptr<JoinedBatch> ClusterQueue::takeIdle() {
  if (m_idle.empty())
    return nullptr;
  std::unique_ptr<JoinedBatch> last = std::move(m_idle.back());
  m_idle.pop_back();
  return last;
}

} // namespace kaon
