#pragma once

#include <kaon/formats/podio/ParameterType.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

// podio's names for stored tables and classes; FrameTables.h explains them.

namespace kaon::root::podio {

// Classes of collections.
inline constexpr std::string_view linkPrefix = "podio::LinkCollection<";
inline constexpr std::string_view userDataPrefix = "podio::UserDataCollection<";
inline constexpr std::string_view collectionSuffix = "Collection";

inline constexpr std::string_view subsetSuffix = "_objIdx"; ///< of the table of a subset

/// Returns the name of the table of a vector member or relation.
[[nodiscard]] inline std::string sideName(std::string_view collection, std::string_view member) {
  return std::string("_").append(collection).append("_").append(member);
}

/// Returns the name of a table of the parameters of a type: "GPIntKeys", "GPIntValues".
[[nodiscard]] inline std::string parameterName(ParameterType type, std::string_view part) {
  constexpr std::array names{"Int", "Float", "Double", "String"};
  return std::string("GP").append(names[static_cast<std::size_t>(type)]).append(part);
}
inline constexpr std::string_view keysPart = "Keys", valuesPart = "Values";

// Parts of podio_metadata.
inline constexpr std::string_view collectionsSuffix = "___CollectionTypeInfo";
inline constexpr std::string_view versionSuffix = "___Version";
inline constexpr std::string_view buildVersion = "PodioBuildVersion";
inline constexpr std::string_view availableCategories = "availableCategories";
inline constexpr std::string_view definitions = "EDMDefinitions";

} // namespace kaon::root::podio
