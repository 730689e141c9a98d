#pragma once

#include <string>
#include <string_view>

namespace kaon {

/// Texts, one behind another.
template <class... Texts>
[[nodiscard]] std::string joined(const Texts&... texts) {
  std::string all;
  (all.append(texts), ...);
  return all;
}

/// The name of what lies in something: "outer.inner"; where one is empty, the other alone.
[[nodiscard]] inline std::string dotted(std::string_view outer, std::string_view inner) {
  return joined(outer, outer.empty() || inner.empty() ? "" : ".", inner);
}

} // namespace kaon
