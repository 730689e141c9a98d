#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

// Protection of forked processes. Only the thread that forked exists in the new process: waiting
// there for another thread, or for a lock that it held, would never end.

namespace kaon {

/// Returns how often this process, or its ancestors, was forked since the program began. Makes no
/// system call, so it can be called for each event.
[[nodiscard]] std::uint64_t forks() noexcept;

/// A T that belongs to one process. A forked process gets a new T at its first use; the T of its
/// parent is left in its state and never destroyed. Any thread.
template <class T>
class OfProcess {
public:
  OfProcess() : m_own(new Own()) {}
  ~OfProcess() {
    if (Own* const own = m_own.load(); own->forks == kaon::forks())
      delete own;
  }
  OfProcess(const OfProcess&) = delete;
  OfProcess& operator=(const OfProcess&) = delete;

  [[nodiscard]] T& get() const {
    Own* own = m_own.load(std::memory_order_acquire);
    if (own->forks != kaon::forks()) [[unlikely]]
      if (auto fresh = std::make_unique<Own>(); m_own.compare_exchange_strong(own, fresh.get()))
        own = fresh.release();
    return own->value;
  }

private:
  struct Own {
    const std::uint64_t forks = kaon::forks();
    T value;
  };
  mutable std::atomic<Own*> m_own;
};

} // namespace kaon
