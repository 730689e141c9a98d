#pragma once

#include <kaon/base/Bytes.h>

#include <cstddef>
#include <type_traits>

namespace kaon::hipo {

/// Returns a number with its bytes in reverse order.
template <class T>
[[nodiscard]] constexpr T byteSwapped(T value) noexcept {
  static_assert(std::is_unsigned_v<T>);
  if constexpr (sizeof(T) == 1)
    return value;
  else if constexpr (sizeof(T) == 2)
    return __builtin_bswap16(value);
  else if constexpr (sizeof(T) == 4)
    return __builtin_bswap32(value);
  else
    return __builtin_bswap64(value);
}

/// Reads an unsigned number of a file, of any alignment. Files have the byte order of the machine
/// that wrote them. `isSwapped` means that this machine has the other order.
template <class T>
[[nodiscard]] T loadWord(const std::byte* bytes, bool isSwapped) noexcept {
  const T value = detail::loadAs<T>(bytes);
  return isSwapped ? byteSwapped(value) : value;
}

} // namespace kaon::hipo
