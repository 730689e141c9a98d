#include <kaon/detail/files/FileModels.h>

#include <kaon/model/Model.h>

#include <string>
#include <utility>

namespace kaon::detail {

void addModels(const File& file, NamedModels& models) {
  for (const std::string& document : file.documents())
    if (document.starts_with(modelDocument) && !models.contains(document))
      models.try_emplace(document,
                         ModelDatatypes::Document{file.name() + ": model '" +
                                                      document.substr(modelDocument.size()) + "'",
                                                  file.document(document)});
}

std::vector<ModelDatatypes::Document> inOrder(NamedModels models) {
  std::vector<ModelDatatypes::Document> all;
  for (auto& [name, model] : models)
    all.push_back(std::move(model));
  return all;
}

std::vector<ModelDatatypes::Document> modelsIn(std::span<const File* const> files) {
  NamedModels models;
  for (const File* const file : files)
    addModels(*file, models);
  return inOrder(std::move(models));
}

std::vector<ModelDatatypes::Document> modelsIn(const File& file) {
  const File* const only = &file;
  return modelsIn(std::span(&only, 1));
}

bool mayDifferInOptionals(const File& file) {
  return file.hasOptionalsByValues() && modelsIn(file).empty();
}

} // namespace kaon::detail
