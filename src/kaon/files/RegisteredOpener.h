#pragma once

#include <kaon/io/ByteSource.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace kaon {

/// A function that the program registers to open files, for any number of threads. libc++ has no
/// std::atomic<std::shared_ptr>.
class RegisteredOpener {
public:
  using Opener = std::function<std::unique_ptr<io::ByteSource>(const std::string& path)>;

  void set(Opener opener) {
    std::shared_ptr<const Opener> next;
    if (opener)
      next = std::make_shared<const Opener>(std::move(opener));
    const std::lock_guard lock(m_mutex);
    m_opener.swap(next);
  }
  /// Returns nullptr if none is registered.
  [[nodiscard]] std::shared_ptr<const Opener> get() const {
    const std::lock_guard lock(m_mutex);
    return m_opener;
  }

private:
  mutable std::mutex m_mutex;
  std::shared_ptr<const Opener> m_opener;
};

} // namespace kaon
