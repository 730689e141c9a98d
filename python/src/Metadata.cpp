#include "Module.h"

#include <kaon/model/Metadata.h>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <string_view>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace kaon::python {
namespace {

void checkMetadata(std::string_view text, std::string_view rule) {
  const Json json = detail::parseJson(text, "the text");
  Metadata metadata;
  if (const auto* const entries = json.as<Json::Entries>())
    for (const auto& [key, value] : *entries)
      metadata.set(key, value, rule);
}

std::string mergeMetadata(const std::vector<std::string>& documents) {
  std::vector<Metadata> several;
  for (const std::string& document : documents)
    several.push_back(Metadata::fromJson(document, "metadata to merge"));
  return Metadata::merged(several).toJson();
}

} // namespace

void bindMetadata(nb::module_& module) {
  module.def("check_metadata", &checkMetadata, "text"_a, "rule"_a,
             "Checks that metadata can have these keys, values and rule; the text is JSON.");
  module.def("merge_metadata", &mergeMetadata, "documents"_a,
             "Returns the document of several files' metadata merged by their rules.");
}

} // namespace kaon::python
