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

/// Returns an object of the warning's class in kaon.errors. Needs the GIL.
[[nodiscard]] nanobind::object toPython(const Warning& warning);

/// Collects this thread's warnings during its lifetime. Python code can then issue them after the
/// call into C++; it may be set to raise. Must be used by the thread that made it, which need not
/// hold the GIL.
class WarningCollector {
public:
  WarningCollector() noexcept;
  ~WarningCollector();
  WarningCollector(const WarningCollector&) = delete;
  WarningCollector& operator=(const WarningCollector&) = delete;
  [[nodiscard]] std::vector<Warning> take() noexcept { return std::exchange(m_warnings, {}); }
  /// As objects of the classes in kaon.errors. Needs the GIL.
  [[nodiscard]] nanobind::typed<nanobind::list, nanobind::object> takeAsPython();
  void add(Warning warning) { m_warnings.push_back(std::move(warning)); }

private:
  WarningCollector* m_outer;
  std::vector<Warning> m_warnings;
};

} // namespace kaon::python
