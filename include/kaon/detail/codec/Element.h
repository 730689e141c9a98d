#pragma once

#include <kaon/codec/Precision.h>

#include <cstdint>

namespace kaon::codec {

/// The properties of a column's values that matter for encoding.
struct Element {
  std::uint32_t size = 1;
  bool isFloat = false;  ///< IEEE 754: a sign above an exponent
  bool isSigned = false; ///< two's complement
  Precision precision{}; ///< of the rounded values; only a hint for smaller encodings

  friend bool operator==(const Element&, const Element&) = default;

  /// Whether it can be processed as a number, not only as bytes.
  [[nodiscard]] constexpr bool isNumber() const noexcept {
    return size == 1 || size == 2 || size == 4 || size == 8;
  }
};

} // namespace kaon::codec
