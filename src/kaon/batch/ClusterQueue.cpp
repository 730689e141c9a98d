#include <kaon/batch/ClusterQueue.h>

namespace kaon {

void ClusterQueue::add(std::unique_ptr<JoinedBatch> data, Encode encode) {
  Cluster& cluster = *m_clusters.emplace_back(std::make_unique<Cluster>());
  cluster.data = std::move(data);
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
  if (m_clusters.size() > workers)
    wait();
}

void ClusterQueue::wait() {
  if (m_tasks)
    m_tasks->wait();
  appendEncoded();
}

/// Appends the first clusters, as far as they are encoded.
void ClusterQueue::appendEncoded() {
  while (!m_clusters.empty() && m_clusters.front()->isEncoded.load(std::memory_order_acquire)) {
    Cluster& first = *m_clusters.front();
    m_append(std::move(first.encoded));
    if (first.data) {
      first.data->clear();
      m_idle.push_back(std::move(first.data));
    }
    m_clusters.pop_front();
  }
}

std::unique_ptr<JoinedBatch> ClusterQueue::takeIdle() {
  if (m_idle.empty())
    return nullptr;
  std::unique_ptr<JoinedBatch> last = std::move(m_idle.back());
  m_idle.pop_back();
  return last;
}

} // namespace kaon
