#pragma once

#include <cstddef>

namespace kaon::codec {

// Groups bits by their position. Plane k of the bytes b[0], ..., b[n - 1] has bit k of each, in
// ceil(n / 8) bytes. It is cut into pieces of 1024 bits; the last piece may be shorter. A piece of
// m bits has L = ceil(m / 8) lanes, and bit i is bit i / L of byte i % L. Neighbours are in
// neighbouring bytes, so a vector instruction processes as many lanes as it has bytes.

/// Returns the bytes of a plane of `count` bits.
[[nodiscard]] constexpr std::size_t bitPlaneSize(std::size_t count) noexcept {
  return (count + 7) / 8;
}

/// Splits `count` bytes into 8 consecutive planes, bit 0 first.
void splitBits(const std::byte* bytes, std::size_t count, std::byte* planes) noexcept;
/// Merges 8 planes, each at its own address.
void mergeBits(const std::byte* const* planes, std::size_t count, std::byte* bytes) noexcept;

} // namespace kaon::codec
