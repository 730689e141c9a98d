#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

// The only header that reinterprets memory. Its functions are always inlined, because files that
// are compiled for other instruction sets use them, too.

namespace kaon::detail {

/// `To`, const if `From` is.
template <class To, class From>
using ConstAs = std::conditional_t<std::is_const_v<From>, const To, To>;

/// Returns the values that the memory at `bytes` holds. The caller ensures that it is aligned.
template <class T, class Byte>
[[nodiscard, gnu::always_inline]] inline ConstAs<T, Byte>* valuesAt(Byte* bytes) noexcept {
  return reinterpret_cast<ConstAs<T, Byte>*>(bytes);
}

/// Returns the bytes of values.
template <class T>
[[nodiscard, gnu::always_inline]] inline ConstAs<std::byte, T>* bytesAt(T* values) noexcept {
  return reinterpret_cast<ConstAs<std::byte, T>*>(values);
}

/// Returns an address as a number, for computations with alignments.
[[nodiscard, gnu::always_inline]] inline std::uintptr_t addressOf(const void* memory) noexcept {
  return reinterpret_cast<std::uintptr_t>(memory);
}

/// Returns the memory at an address.
[[nodiscard, gnu::always_inline]] inline void* memoryAt(std::uintptr_t address) noexcept {
  return reinterpret_cast<void*>(address); // NOLINT(performance-no-int-to-ptr)
}

} // namespace kaon::detail
