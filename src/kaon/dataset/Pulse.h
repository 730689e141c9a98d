#pragma once

#include <kaon/base/Progress.h>
#include <kaon/dataset/DatasetParts.h>

#include <atomic>
#include <chrono>
#include <mutex>

namespace kaon {

/// Thrown in the threads of a pass that another thread has ended.
struct PassEnded {};

/// The progress of one thread in a pass over a dataset. Often enough for interactive use, it
/// reports the progress, and stops the thread if the pass has ended.
class Pulse {
public:
  /// Acts for the calling thread during its lifetime. The arguments must outlive it. `telling` is
  /// locked while `progress` is called; `progress` may be empty.
  Pulse(const Progress& progress, const detail::DatasetParts& parts, std::mutex& telling,
        const std::atomic<bool>& hasEnded);
  ~Pulse();
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

  /// Reports the progress. Throws any exception of Progress.
  void tell();
  /// Reports the progress of the calling thread's pass, if any, at most every 50 ms. Throws
  /// PassEnded, and any exception of Progress.
  static void beat();

private:
  using Clock = std::chrono::steady_clock;
  const Progress& m_progress;
  const detail::DatasetParts& m_parts;
  std::mutex& m_telling;
  const std::atomic<bool>& m_hasEnded;
  Pulse* m_outer; // the pulse of an outer pass, whose function reads a result of this pass
  Clock::time_point m_told = Clock::now();
};

} // namespace kaon
