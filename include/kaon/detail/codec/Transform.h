#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kaon::codec {

/// A change of numbers before encoding. The enumerators are those in files. All arithmetic is that
/// of unsigned numbers of the value's size, modulo its range.
enum class Transform : std::uint8_t {
  none = 0,
  delta = 1,      ///< Differences from the value before; in packed blocks, see BitPacking.h.
  rotated = 2,    ///< Bits rotated left by one: the sign of a float becomes its lowest bit.
  zigzag = 3,     ///< Differences d from the value before, as 2 d if not negative, else -2 d - 1.
  exclusiveOr = 4 ///< Value xor the value before.
};

/// Returns "none", "delta", ...; "?" for an unknown number.
[[nodiscard]] std::string_view transformName(Transform transform) noexcept;

// Transforms of planes, over a whole page: none, zigzag and exclusiveOr. The value before the first
// is 0.

[[nodiscard]] constexpr bool isOfPlanes(Transform transform) noexcept {
  return transform == Transform::none || transform == Transform::zigzag ||
         transform == Transform::exclusiveOr;
}
/// Transforms numbers of 1, 2, 4 or 8 bytes to `out`, which must not overlap them.
void transformNumbers(Transform transform, unsigned size, const std::byte* values,
                      std::size_t count, std::byte* out) noexcept;
/// The inverse of transformNumbers(), in place.
void restoreNumbers(Transform transform, unsigned size, std::byte* values,
                    std::size_t count) noexcept;

} // namespace kaon::codec
