#pragma once

#include <cstddef>
#include <cstdint>

namespace kaon::codec {

// Inlined always: what is called may be compiled for another instruction set, and is not inlined
// into anything that is not.

/// Calls use(T{}), where T is the unsigned type of `size` bytes: 1, 2, 4 or 8.
template <class Use>
[[gnu::always_inline]] inline auto withNumber(std::size_t size, Use use) {
  switch (size) {
  case 1:
    return use(std::uint8_t{});
  case 2:
    return use(std::uint16_t{});
  case 4:
    return use(std::uint32_t{});
  default:
    return use(std::uint64_t{});
  }
}

/// Calls use(T{}), where T is the floating-point type of `size` bytes: 4 or 8.
template <class Use>
[[gnu::always_inline]] inline auto withFloat(std::size_t size, Use use) {
  return size == sizeof(float) ? use(float{}) : use(double{});
}

} // namespace kaon::codec
