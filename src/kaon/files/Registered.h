#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace kaon {

/// A function that a program registers, for any number of threads. libc++ has no
/// std::atomic<std::shared_ptr>.
template <class Function>
class Registered {
public:
  void set(Function function) {
    std::shared_ptr<const Function> next;
    if (function)
      next = std::make_shared<const Function>(std::move(function));
    const std::lock_guard lock(m_mutex);
    m_function.swap(next);
  }
  /// Returns nullptr if none is registered.
  [[nodiscard]] std::shared_ptr<const Function> get() const {
    const std::lock_guard lock(m_mutex);
    return m_function;
  }

private:
  mutable std::mutex m_mutex;
  std::shared_ptr<const Function> m_function;
};

} // namespace kaon
