#pragma once

#include <kaon/model/Scalar.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kaon::arrow {

/// The storage of numbers, dates, times or decimals in an array of Arrow.
enum class NumberForm : std::uint8_t {
  plain, ///< as they are stored
  bit,   ///< truth values, eight in a byte
  half,  ///< floats of 16 bits
  decimal,
};

/// The numbers of a stream, and their type in files. Dates, times and durations become integers.
/// Floats of 16 bits become floats of 32 bits. Decimals become the nearest floats of 64 bits.
struct StreamNumber {
  Scalar type = Scalar::Bool;
  NumberForm form = NumberForm::plain;
  std::uint32_t bytes = 0;    ///< of a number in the array; 0 for bits
  std::int32_t scale = 0;     ///< of decimals: digits after the point
  std::string_view unit = {}; ///< of times

  /// Converts the number at an index of an array's values, and stores it in `out`.
  void store(const std::byte* values, std::size_t place, std::byte* out) const noexcept;
};

/// Returns the numbers that a format of Arrow's C interface means, such as "i" or "tdD"; nothing
/// for other types.
[[nodiscard]] std::optional<StreamNumber> streamNumber(std::string_view format);

} // namespace kaon::arrow
