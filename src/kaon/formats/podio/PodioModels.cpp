#include <kaon/formats/podio/PodioModels.h>

#include <kaon/base/Error.h>
#include <kaon/detail/model/ModelDefinitions.h>
#include <kaon/model/Metadata.h>

#include <algorithm>
#include <utility>

namespace kaon {

void PodioModels::add(detail::ModelDefinition model) {
  if (std::ranges::find(models, model.name, &detail::ModelDefinition::name) == models.end())
    models.push_back(std::move(model));
}

std::vector<detail::ModelDefinition>
podioDefinitions(std::span<const ModelDatatypes::Document> models, const std::string& file) {
  std::vector<detail::ModelDefinition> definitions = detail::modelDefinitions(models);
  if (definitions.size() > mostPodioModels)
    fail(ErrorKind::usage, file, ": carries ", definitions.size(), " models; kaon reads ",
         mostPodioModels, " of a podio file at most");
  return definitions;
}

PodioDocuments podioDocuments(const PodioModels& models,
                              std::map<std::string, std::string, std::less<>> added,
                              const std::string& file) {
  PodioDocuments documents{std::move(added), detail::modelDocuments(models.models, file)};
  for (std::size_t i = 0; i < documents.models.size(); ++i)
    documents.texts.insert_or_assign(std::string(modelDocument) + models.models[i].name,
                                     documents.models[i].json);
  if (models.version.empty())
    return documents;
  std::string& text = documents.texts[std::string(detail::metadataDocument)];
  Metadata metadata;
  if (!text.empty())
    metadata = Metadata::fromJson(text, file + ": metadata");
  metadata.set("podio", models.version, "union"); // files of several versions can be merged
  text = metadata.toJson();
  return documents;
}

} // namespace kaon
