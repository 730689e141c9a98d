#pragma once

#include <kaon/base/Warning.h>

#include <nanobind/nanobind.h>

#include <string>
#include <utility>
#include <vector>

namespace kaon::python {

struct Warning {
  WarningKind kind;
  std::string message;
};

/// An object of the class in kaon.errors for a warning. Needs the GIL.
[[nodiscard]] nanobind::object toPython(const Warning& warning);

/// Keeps what the library warns of in this thread while it lives: Python code, which may be told
/// to raise, can say it when C++ is left. For the thread that made it, which need not hold the GIL.
class WarningCollector {
public:
  WarningCollector() noexcept;
  ~WarningCollector();
  WarningCollector(const WarningCollector&) = delete;
  WarningCollector& operator=(const WarningCollector&) = delete;
  [[nodiscard]] std::vector<Warning> take() noexcept { return std::exchange(m_warnings, {}); }
  void add(Warning warning) { m_warnings.push_back(std::move(warning)); }

private:
  WarningCollector* m_outer;
  std::vector<Warning> m_warnings;
};

} // namespace kaon::python
