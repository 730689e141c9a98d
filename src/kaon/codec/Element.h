#pragma once

#include <kaon/codec/Precision.h>

#include <cstdint>

namespace kaon::codec {

/// What a column's values are, as far as it matters for making them small.
struct Element {
  std::uint32_t size = 1;
  bool isFloat = false;  ///< IEEE 754: there is a sign above an exponent
  bool isSigned = false; ///< two's complement
  Precision precision{}; ///< to which the values were rounded; only says what may make them small

  friend bool operator==(const Element&, const Element&) = default;

  /// Can be handled as a number, not just as bytes.
  [[nodiscard]] constexpr bool isNumber() const noexcept {
    return size == 1 || size == 2 || size == 4 || size == 8;
  }
};

} // namespace kaon::codec
