#pragma once

#include <kaon/detail/model/PodioDefinition.h>
#include <kaon/model/ModelDatatypes.h>

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace kaon::detail {

/// Returns podio's definitions of the models in kaon's documents, and of the models that they use,
/// each once. This is the inverse of modelDocuments(). Enums become their integers. Storage and
/// former names are left out, because podio's files cannot contain them. Throws Error(corrupt) for
/// invalid documents.
[[nodiscard]] std::vector<ModelDefinition>
modelDefinitions(std::span<const ModelDatatypes::Document> documents);

/// Returns the models among a file's documents.
[[nodiscard]] std::vector<ModelDatatypes::Document>
modelsOf(const std::map<std::string, std::string, std::less<>>& documents, const std::string& file);

} // namespace kaon::detail
