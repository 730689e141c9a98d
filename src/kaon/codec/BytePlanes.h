#pragma once

#include <cstddef>

namespace kaon::codec {

// Plane p of values of `size` bytes has byte p of the first, the second, ... value. The planes are
// contiguous, each with one byte per value.

/// Splits values of at least one byte into their planes.
void splitBytes(std::size_t size, const std::byte* values, std::size_t count,
                std::byte* planes) noexcept;

/// Merges `size` planes, each at its own address.
void mergeBytes(std::size_t size, const std::byte* const* planes, std::size_t count,
                std::byte* values) noexcept;

/// The planes of larger values are merged one by one. The addresses of all planes would take eight
/// times the memory of a value, and a page has few of these values.
inline constexpr std::size_t mostPlanesAtOnce = 4096;

/// Writes one plane into values of `size` bytes; `byte` is its position in the first value.
inline void mergeByte(std::size_t size, const std::byte* plane, std::size_t count,
                      std::byte* byte) noexcept {
  for (std::size_t i = 0; i < count; ++i)
    byte[i * size] = plane[i];
}

} // namespace kaon::codec
