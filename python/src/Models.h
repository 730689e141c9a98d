#pragma once

#include <kaon/model/ModelDatatypes.h>

#include <map>
#include <string>
#include <vector>

namespace kaon::python {

/// Models in JSON, by their names in messages.
using Models = std::map<std::string, std::string>;

[[nodiscard]] inline std::vector<ModelDatatypes::Document> documentsOf(const Models& models) {
  std::vector<ModelDatatypes::Document> documents;
  for (const auto& [where, json] : models)
    documents.push_back({where, json});
  return documents;
}

} // namespace kaon::python
