#pragma once

#include <kaon/base/Tasks.h>
#include <kaon/dataset/DatasetParts.h>

#include <atomic>
#include <chrono>
#include <mutex>

namespace kaon {

/// Thrown in the threads of a pass that another thread has ended.
struct PassEnded {};

/// The progress of one thread in a pass over a dataset. Often enough for interactive use, it
/// reports the progress, and stops the thread if the pass has ended.
class ThreadProgress {
public:
  /// Acts for the calling thread during its lifetime. The arguments must outlive it. `telling` is
  /// locked while `progress` is called; `progress` may be empty.
  ThreadProgress(const Progress& progress, const detail::DatasetParts& parts, std::mutex& telling,
                 const std::atomic<bool>& hasEnded);
  ~ThreadProgress();
  ThreadProgress(const ThreadProgress&) = delete;
  ThreadProgress& operator=(const ThreadProgress&) = delete;

  /// Reports the progress. Throws any exception of Progress.
  void tell();
  /// Reports the progress of the calling thread's pass, if any, at most every 50 ms. Throws
  /// PassEnded, and any exception of Progress.
  static void update();

private:
  using Clock = std::chrono::steady_clock;
  const Progress& m_progress;
  const detail::DatasetParts& m_parts;
  std::mutex& m_telling;
  const std::atomic<bool>& m_hasEnded;
  ThreadProgress*
      m_outer; // the progress of an outer pass, whose function reads a result of this pass
  Clock::time_point m_told = Clock::now();
};

} // namespace kaon
