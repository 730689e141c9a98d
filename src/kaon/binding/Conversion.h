#pragma once

#include <kaon/base/Bytes.h>
#include <kaon/batch/Batch.h>
#include <kaon/batch/Source.h>
#include <kaon/model/Scalar.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace kaon {

/// Rows of numbers: `extent` of them each, one after another.
struct NumberRows {
  ColumnView values;
  Scalar type = Scalar::Bool;
  std::uint32_t extent = 1;
  [[nodiscard]] const std::byte* at(std::size_t row, std::size_t k) const noexcept {
    return values.at(row) + k * sizeOf(type);
  }
};

/// Writes the numbers of `rows` rows as another type, one after another, to `to`. Returns the
/// first number that the type cannot hold, nullptr if it holds all. Whole numbers become floats,
/// and doubles floats, by rounding; a float becomes a whole number if it is one, and 0 and 1 become
/// bools.
[[nodiscard]] const std::byte* convert(const NumberRows& from, std::size_t rows, Scalar type,
                                       std::byte* to);

/// The extremes of values that are read as another type, where those in `missing` may stand among
/// them. Nothing where a value does not fit.
[[nodiscard]] std::optional<Extremes> convertExtremes(const Extremes& stored, Scalar from,
                                                      Scalar type,
                                                      std::span<const std::byte> missing);

/// A number as text, for messages.
[[nodiscard]] std::string numberText(const std::byte* value, Scalar type);

} // namespace kaon
