#pragma once

#include <string>
#include <string_view>

namespace kaon::store {

/// What the names of categories that are the sorted keys of others end with.
inline constexpr std::string_view sortedKeysSuffix = "#keys";

/// Whether a category of this name is the sorted keys of another one.
[[nodiscard]] constexpr bool isOfSortedKeys(std::string_view category) noexcept {
  return category.ends_with(sortedKeysSuffix);
}
[[nodiscard]] inline std::string sortedKeysOf(std::string_view category) {
  return std::string(category) + std::string(sortedKeysSuffix);
}
/// The category whose keys they are.
[[nodiscard]] constexpr std::string_view ownerOfKeys(std::string_view sortedKeys) noexcept {
  return sortedKeys.substr(0, sortedKeys.size() - sortedKeysSuffix.size());
}

} // namespace kaon::store
