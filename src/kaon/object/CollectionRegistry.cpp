#include <kaon/object/CollectionRegistry.h>

#include <kaon/base/Error.h>
#include <kaon/batch/Source.h>
#include <kaon/object/UserDataCollection.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>

namespace kaon {
namespace {

/// The classes of the program by the names of their datatypes, those for bare values to begin with.
class Registry {
public:
  Registry() {
    addBare<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
            std::uint32_t, std::int64_t, std::uint64_t, float, double>();
  }

  void add(const CollectionType& type) {
    const std::unique_lock lock(m_mutex);
    m_types.try_emplace(type.objects->name, type);
    if (type.subset)
      m_types.try_emplace(type.subset->name, type);
  }

  /// By what files call the datatype, or called it in earlier versions.
  [[nodiscard]] std::optional<CollectionType> find(std::string_view name) const {
    const std::shared_lock lock(m_mutex);
    if (const auto entry = m_types.find(name); entry != m_types.end())
      return entry->second;
    for (const auto& [newName, type] : m_types)
      if (type.objects->isCalled(name) || (type.subset && type.subset->isCalled(name)))
        return type;
    return std::nullopt;
  }

private:
  template <class... Values>
  void addBare() {
    (add(collectionType<UserDataCollection<Values>>()), ...);
  }

  mutable std::shared_mutex m_mutex;
  std::unordered_map<std::string_view, CollectionType> m_types;
};

Registry& registry() {
  static Registry only;
  return only;
}

/// What to do where no class is for a datatype.
std::string advice(const File& file, std::string_view datatype) {
  if (datatype.find("kaon::Link<") != std::string_view::npos)
    return "; it is a link of no model: name its kaon::LinkCollection to "
           "kaon::registerCollections()";
  std::string models;
  for (const std::string& document : file.documents())
    if (constexpr std::string_view prefix = "model:"; document.starts_with(prefix))
      models += (models.empty() ? "'" : ", '") + document.substr(prefix.size()) + "'";
  return "; link the library of its model" +
         (models.empty() ? "" : ", of those that the file has: " + models);
}

} // namespace

void registerCollection(const CollectionType& type) { registry().add(type); }

CollectionType findCollectionType(const File& file, const Source& source, std::uint32_t table) {
  const Table info = source.schema().table(table);
  const auto type = registry().find(info.type);
  if (!type)
    fail(ErrorKind::type, source.name(), ": '", info.name, "' is a collection of ", info.type,
         ", for which this program has no class", advice(file, info.type));
  return *type;
}

} // namespace kaon
