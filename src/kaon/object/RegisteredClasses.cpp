#include <kaon/object/RegisteredClasses.h>

#include <kaon/base/Error.h>
#include <kaon/base/Lasting.h>
#include <kaon/batch/Source.h>
#include <kaon/detail/files/FileModels.h>
#include <kaon/object/GenericCollection.h>
#include <kaon/object/UserDataCollection.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace kaon {
namespace {

/// The classes of the program by the names of their datatypes; begins with those for bare values.
class Registry {
public:
  Registry() {
    addBare<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
            std::uint32_t, std::int64_t, std::uint64_t, float, double>();
  }

  void add(const detail::CollectionType& type) {
    const std::unique_lock lock(m_mutex);
    m_types.try_emplace(type.objects->name, type);
    if (type.subset)
      m_types.try_emplace(type.subset->name, type);
  }

  /// Finds a class by the name of the datatype in files, now or in earlier versions.
  [[nodiscard]] std::optional<detail::CollectionType> find(std::string_view name) const {
    const std::shared_lock lock(m_mutex);
    if (const auto entry = m_types.find(name); entry != m_types.end())
      return entry->second;
    for (const auto& [newName, type] : m_types)
      if (type.objects->isCalled(name) || (type.subset && type.subset->isCalled(name)))
        return type;
    return std::nullopt;
  }

  [[nodiscard]] std::size_t size() const {
    const std::shared_lock lock(m_mutex);
    return m_types.size();
  }

private:
  template <class... Values>
  void addBare() {
    (add(detail::collectionType<UserDataCollection<Values>>()), ...);
  }

  mutable std::shared_mutex m_mutex;
  std::unordered_map<std::string_view, detail::CollectionType> m_types;
};

Registry& registry() {
  static Lasting<Registry> only;
  return *only;
}

/// Returns advice for a datatype that neither the program nor the file knows.
std::string advice(const File& file, const ModelDatatypes& models, std::string_view datatype) {
  if (datatype.find("kaon::Link<") != std::string_view::npos)
    return "; no model has this link: register its kaon::LinkCollection with "
           "kaon::registerCollections()";
  std::string names;
  for (const std::string& document : file.documents())
    if (document.starts_with(modelDocument))
      names += (names.empty() ? "'" : ", '") + document.substr(modelDocument.size()) + "'";
  const std::string wrong = models.mistake(datatype);
  return "; link the library of its model" + (names.empty() ? "" : ", which is one of " + names) +
         (wrong.empty() ? "" : "; " + wrong);
}

} // namespace

void detail::registerCollection(const detail::CollectionType& type) { registry().add(type); }

detail::CollectionType findCollectionType(const std::shared_ptr<const File>& file,
                                          const Source& source, TableNumber table) {
  const Table info = source.schema().table(table);
  if (const auto known = registry().find(info.type))
    return *known;
  const ModelDatatypes& models = datatypesIn(file);
  const bool areReferences =
      info.type.starts_with(detail::subsetPrefix) && info.type.ends_with('>');
  const std::string_view objects =
      areReferences ? info.type.substr(detail::subsetPrefix.size(),
                                       info.type.size() - detail::subsetPrefix.size() - 1)
                    : info.type;
  const Datatype* const type = models.find(objects);
  if (!type)
    fail(ErrorKind::type, source.name(), ": '", info.name, "' is a collection of ", info.type,
         ", for which this program has no class", advice(*file, models, objects));
  return detail::genericCollectionType(*type);
}

const Datatype* programDatatype(std::string_view name) {
  const auto known = registry().find(name);
  return known ? known->objects : nullptr;
}

const ModelDatatypes& datatypesIn(const std::shared_ptr<const File>& file) {
  using Files = std::map<std::weak_ptr<const File>, const ModelDatatypes*, std::owner_less<>>;
  static std::mutex mutex;
  static Files files;
  const std::lock_guard lock(mutex);
  if (const auto known = files.find(file); known != files.end())
    return *known->second;
  std::erase_if(files, [](const auto& entry) { return entry.first.expired(); });
  return *files.emplace(file, &modelDatatypes(detail::modelsIn(*file))).first->second;
}

const ModelDatatypes& modelDatatypes(std::vector<ModelDatatypes::Document> models,
                                     ProgramClasses classes) {
  // Returns the same object for the same models, until the program registers further classes.
  using Key = std::tuple<std::size_t, ProgramClasses, std::vector<std::string>>;
  static std::mutex mutex;
  static Lasting<std::map<Key, std::unique_ptr<const ModelDatatypes>>> all;
  std::vector<std::string> texts;
  for (const ModelDatatypes::Document& model : models)
    texts.push_back(model.json);
  const auto ofTheModels = [&texts](std::string_view name) -> const Datatype* {
    const Datatype* const type = programDatatype(name);
    const bool isSame =
        type && type->model && std::ranges::find(texts, type->model->json) != texts.end();
    return isSame ? type : nullptr;
  };
  const std::lock_guard lock(mutex);
  auto& datatypes = (*all)[{registry().size(), classes, texts}];
  if (!datatypes && classes == ProgramClasses::ofAnyVersion)
    datatypes = std::make_unique<const ModelDatatypes>(std::move(models), programDatatype);
  else if (!datatypes)
    datatypes = std::make_unique<const ModelDatatypes>(std::move(models), ofTheModels);
  return *datatypes;
}

} // namespace kaon
