#pragma once

#include <cstddef>
#include <span>

namespace kaon {

/// Whether all of these bytes are 0 or 1. It looks at all of them, which takes many at a time.
[[nodiscard]] inline bool areBools(std::span<const std::byte> values) noexcept {
  std::byte bits{0};
  for (const std::byte value : values)
    bits |= value;
  return bits <= std::byte{1};
}

} // namespace kaon
