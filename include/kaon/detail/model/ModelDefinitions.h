#pragma once

#include <kaon/detail/model/PodioDefinition.h>
#include <kaon/model/ModelDatatypes.h>

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace kaon::detail {

/// podio's definitions of the models in kaon's documents, and of those that these use, each once:
/// the inverse of modelDocuments(). Enums become their integers; how objects lie in files and what
/// was called differently before is left out: podio's files do not say it. Throws Error(corrupt)
/// for documents that are no models.
[[nodiscard]] std::vector<ModelDefinition>
modelDefinitions(std::span<const ModelDatatypes::Document> documents);

/// The models among a file's documents.
[[nodiscard]] std::vector<ModelDatatypes::Document>
modelsOf(const std::map<std::string, std::string, std::less<>>& documents, const std::string& file);

} // namespace kaon::detail
