#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/writing/MemoryBudget.h>

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace kaon {

/// Puts the clusters of a category, which several threads write, into the order of their places: 0,
/// 1, 2, ... Each place belongs to one thread. Clusters that come too early wait in encoded form.
/// If the budget has no room, the sink sets them aside. Thread-safe.
class ClusterOrder {
public:
  /// The place of clusters that may be appended in any order.
  static constexpr std::uint64_t anywhere = std::numeric_limits<std::uint64_t>::max();

  ClusterOrder(Sink& sink, detail::MemoryBudget& budget) : m_sink(sink), m_budget(budget) {}
  ~ClusterOrder();
  ClusterOrder(const ClusterOrder&) = delete;
  ClusterOrder& operator=(const ClusterOrder&) = delete;

  /// Reserves a place. Returns false if it is taken already.
  [[nodiscard]] bool take(std::uint64_t place);
  /// Appends a cluster to the sink, or keeps it until the lower places are finished.
  void append(std::uint64_t place, std::unique_ptr<detail::EncodedBatch> cluster);
  /// Finishes a place. Appends the clusters that waited for it.
  void finish(std::uint64_t place);
  /// Returns the missing place that others wait for, if any, once all reserved places are finished.
  [[nodiscard]] std::optional<std::uint64_t> missing() const;

private:
  struct Cluster {
    std::unique_ptr<detail::EncodedBatch> encoded;
    std::size_t bytes; // counted in the budget
  };
  struct Waiting { // for lower places
    std::deque<Cluster> clusters;
    bool isFinished = false;
  };
  [[nodiscard]] Cluster kept(std::unique_ptr<detail::EncodedBatch> encoded);

  Sink& m_sink;
  detail::MemoryBudget& m_budget;
  mutable std::mutex m_mutex; // for all members below
  std::map<std::uint64_t, Waiting> m_waiting;
  std::uint64_t m_next = 0;
};

} // namespace kaon
