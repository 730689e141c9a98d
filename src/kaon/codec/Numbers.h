#pragma once

#include <cstddef>
#include <cstdint>

namespace kaon::codec {

// Always inlined: the called code may be compiled for another instruction set, and can only be
// inlined into code for that set.

/// Calls use(T{}) with the unsigned type T of `size` bytes: 1, 2, 4 or 8.
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

/// Calls use(T{}) with the floating-point type T of `size` bytes: 4 or 8.
template <class Use>
[[gnu::always_inline]] inline auto withFloat(std::size_t size, Use use) {
  return size == sizeof(float) ? use(float{}) : use(double{});
}

} // namespace kaon::codec
