#include "Warnings.h"

#include "Module.h"

#include <string_view>

namespace nb = nanobind;

namespace kaon::python {
namespace {

thread_local WarningCollector* current = nullptr;

/// Returns the class in kaon.errors for a kind of warning.
const char* className(WarningKind kind) {
  switch (kind) {
  case WarningKind::incompleteFile:
    return "IncompleteFileWarning";
  case WarningKind::unreadMember:
    return "UnreadMemberWarning";
  case WarningKind::unusedOption:
    return "UnusedOptionWarning";
  case WarningKind::lostMetadata:
    return "LostMetadataWarning";
  case WarningKind::severalTypes:
    return "SeveralTypesWarning";
  case WarningKind::unwrittenFile:
    return "UnwrittenFileWarning";
  case WarningKind::badFile:
    return "BadFileWarning";
  case WarningKind::lostChange: // C++ only: Python has no references to members
    break;
  }
  return "UserWarning";
}

/// Shows a warning at once if nobody collects it. If Python is set to raise on warnings, the
/// exception is printed, since no Python code could catch it here.
void show(WarningKind kind, std::string_view message) {
  if (current)
    return current->add({kind, std::string(message)});
  if (!Py_IsInitialized())
    return;
  const nb::gil_scoped_acquire acquire;
  const nb::object warning = toPython(Warning{kind, std::string(message)});
  if (PyErr_WarnFormat(warning.type().ptr(), 1, "%S", warning.ptr()) < 0)
    PyErr_WriteUnraisable(warning.ptr());
}

} // namespace

nb::object toPython(const Warning& warning) {
  const nb::object text = nb::steal(
      PyUnicode_DecodeFSDefaultAndSize(warning.message.data(), std::ssize(warning.message)));
  return nb::module_::import_("kaon.errors").attr(className(warning.kind))(text);
}

WarningCollector::WarningCollector() noexcept : m_outer(std::exchange(current, this)) {}
WarningCollector::~WarningCollector() { current = m_outer; }

nb::typed<nb::list, nb::object> WarningCollector::takeAsPython() {
  nb::typed<nb::list, nb::object> warnings;
  for (const Warning& warning : take())
    warnings.append(toPython(warning));
  return warnings;
}

void bindWarnings(nb::module_& /*module*/) { setWarningHandler(show); }

} // namespace kaon::python
