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

/// Rows of `extent` numbers each, one number after another.
struct NumberRows {
  ColumnView values;
  Scalar type = Scalar::Bool;
  std::uint32_t extent = 1;
  [[nodiscard]] const std::byte* at(std::size_t row, std::size_t k) const noexcept {
    return values.at(row) + k * sizeOf(type);
  }
};

/// Converts the numbers of `rows` rows to another type, and writes them one after another to `to`.
/// Returns the first number that the type cannot hold, or nullptr. Whole numbers and doubles are
/// rounded to floats. A float with a fraction does not fit a whole number. Only 0 and 1 fit a bool.
[[nodiscard]] const std::byte* convert(const NumberRows& from, std::size_t rows, Scalar type,
                                       std::byte* to);

/// Returns the extremes of values after conversion to another type. The values in `missing` may be
/// among them. Returns nothing if a value does not fit.
[[nodiscard]] std::optional<Extremes> convertExtremes(const Extremes& stored, Scalar from,
                                                      Scalar type,
                                                      std::span<const std::byte> missing);

/// Returns a number as text, for messages.
[[nodiscard]] std::string numberText(const std::byte* value, Scalar type);

} // namespace kaon
