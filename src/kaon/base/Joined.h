#pragma once

#include <string>

namespace kaon {

/// Texts, one behind another.
template <class... Texts>
[[nodiscard]] std::string joined(const Texts&... texts) {
  std::string all;
  (all.append(texts), ...);
  return all;
}

} // namespace kaon
