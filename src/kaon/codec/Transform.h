#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kaon::codec {

/// What is done to numbers before they are made small. The numbers are those in files. All
/// arithmetic is that of unsigned numbers of the value's size, modulo its range.
enum class Transform : std::uint8_t {
  none = 0,
  delta = 1,   ///< differences to the value before; in packed blocks, see BitPacking.h
  rotated = 2, ///< bits rotated left by one: the sign of a float becomes its least significant bit
  zigzag = 3,  ///< differences to the value before, d as 2 d if it is not negative, else -2 d - 1
  exclusiveOr = 4 ///< the bits that differ from those of the value before: value xor value
};

/// "none", "delta", ...; "?" for a number that is no transform.
[[nodiscard]] std::string_view transformName(Transform transform) noexcept;

// Those that planes know, none, zigzag and exclusiveOr, over a whole page. Before the first value
// is 0.

[[nodiscard]] constexpr bool isOfPlanes(Transform transform) noexcept {
  return transform == Transform::none || transform == Transform::zigzag ||
         transform == Transform::exclusiveOr;
}
/// Transforms numbers of 1, 2, 4 or 8 bytes to `out`, which does not overlap them.
void transformNumbers(Transform transform, unsigned size, const std::byte* values,
                      std::size_t count, std::byte* out) noexcept;
/// The inverse, in place.
void restoreNumbers(Transform transform, unsigned size, std::byte* values,
                    std::size_t count) noexcept;

} // namespace kaon::codec
