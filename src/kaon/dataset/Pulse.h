#pragma once

#include <kaon/base/Progress.h>
#include <kaon/dataset/DatasetParts.h>

#include <atomic>
#include <chrono>
#include <mutex>

namespace kaon {

/// Thrown in the threads of a pass that another one has ended.
struct PassEnded {};

/// A thread's share of a pass over a dataset. It tells how far the work is, and stops the thread
/// where the pass has ended, as often as it takes for nobody to wait.
class Pulse {
public:
  /// For the calling thread, for as long as it lives; all is kept by the caller. `telling` is held
  /// while `progress`, which may be empty, is called.
  Pulse(const Progress& progress, const detail::DatasetParts& parts, std::mutex& telling,
        const std::atomic<bool>& hasEnded);
  ~Pulse();
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

  /// Tells how far the work is. Throws what Progress does.
  void tell();
  /// For the pass in which the calling thread is, if it is in one: tells it from time to time.
  /// Throws PassEnded, and what Progress does.
  static void beat();

private:
  using Clock = std::chrono::steady_clock;
  const Progress& m_progress;
  const detail::DatasetParts& m_parts;
  std::mutex& m_telling;
  const std::atomic<bool>& m_hasEnded;
  Pulse* m_outer; // of a pass whose function looks at a result of another one
  Clock::time_point m_told = Clock::now();
};

} // namespace kaon
