#pragma once

#include <kaon/base/Progress.h>
#include <kaon/dataset/Dataset.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
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
  Pulse(const Progress& progress, const DatasetParts& parts, std::mutex& telling,
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
  const DatasetParts& m_parts;
  std::mutex& m_telling;
  const std::atomic<bool>& m_hasEnded;
  Pulse* m_outer; // of a pass whose function looks at a result of another one
  Clock::time_point m_told = Clock::now();
};

namespace detail {

/// How many of a batch's entries a function is called for until the thread's pulse beats: a few at
/// first, and more and more as long as they take less than a millisecond.
class PieceLength {
public:
  [[nodiscard]] std::size_t entries() const noexcept { return m_entries; }
  /// A piece is done.
  void next();

private:
  using Clock = std::chrono::steady_clock;
  std::size_t m_entries = 4;
  Clock::time_point m_begin = Clock::now();
};

/// Calls `use(first, last)` with pieces of so many entries, in order. Functions of users are called
/// in there: they may be slow.
template <class Use>
void inPieces(std::size_t entries, Use use) {
  PieceLength length;
  for (std::size_t first = 0, last = 0; first < entries; first = last) {
    last = first + std::min(length.entries(), entries - first);
    use(first, last);
    if (last < entries)
      length.next();
  }
}

} // namespace detail

} // namespace kaon
