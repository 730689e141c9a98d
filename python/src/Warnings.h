#pragma once

#include <string>
#include <utility>
#include <vector>

namespace kaon::python {

/// Keeps what the library warns of in this thread while it lives: Python code, which may be told
/// to raise, can say it when C++ is left. For the thread that made it, which need not hold the GIL.
class WarningCollector {
public:
  WarningCollector() noexcept;
  ~WarningCollector();
  WarningCollector(const WarningCollector&) = delete;
  WarningCollector& operator=(const WarningCollector&) = delete;
  [[nodiscard]] std::vector<std::string> take() noexcept { return std::exchange(m_texts, {}); }
  void add(std::string text) { m_texts.push_back(std::move(text)); }

private:
  WarningCollector* m_outer;
  std::vector<std::string> m_texts;
};

} // namespace kaon::python
