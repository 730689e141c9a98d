#pragma once

#include <kaon/base/Warning.h>

#include <iostream>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::test {

/// Collects the library's warnings instead of printing them. One at a time.
class Warnings {
public:
  Warnings() {
    setWarningHandler([this](WarningKind kind, std::string_view message) {
      const std::scoped_lock lock(m_mutex);
      m_kinds.push_back(kind);
      m_messages.emplace_back(message);
    });
  }
  ~Warnings() {
    setWarningHandler(
        [](WarningKind /*kind*/, std::string_view message) { std::cerr << message << '\n'; });
  }
  Warnings(const Warnings&) = delete;
  Warnings& operator=(const Warnings&) = delete;

  /// Returns the warnings since the last call.
  [[nodiscard]] std::vector<std::string> take() {
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_messages, {});
  }

  /// Returns the kinds of all warnings so far.
  [[nodiscard]] std::vector<WarningKind> kinds() {
    const std::scoped_lock lock(m_mutex);
    return m_kinds;
  }

private:
  std::mutex m_mutex;
  std::vector<WarningKind> m_kinds;
  std::vector<std::string> m_messages;
};

} // namespace kaon::test
