#pragma once

#include <kaon/base/Forks.h>

#include <cstdint>
#include <string>

namespace kaon::io {

/// The process that opened a file for writing. A forked process shares the position in the file, so
/// its bytes would end up among the other's.
class OwnerProcess {
public:
  OwnerProcess() noexcept : m_forks(forks()) {}
  /// Throws Error(usage) in a forked process; `name` is the file's.
  void check(const std::string& name) const {
    if (!isThis()) [[unlikely]]
      failForked(name);
  }
  [[nodiscard]] bool isThis() const noexcept { return forks() == m_forks; }

private:
  [[noreturn]] static void failForked(const std::string& name);

  std::uint64_t m_forks;
};

} // namespace kaon::io
