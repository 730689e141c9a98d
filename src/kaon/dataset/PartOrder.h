#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>

namespace kaon {

/// The order in which threads write parts of a dataset that they process at the same time.
/// Thread-safe.
class PartOrder {
public:
  /// Waits until all parts before this one are done. The caller then writes alone until next().
  /// After interrupt(), throws Error(usage) that begins with `name`.
  void waitFor(std::size_t part, const std::string& name);
  /// Returns whether waitFor() would return at once. If true, remains true until next().
  [[nodiscard]] bool isTurnOf(std::size_t part);
  /// Ends the part that a thread waited for.
  void next();
  /// Makes all waiting threads throw, because some parts will never come.
  void interrupt() noexcept;
  /// Begins anew. No thread may be waiting.
  void reset() noexcept;

private:
  std::mutex m_mutex; // protects the following members
  std::condition_variable m_turn;
  std::size_t m_nextPart = 0;
  bool m_isInterrupted = false;
};

} // namespace kaon
