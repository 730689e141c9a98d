#pragma once

#include <string>
#include <string_view>

namespace kaon {

/// Returns the concatenation of texts.
template <class... Texts>
[[nodiscard]] std::string joined(const Texts&... texts) {
  std::string all;
  (all.append(texts), ...);
  return all;
}

/// Returns the name of a part, "outer.inner"; if one of them is empty, the other.
[[nodiscard]] inline std::string dotted(std::string_view outer, std::string_view inner) {
  return joined(outer, outer.empty() || inner.empty() ? "" : ".", inner);
}

} // namespace kaon
