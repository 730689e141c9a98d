#include <kaon/binding/EvolvedFile.h>

#include <kaon/object/CollectionRegistry.h>

#include <utility>

namespace kaon {
EvolvedFile::EvolvedFile(std::shared_ptr<const File> file,
                         std::vector<ModelDatatypes::Document> models)
    : WrappedFile(std::move(file)) {
  const auto put = [this](std::string_view model, std::string_view json) {
    m_documents.try_emplace(std::string(modelDocument) + std::string(model), json);
  };
  for (const ModelDatatypes::Document& model : models)
    put(Model::fromJson(model.json, model.where).name, model.json);
  // Where the program has classes of the models these are taken: they know what onRead() was told.
  const ModelDatatypes& datatypes =
      models.empty() ? datatypesIn(wrapped())
                     : modelDatatypes(std::move(models), ProgramClasses::ofTheModels);
  for (const std::string& name : wrapped()->categories()) {
    const auto [category, isNew] =
        m_categories.try_emplace(name, *wrapped(), wrapped()->category(name), datatypes);
    for (const Datatype* const type : category->second.datatypes())
      put(type->model->name, type->model->json);
    if (category->second.datatypes().empty())
      m_categories.erase(category);
  }
}

const Source& EvolvedFile::category(std::string_view name) const {
  const auto evolved = m_categories.find(name);
  return evolved == m_categories.end() ? wrapped()->category(name) : evolved->second;
}

std::vector<std::string> EvolvedFile::documents() const {
  std::vector<std::string> names;
  for (const auto& [name, text] : m_documents)
    names.push_back(name);
  for (std::string& name : wrapped()->documents())
    if (!m_documents.contains(name))
      names.push_back(std::move(name));
  return names;
}

std::string EvolvedFile::document(std::string_view name) const {
  const auto own = m_documents.find(name);
  return own == m_documents.end() ? wrapped()->document(name) : own->second;
}

} // namespace kaon
