#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>

namespace kaon {

/// The order in which threads write parts of a dataset that they go through at the same time. Any
/// thread.
class PartOrder {
public:
  /// Waits until all parts before this one are done: the caller writes alone until next(). Throws
  /// Error(usage) after interrupt(), which names what is written.
  void waitFor(std::size_t part, const std::string& name);
  /// Whether nobody would have to wait. It stays so until next().
  [[nodiscard]] bool isTurnOf(std::size_t part);
  /// The part that was waited for is done.
  void next();
  /// Nobody has to wait any more: not all parts will come.
  void interrupt() noexcept;
  /// Begins anew, while nobody waits.
  void reset() noexcept;

private:
  std::mutex m_mutex; // of what follows
  std::condition_variable m_turn;
  std::size_t m_nextPart = 0;
  bool m_isInterrupted = false;
};

} // namespace kaon
