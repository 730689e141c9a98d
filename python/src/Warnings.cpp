#include "Warnings.h"

#include "Module.h"

#include <kaon/base/Warning.h>

#include <string_view>

namespace nb = nanobind;

namespace kaon::python {
namespace {

thread_local WarningCollector* current = nullptr;

/// Where nobody collects warnings Python shows them at once; if it is told to raise, nobody is
/// there to catch that, and it is shown as well.
void show(std::string_view message) {
  if (current)
    return current->add(std::string(message));
  if (!Py_IsInitialized())
    return;
  const nb::gil_scoped_acquire acquire;
  const nb::object text =
      nb::steal(PyUnicode_DecodeFSDefaultAndSize(message.data(), std::ssize(message)));
  const nb::object category = nb::module_::import_("kaon.errors").attr("IncompleteFileWarning");
  if (PyErr_WarnFormat(category.ptr(), 1, "%U", text.ptr()) < 0)
    PyErr_WriteUnraisable(text.ptr());
}

} // namespace

WarningCollector::WarningCollector() noexcept : m_outer(std::exchange(current, this)) {}
WarningCollector::~WarningCollector() { current = m_outer; }

void bindWarnings(nb::module_& /*module*/) { setWarningHandler(show); }

} // namespace kaon::python
