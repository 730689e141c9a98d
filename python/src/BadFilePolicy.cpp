#include "BadFilePolicy.h"

#include "Module.h"

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <string>
#include <vector>

namespace nb = nanobind;

namespace kaon::python {

OnBadFile badFilePolicy(std::string_view name) {
  if (name == "raise")
    return OnBadFile::raise;
  if (name == "skip")
    return OnBadFile::skip;
  if (name == "report")
    return OnBadFile::report;
  const std::vector<std::string> names{"raise", "skip", "report"};
  fail(ErrorKind::usage, "on_bad_file='", name, "' is unknown", suggestion(name, names),
       "; use 'raise', 'skip' or 'report'");
}

void bindBadFiles(nb::module_& module) {
  nb::class_<BadFile>(module, "BadFile")
      .def_ro("path", &BadFile::path)
      .def_ro("reason", &BadFile::reason)
      .def_ro("entries", &BadFile::entries);
}

} // namespace kaon::python
