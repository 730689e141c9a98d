#pragma once

#include <cstddef>

namespace kaon::codec {

// Plane p of values of `size` bytes is byte p of the first, the second, ... value. The planes stand
// one after another, each of as many bytes as there are values.

/// Splits values of at least one byte into their planes.
void splitBytes(std::size_t size, const std::byte* values, std::size_t count,
                std::byte* planes) noexcept;

/// Puts `size` planes, wherever each of them is, together again.
void mergeBytes(std::size_t size, const std::byte* const* planes, std::size_t count,
                std::byte* values) noexcept;

/// The planes of larger values are put together one by one: to know where all of them are would
/// take eight times the memory of a value, and few values are in a page.
inline constexpr std::size_t mostPlanesAtOnce = 4096;

/// Puts one plane into values of `size` bytes; `byte` is where it begins in the first of them.
inline void mergeByte(std::size_t size, const std::byte* plane, std::size_t count,
                      std::byte* byte) noexcept {
  for (std::size_t i = 0; i < count; ++i)
    byte[i * size] = plane[i];
}

} // namespace kaon::codec
