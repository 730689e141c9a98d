#pragma once

#include <kaon/detail/object/Subset.h>

#include <memory>
#include <string_view>
#include <typeinfo>

namespace kaon {
class CollectionBase;
} // namespace kaon

namespace kaon::detail {

class CollectionData;

/// Describes a class of collections, so that collections can be made without naming the class.
struct CollectionType {
  std::string_view (*name)() = nullptr;     ///< "tracker::HitCollection"
  std::string_view (*dataName)() = nullptr; ///< the struct of an element: "tracker::HitData"
  const Datatype* objects = nullptr;        ///< the datatype of its elements
  const Datatype* subset = nullptr;         ///< the datatype of a subset, or null
  const std::type_info* info = nullptr;     ///< of the class; null if it is not known
  std::unique_ptr<CollectionBase> (*makeEmpty)(const Datatype& objects) = nullptr;
  std::unique_ptr<CollectionBase> (*makeView)(CollectionData&) = nullptr;
};

template <class T>
[[nodiscard]] const Datatype* subsetDatatypeOf() {
  if constexpr (requires { T::subsetDatatype(); })
    return &T::subsetDatatype();
  else
    return nullptr;
}
template <class T>
[[nodiscard]] const CollectionType& collectionType() {
  static const CollectionType type{
      .name = &T::className,
      .dataName = &T::dataClassName,
      .objects = &T::datatype(),
      .subset = detail::subsetDatatypeOf<T>(),
      .info = &typeid(T),
      .makeEmpty = [](const Datatype&) -> std::unique_ptr<CollectionBase> {
        return std::make_unique<T>();
      },
      .makeView = [](CollectionData& data) -> std::unique_ptr<CollectionBase> {
        return std::make_unique<T>(data);
      }};
  return type;
}

/// Registers one class; for registerCollections().
void registerCollection(const CollectionType& type);

} // namespace kaon::detail
