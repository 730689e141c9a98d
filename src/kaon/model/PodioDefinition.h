#pragma once

#include <kaon/model/ModelDatatypes.h>

#include <span>
#include <string>
#include <vector>

namespace kaon {

/// A data model as podio's files carry it.
struct ModelDefinition {
  std::string name;       ///< "edm4hep"
  std::string definition; ///< its YAML file as JSON
  std::string version;    ///< "1.1.0"; "" where the file does not say
};

/// kaon's documents of these models, each with those whose types it uses: see docs/models.md. What
/// podio's definitions say beyond what is known here is left out. Throws Error(corrupt), which
/// begins with `where` and the name of the model, for a definition that is none.
[[nodiscard]] std::vector<ModelDatatypes::Document>
modelDocuments(std::span<const ModelDefinition> models, const std::string& where);

} // namespace kaon
