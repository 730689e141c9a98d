#pragma once

#include <kaon/base/Progress.h>

#include <nanobind/nanobind.h>

namespace kaon::python {

/// Calls a function of Python's, if there is one, and lets Ctrl-C end the work. For as long as the
/// caller keeps the function.
[[nodiscard]] inline Progress progressOf(const nanobind::object& function) {
  return [&function](double done) {
    const nanobind::gil_scoped_acquire acquire;
    if (!function.is_none())
      function(done);
    if (PyErr_CheckSignals() != 0)
      throw nanobind::python_error();
  };
}

} // namespace kaon::python
