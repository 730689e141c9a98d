#pragma once

#include <kaon/model/Datatype.h>
#include <kaon/model/Scalar.h>

#include <array>
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

/// A type that parameters can have.
struct ParameterType {
  std::string_view name;
  std::string_view type; ///< of a table
  Scalar scalar;         ///< of its member; for strings, of their characters
  [[nodiscard]] bool isString() const noexcept { return type == VectorMember::string; }
  [[nodiscard]] std::string keys() const { return std::string("GP").append(name).append("Keys"); }
  [[nodiscard]] std::string values() const {
    return std::string("GP").append(name).append("Values");
  }
};
inline constexpr std::array parameterTypes{
    ParameterType{"Int", nameOf(Scalar::Int32), Scalar::Int32},
    ParameterType{"Float", nameOf(Scalar::Float32), Scalar::Float32},
    ParameterType{"Double", nameOf(Scalar::Float64), Scalar::Float64},
    ParameterType{"String", VectorMember::string, Scalar::UInt8}};

// Parts of podio_metadata.
inline constexpr std::string_view collectionsSuffix = "___CollectionTypeInfo";
inline constexpr std::string_view versionSuffix = "___Version";
inline constexpr std::string_view buildVersion = "PodioBuildVersion";
inline constexpr std::string_view availableCategories = "availableCategories";
inline constexpr std::string_view definitions = "EDMDefinitions";

} // namespace kaon::root::podio
