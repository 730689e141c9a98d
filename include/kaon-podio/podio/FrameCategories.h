#pragma once

#include <string>

namespace podio {

/// Returns the name of a collection's parameter in the frames of the category "metadata".
[[nodiscard]] inline std::string collMetadataParamName(const std::string& collection,
                                                       const std::string& parameter) {
  return collection + "__" + parameter;
}

/// The names of the usual categories.
namespace Category {
inline constexpr const char* Event = "events";
inline constexpr const char* Run = "runs";
inline constexpr const char* Metadata = "metadata";
} // namespace Category

} // namespace podio
