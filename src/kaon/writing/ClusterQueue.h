#pragma once

#include <kaon/base/Tasks.h>
#include <kaon/batch/Sink.h>
#include <kaon/writing/JoinedBatch.h>
#include <kaon/writing/MemoryBudget.h>

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

/// Encodes clusters in the background, and appends them in the order in which they came. For one
/// thread at a time.
class ClusterQueue {
public:
  using Encode = std::function<std::unique_ptr<detail::EncodedBatch>()>;
  using Append = std::function<void(std::unique_ptr<detail::EncodedBatch>)>;
  ClusterQueue(detail::MemoryBudget& budget, Append append)
      : m_budget(budget), m_append(std::move(append)) {}
  ~ClusterQueue();
  ClusterQueue(const ClusterQueue&) = delete;
  ClusterQueue& operator=(const ClusterQueue&) = delete;

  /// Encodes a cluster of this many bytes, in the background if there are threads, and room in the
  /// budget. Appends clusters that are already encoded; waits if too many are pending. `data`, if
  /// given, is the batch to encode, and is available from takeIdle() afterwards. Throws errors of
  /// encoding and appending, also those of earlier clusters.
  void add(std::unique_ptr<JoinedBatch> data, std::uint64_t bytes, Encode encode);
  /// Waits until all clusters are appended.
  void wait();
  /// Drops clusters that are not begun, and waits until none is being encoded.
  void stop() noexcept { m_tasks.reset(); }

  /// Returns an empty batch with the memory of an earlier cluster; null if no batch is idle.
  [[nodiscard]] std::unique_ptr<JoinedBatch> takeIdle();
  /// Frees all idle batches.
  void dropIdle() noexcept { m_idle.clear(); }
  /// Returns the memory of batches that are being encoded, and of idle ones, in bytes.
  [[nodiscard]] std::size_t bytes() const noexcept;

private:
  struct Cluster {
    std::unique_ptr<JoinedBatch> data;
    std::unique_ptr<detail::EncodedBatch> encoded;
    std::atomic<bool> isEncoded = false;
    std::uint64_t bytes = 0;  // of the batch
    std::size_t expected = 0; // expected bytes after encoding
  };
  void appendEncoded();

  detail::MemoryBudget& m_budget;
  Append m_append;
  std::vector<std::unique_ptr<JoinedBatch>> m_idle;
  std::deque<std::unique_ptr<Cluster>> m_clusters;
  double m_ratio = 1;               // of the last cluster: encoded bytes / bytes
  std::optional<TaskGroup> m_tasks; // after the members that tasks use
};

} // namespace kaon
