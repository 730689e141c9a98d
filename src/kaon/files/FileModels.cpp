#include <kaon/files/FileModels.h>

#include <kaon/model/Model.h>

#include <map>
#include <string>
#include <utility>

namespace kaon {

std::vector<ModelDatatypes::Document> modelsIn(std::span<const File* const> files) {
  std::map<std::string, ModelDatatypes::Document> byName;
  for (const File* const file : files)
    for (const std::string& document : file->documents())
      if (document.starts_with(modelDocument) && !byName.contains(document))
        byName.try_emplace(document,
                           ModelDatatypes::Document{file->name() + ": model '" +
                                                        document.substr(modelDocument.size()) + "'",
                                                    file->document(document)});
  std::vector<ModelDatatypes::Document> models;
  for (auto& [name, model] : byName)
    models.push_back(std::move(model));
  return models;
}

std::vector<ModelDatatypes::Document> modelsIn(const File& file) {
  const File* const only = &file;
  return modelsIn(std::span(&only, 1));
}

} // namespace kaon
