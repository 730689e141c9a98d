#pragma once

#include <kaon/base/Tasks.h>
#include <kaon/batch/JoinedBatch.h>
#include <kaon/batch/Sink.h>

#include <atomic>
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
  using Encode = std::function<std::unique_ptr<EncodedBatch>()>;
  using Append = std::function<void(std::unique_ptr<EncodedBatch>)>;
  explicit ClusterQueue(Append append) : m_append(std::move(append)) {}

  /// Encodes a cluster, in the background if there are threads for it. What else is encoded already
  /// is appended, and where too much waits, this does too. `data`, if given, is what is encoded,
  /// and goes to takeIdle() afterwards. Throws what encoding and appending throw, of earlier
  /// clusters too.
  void add(std::unique_ptr<JoinedBatch> data, Encode encode);
  /// Returns when all are appended.
  void wait();
  /// Drops what was not begun, and returns when nothing is being encoded any more.
  void stop() noexcept { m_tasks.reset(); }

  /// An empty batch whose memory was used for a cluster before; null if there is none.
  [[nodiscard]] std::unique_ptr<JoinedBatch> takeIdle();
  /// Frees these.
  void dropIdle() noexcept { m_idle.clear(); }

private:
  struct Cluster {
    std::unique_ptr<JoinedBatch> data;
    std::unique_ptr<EncodedBatch> encoded;
    std::atomic<bool> isEncoded = false;
  };
  void appendEncoded();

  Append m_append;
  std::vector<std::unique_ptr<JoinedBatch>> m_idle;
  std::deque<std::unique_ptr<Cluster>> m_clusters;
  std::optional<TaskGroup> m_tasks; // after what the tasks use
};

} // namespace kaon
