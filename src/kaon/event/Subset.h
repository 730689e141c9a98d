#pragma once

#include <kaon/model/Datatype.h>

#include <span>
#include <string>
#include <string_view>

namespace kaon {

inline constexpr std::string_view subsetPrefix = "kaon::Subset<";

/// What a subset collection of T is in memory and in files: nothing but a reference an object.
template <class T>
[[nodiscard]] const Datatype& subsetDatatype() {
  static const std::string name = std::string(subsetPrefix) + std::string(T::datatype().name) + ">";
  static const Relation object{"object", false, T::datatype().name, datatypesOf<T>,
                               "of another collection"};
  static const Datatype description{.name = name,
                                    .description = "Objects of other collections",
                                    .rowSize = 0,
                                    .alignment = 1,
                                    .defaults = {},
                                    .leaves = {},
                                    .vectors = {},
                                    .relations = std::span(&object, 1),
                                    .model = T::datatype().model};
  return description;
}

[[nodiscard]] inline bool isSubset(const Datatype& type) {
  return type.name.starts_with(subsetPrefix);
}

} // namespace kaon
