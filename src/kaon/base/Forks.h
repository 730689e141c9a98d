#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

// What forked processes must not take over. Of the threads only the one that forked is in such a
// process: who waits there for another one, or for a lock that it had, waits for ever.

namespace kaon {

/// How often this process, or those that it comes from, was forked since the program began. Asks
/// nothing of the system, so that it can be called for each event.
[[nodiscard]] std::uint64_t forks() noexcept;

/// A T of this process. One that is forked gets a new T when it first wants it; the one of the
/// process that it comes from is left as it was then, and never destroyed. Any thread.
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
