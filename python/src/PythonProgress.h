#pragma once

#include <kaon/base/Tasks.h>

#include <nanobind/nanobind.h>

namespace kaon::python {

/// Returns a Progress that calls a Python function unless it is None, and that lets Ctrl-C stop the
/// work. The function must outlive the Progress.
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
