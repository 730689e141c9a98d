#pragma once

#include <cstdint>

namespace kaon {

/// What of a float is kept.
struct Precision {
  enum class Kind : std::uint8_t { exact = 0, mantissa = 1, range = 2 };
  Kind kind = Kind::exact;
  std::uint8_t bits = 0;
  double low = 0;
  double step = 0;
  friend bool operator==(const Precision&, const Precision&) = default;
};

} // namespace kaon
