#pragma once

#include <kaon/model/ModelDatatypes.h>
#include <kaon/object/Subset.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace kaon {

class CollectionBase;
class CollectionData;
class File;
class Source;

/// What there is to know of a class of collections: enough to make some without naming the class.
struct CollectionType {
  std::string_view (*name)() = nullptr;     ///< "tracker::HitCollection"
  std::string_view (*dataName)() = nullptr; ///< of the struct of an element: "tracker::HitData"
  const Datatype* objects = nullptr;        ///< of its elements
  const Datatype* subset = nullptr;         ///< of a subset of such; null where there is none
  std::unique_ptr<CollectionBase> (*makeEmpty)(const Datatype& objects) = nullptr;
  std::unique_ptr<CollectionBase> (*makeView)(CollectionData&) = nullptr;
};

template <class T>
[[nodiscard]] CollectionType collectionType() {
  CollectionType type{.name = &T::className,
                      .dataName = &T::dataClassName,
                      .objects = &T::datatype(),
                      .makeEmpty = [](const Datatype&) -> std::unique_ptr<CollectionBase> {
                        return std::make_unique<T>();
                      },
                      .makeView = [](CollectionData& data) -> std::unique_ptr<CollectionBase> {
                        return std::make_unique<T>(data);
                      }};
  if constexpr (requires { T::subsetDatatype(); })
    type.subset = &T::subsetDatatype();
  return type;
}

/// For registerCollections().
void registerCollection(const CollectionType& type);

/// Lets Frame::get(name) know these classes: those of models do so by themselves, also from
/// libraries that are loaded later, as do bare values, and links that the program makes or gets. Of
/// several for one datatype the first stays. From any thread. True, to initialise something with.
template <class... Collections>
bool registerCollections() {
  (registerCollection(collectionType<Collections>()), ...);
  return true;
}

/// The class for the collection in this table; GenericCollection where the program has none, but a
/// model of the file knows the datatype. Throws Error(type) if nobody knows it.
[[nodiscard]] CollectionType findCollectionType(const std::shared_ptr<const File>& file,
                                                const Source& source, std::uint32_t table);

/// The datatypes of the models that a file carries, which live as long as the program; those that
/// the program has classes of are theirs. Any thread.
[[nodiscard]] const ModelDatatypes& datatypesIn(const std::shared_ptr<const File>& file);
/// The same of models from elsewhere, as `kaon model --json` prints them.
[[nodiscard]] const ModelDatatypes& modelDatatypes(std::vector<ModelDatatypes::Document> models);

} // namespace kaon
