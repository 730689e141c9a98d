#pragma once

#include <kaon/batch/MemoryBudget.h>
#include <kaon/batch/Sink.h>

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace kaon {

/// Brings the clusters of a category that several threads write into the order of their places: 0,
/// 1, 2, ... Each place is one thread's. What comes before its turn is kept, encoded, or set aside
/// by the sink where the budget has no room. Any thread.
class ClusterPlaces {
public:
  /// The place of clusters that come wherever they fall.
  static constexpr std::uint64_t anywhere = std::numeric_limits<std::uint64_t>::max();

  ClusterPlaces(Sink& sink, detail::MemoryBudget& budget) : m_sink(sink), m_budget(budget) {}
  ~ClusterPlaces();
  ClusterPlaces(const ClusterPlaces&) = delete;
  ClusterPlaces& operator=(const ClusterPlaces&) = delete;

  /// False if it is taken already.
  [[nodiscard]] bool take(std::uint64_t place);
  /// Appends a cluster to the sink, or keeps it until those of the lower places are there.
  void append(std::uint64_t place, std::unique_ptr<detail::EncodedBatch> cluster);
  /// Nothing follows at this place: what waits for it is appended.
  void finish(std::uint64_t place);
  /// The place that others wait for, once all that were taken are finished.
  [[nodiscard]] std::optional<std::uint64_t> missing() const;

private:
  struct Cluster {
    std::unique_ptr<detail::EncodedBatch> encoded;
    std::size_t bytes; // of the budget
  };
  struct Waiting { // for lower places
    std::deque<Cluster> clusters;
    bool isFinished = false;
  };
  [[nodiscard]] Cluster kept(std::unique_ptr<detail::EncodedBatch> encoded);

  Sink& m_sink;
  detail::MemoryBudget& m_budget;
  mutable std::mutex m_mutex; // of all that follows
  std::map<std::uint64_t, Waiting> m_waiting;
  std::uint64_t m_next = 0;
};

} // namespace kaon
