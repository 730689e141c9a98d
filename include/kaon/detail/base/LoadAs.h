#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace kaon::detail {

// kaon's files are little-endian and are used in memory without conversion.
static_assert(std::endian::native == std::endian::little);

/// Returns the value at `bytes`, with any alignment.
template <class T>
[[nodiscard]] T loadAs(const std::byte* bytes) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

} // namespace kaon::detail
