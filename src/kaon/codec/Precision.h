#pragma once

#include <cstdint>

namespace kaon {

/// What of a float is kept: part of a model or of a writer's options, recorded in the file.
/// Detectors measure to a few digits; the bits below are noise, which no codec shrinks. The values
/// of Kind are those in files.
struct Precision {
  enum class Kind : std::uint8_t {
    exact = 0,
    mantissa = 1, ///< the uppermost bits of the mantissa: a relative precision
    range = 2     ///< the nearest low + step * k, k = 0 .. last: an absolute precision
  };
  Kind kind = Kind::exact;
  std::uint8_t bits = 0;  ///< mantissa: explicit bits kept, 1..22 (float32) or 1..51 (float64)
  double low = 0;         ///< range: the first step
  double step = 0;        ///< range: from one to the next
  std::uint32_t last = 0; ///< range: the number of the last one, at least 1

  /// Of a range: the last step.
  [[nodiscard]] constexpr double high() const noexcept { return low + step * last; }
  friend bool operator==(const Precision&, const Precision&) = default;
};

// None of these throws; what makes no sense is for codec::check() to say.

/// Keeps `bits` of the mantissa: |error| <= 2^-(bits + 1) |x|.
[[nodiscard]] Precision mantissaBits(unsigned bits) noexcept;
/// Steps from `low` to the one nearest to `high`: |error| <= step / 2.
[[nodiscard]] Precision stepsOf(double low, double high, double step) noexcept;
/// 2^bits steps, the last of them `high`.
[[nodiscard]] Precision bitsIn(double low, double high, unsigned bits) noexcept;

} // namespace kaon
