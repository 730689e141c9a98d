#pragma once

#include <string>
#include <string_view>

namespace kaon::kaonfile {

/// The suffix of the names of categories of sorted keys.
inline constexpr std::string_view sortedKeysSuffix = "#keys";

/// Returns whether a category of this name has the sorted keys of another one.
[[nodiscard]] constexpr bool isOfSortedKeys(std::string_view category) noexcept {
  return category.ends_with(sortedKeysSuffix);
}
[[nodiscard]] inline std::string sortedKeysOf(std::string_view category) {
  return std::string(category) + std::string(sortedKeysSuffix);
}
/// Returns the category that sorted keys belong to.
[[nodiscard]] constexpr std::string_view ownerOfKeys(std::string_view sortedKeys) noexcept {
  return sortedKeys.substr(0, sortedKeys.size() - sortedKeysSuffix.size());
}

} // namespace kaon::kaonfile
