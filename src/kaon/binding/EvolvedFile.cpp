#include <kaon/binding/EvolvedFile.h>

#include <kaon/base/Damage.h>
#include <kaon/object/GenericCollection.h>
#include <kaon/object/RegisteredClasses.h>

#include <algorithm>
#include <utility>

namespace kaon {
namespace {

using Names = std::set<std::string, std::less<>>;

/// Returns the present and old names of a model's datatypes and links.
Names typesOf(const Model& model) {
  Names names;
  for (const Model::Datatype& datatype : model.datatypes)
    names.insert(datatype.name);
  for (const Model::Link& link : model.links)
    names.insert(link.name);
  for (const Model::Migration& migration : model.migrations)
    if (migration.after.empty())
      names.insert(migration.before);
  return names;
}

/// Returns the names of types in a model of a file; empty if the model is damaged, because using it
/// raises.
Names typesIn(const File& file, const std::string& name) {
  Names types;
  unlessDamaged(
      [&] { types = typesOf(Model::fromJson(file.document(name), file.name() + ": " + name)); });
  return types;
}

} // namespace

EvolvedFile::EvolvedFile(std::shared_ptr<const File> file,
                         std::vector<ModelDatatypes::Document> models)
    : detail::WrappedFile(std::move(file)) {
  const auto put = [this](std::string_view model, std::string_view json) {
    m_documents.try_emplace(std::string(modelDocument) + std::string(model), json);
  };
  for (const ModelDatatypes::Document& model : models)
    put(Model::fromJson(model.json, model.where).name, model.json);
  // The program's classes of these models take precedence, because they have the functions of
  // onRead().
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
  findReplaced();
}

/// Finds models of the file with other names than the models that replace them.
void EvolvedFile::findReplaced() {
  std::vector<std::string> others;
  for (std::string& name : wrapped()->documents())
    if (name.starts_with(modelDocument) && !m_documents.contains(name))
      others.push_back(std::move(name));
  if (others.empty())
    return;
  Names types;
  for (const auto& [name, json] : m_documents)
    types.merge(typesOf(Model::fromJson(json, wrapped()->name() + ": " + name)));
  for (std::string& name : others)
    if (std::ranges::any_of(typesIn(*wrapped(), name),
                            [&](const std::string& type) { return types.contains(type); }))
      m_replaced.insert(std::move(name));
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
    if (!m_documents.contains(name) && !m_replaced.contains(name))
      names.push_back(std::move(name));
  return names;
}

std::string EvolvedFile::document(std::string_view name) const {
  const auto own = m_documents.find(name);
  return own == m_documents.end() ? wrapped()->document(name) : own->second;
}

} // namespace kaon
