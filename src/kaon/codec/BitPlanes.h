#pragma once

#include <cstddef>

namespace kaon::codec {

// Bits of the same place together. Of bytes b[0], ..., b[n - 1] plane k is bit k of each, in
// ceil(n / 8) bytes: it is cut into pieces of 1024 bits, the last of them shorter. In a piece of m
// bits, taken as L = ceil(m / 8) lanes, bit i is bit i / L of byte i % L: neighbours stand in
// neighbouring bytes, so that a vector instruction handles as many lanes as it has bytes.

/// The bytes of a plane of `count` bits.
[[nodiscard]] constexpr std::size_t bitPlaneSize(std::size_t count) noexcept {
  return (count + 7) / 8;
}

/// Splits `count` bytes into 8 planes, one after another, bit 0 first.
void splitBits(const std::byte* bytes, std::size_t count, std::byte* planes) noexcept;
/// Puts 8 planes, wherever each of them is, together again.
void mergeBits(const std::byte* const* planes, std::size_t count, std::byte* bytes) noexcept;

} // namespace kaon::codec
