#pragma once

#include <kaon/model/Scalar.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kaon::arrow {

/// How an array of Arrow has numbers, dates, times or decimals.
enum class NumberForm : std::uint8_t {
  plain, ///< as they are stored
  bit,   ///< truth values, eight in a byte
  half,  ///< floats of 16 bits
  decimal,
};

/// Numbers of a stream, and as what they are stored: dates, times and durations as whole numbers,
/// floats of 16 bits as those of 32, decimals as the floats of 64 bits that are nearest.
struct StreamNumber {
  Scalar type = Scalar::Bool;
  NumberForm form = NumberForm::plain;
  std::uint32_t bytes = 0;    ///< of one in the array; of bits 0
  std::int32_t scale = 0;     ///< of decimals: digits behind the point
  std::string_view unit = {}; ///< of times

  /// Stores the number at a place of an array's values.
  void store(const std::byte* values, std::size_t place, std::byte* out) const noexcept;
};

/// What a format of Arrow's C interface, such as "i" or "tdD", says; nothing for what is no number.
[[nodiscard]] std::optional<StreamNumber> streamNumber(std::string_view format);

} // namespace kaon::arrow
