#pragma once

#include <kaon/formats/root/objects/ElementType.h>
#include <kaon/model/Scalar.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kaon::root {

/// The layout of numbers of one type in baskets, and their type after decoding.
struct NumberLayout {
  enum class Kind : std::uint8_t {
    plain,     ///< Big-endian.
    little,    ///< Little-endian.
    boolean,   ///< A byte; true unless it is 0.
    widened,   ///< A float that becomes a double.
    truncated, ///< Three bytes: exponent, sign and a few bits of the mantissa.
    steps      ///< Four bytes: the number of a step in a range.
  };
  Kind kind = Kind::plain;
  Scalar type = Scalar::Float32; ///< after decoding
  std::uint8_t storedBytes = 4;  ///< of one value
  std::uint8_t bits = 0;         ///< truncated only: of the mantissa
  double low = 0;                ///< steps only: start of the range
  double stepsPerUnit = 1;       ///< steps only
  friend bool operator==(const NumberLayout&, const NumberLayout&) = default;
};

/// Whether the type is an integer.
[[nodiscard]] constexpr bool isInteger(Scalar type) noexcept {
  return type != Scalar::Bool && type < Scalar::Float32;
}

/// Returns the layout of a type (an ElementType without 20 or 40), or nothing if it is not a
/// number. `title` has the range of Double32_t and Float16_t, such as "[-5,5,16]".
[[nodiscard]] std::optional<NumberLayout> formOf(std::int32_t type, std::string_view title = {});

/// Returns the number type with a C++ or ROOT name, such as "unsigned int" or "Float_t".
[[nodiscard]] std::optional<std::int32_t> numberNamed(std::string_view name) noexcept;

/// Decodes `count` values from `stored` into `out`, which has room for them.
void decodeNumbers(const NumberLayout& form, const std::byte* stored, std::size_t count,
                   std::byte* out) noexcept;

} // namespace kaon::root
