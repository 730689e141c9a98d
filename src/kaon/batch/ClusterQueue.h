#pragma once

#include <kaon/base/Tasks.h>
#include <kaon/batch/JoinedBatch.h>
#include <kaon/batch/MemoryBudget.h>
#include <kaon/batch/Sink.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace kaon {

/// Clusters that are encoded in the background and appended in the order in which they came. For
/// one thread at a time.
class ClusterQueue {
public:
  using Encode = std::function<std::unique_ptr<detail::EncodedBatch>()>;
  using Append = std::function<void(std::unique_ptr<detail::EncodedBatch>)>;
  ClusterQueue(detail::MemoryBudget& budget, Append append)
      : m_budget(budget), m_append(std::move(append)) {}
  ~ClusterQueue();
  ClusterQueue(const ClusterQueue&) = delete;
  ClusterQueue& operator=(const ClusterQueue&) = delete;

  /// Encodes a cluster of so many bytes, in the background if there are threads for it and room in
  /// the budget. What else is encoded already is appended, and where too much waits, this does too.
  /// `data`, if given, is what is encoded, and goes to takeIdle() afterwards. Throws what encoding
  /// and appending throw, of earlier clusters too.
  void add(std::unique_ptr<JoinedBatch> data, std::uint64_t bytes, Encode encode);
  /// Returns when all are appended.
  void wait();
  /// Drops what was not begun, and returns when nothing is being encoded any more.
  void stop() noexcept { m_tasks.reset(); }

  /// An empty batch whose memory was used for a cluster before; null if there is none.
  [[nodiscard]] std::unique_ptr<JoinedBatch> takeIdle();
  /// Frees these.
  void dropIdle() noexcept { m_idle.clear(); }
  /// Memory of batches that are encoded, and of these.
  [[nodiscard]] std::size_t bytes() const noexcept;

private:
  struct Cluster {
    std::unique_ptr<JoinedBatch> data;
    std::unique_ptr<detail::EncodedBatch> encoded;
    std::atomic<bool> isEncoded = false;
    std::uint64_t bytes = 0;  // of what is encoded
    std::size_t expected = 0; // bytes that it becomes
  };
  void appendEncoded();

  detail::MemoryBudget& m_budget;
  Append m_append;
  std::vector<std::unique_ptr<JoinedBatch>> m_idle;
  std::deque<std::unique_ptr<Cluster>> m_clusters;
  double m_ratio = 1;               // of the last one: encoded bytes to bytes
  std::optional<TaskGroup> m_tasks; // after what the tasks use
};

} // namespace kaon
