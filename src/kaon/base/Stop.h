#pragma once

#include <atomic>
#include <utility>

// Stopping long work from another thread, or from a signal handler.

namespace kaon {

/// Thrown by checkStop() in work that was stopped.
struct Stopped {};

namespace detail {
inline thread_local const std::atomic<bool>* stopOfThread = nullptr;
} // namespace detail

/// Lets a flag stop the work of the calling thread, and of tasks that it begins (Tasks.h), during
/// its lifetime. The flag must outlive it and the tasks; null for work that nobody stops.
class Stoppable {
public:
  explicit Stoppable(const std::atomic<bool>* stop) noexcept
      : m_outer(std::exchange(detail::stopOfThread, stop)) {}
  ~Stoppable() { detail::stopOfThread = m_outer; }
  Stoppable(const Stoppable&) = delete;
  Stoppable& operator=(const Stoppable&) = delete;

  /// Returns the flag of the calling thread, or null.
  [[nodiscard]] static const std::atomic<bool>* ofThread() noexcept { return detail::stopOfThread; }

private:
  const std::atomic<bool>* m_outer;
};

/// Throws Stopped if the work of the calling thread was stopped.
inline void checkStop() {
  if (const auto* const stop = detail::stopOfThread; stop && stop->load(std::memory_order_relaxed))
    throw Stopped();
}

} // namespace kaon
