#pragma once

#include <kaon/formats/root/objects/ElementType.h>
#include <kaon/model/Scalar.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kaon::root {

/// How numbers of one type lie in baskets, and what they become.
struct NumberForm {
  enum class Kind : std::uint8_t {
    plain,     ///< big-endian
    boolean,   ///< a byte; all but 0 are true
    widened,   ///< a float that becomes a double
    truncated, ///< exponent, sign and a few bits of the mantissa in three bytes
    steps      ///< the number of a step in a range, in four bytes
  };
  Kind kind = Kind::plain;
  Scalar type = Scalar::Float32; ///< what they become
  std::uint8_t storedBytes = 4;  ///< of one value
  std::uint8_t bits = 0;         ///< truncated: of the mantissa
  double low = 0;                ///< steps: of the range
  double stepsPerUnit = 1;       ///< steps
  friend bool operator==(const NumberForm&, const NumberForm&) = default;
};

/// The form of numbers of a type (an ElementType without 20 or 40); none if it is no number.
/// `title` has the range of Double32_t and Float16_t, as in "[-5,5,16]".
[[nodiscard]] std::optional<NumberForm> formOf(std::int32_t type, std::string_view title = {});

/// The type of a number by its name in C++ or ROOT, such as "unsigned int" or "Float_t".
[[nodiscard]] std::optional<std::int32_t> numberNamed(std::string_view name) noexcept;

/// Decodes `count` values: `stored` has their bytes, `out` room for them.
void decodeNumbers(const NumberForm& form, const std::byte* stored, std::size_t count,
                   std::byte* out) noexcept;

} // namespace kaon::root
