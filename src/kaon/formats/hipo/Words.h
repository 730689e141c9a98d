#pragma once

#include <kaon/base/Bytes.h>

#include <cstddef>
#include <type_traits>

namespace kaon::hipo {

/// The bytes of a number in the other order.
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

/// An unsigned number of a file, whatever its alignment. Files are in the byte order of the machine
/// that wrote them; `isSwapped`: in the other one than this machine's.
template <class T>
[[nodiscard]] T loadWord(const std::byte* bytes, bool isSwapped) noexcept {
  const T value = loadAs<T>(bytes);
  return isSwapped ? byteSwapped(value) : value;
}

} // namespace kaon::hipo
