#pragma once

#include <cstdint>

namespace kaon {

/// The precision of a float: part of a model or of a writer's options, and stored in the file.
/// Detectors measure a few digits; the bits below are noise, which no codec can compress. The
/// values of Kind are those in files.
struct Precision {
  enum class Kind : std::uint8_t {
    exact = 0,
    mantissa = 1, ///< the highest bits of the mantissa: a relative precision
    range = 2     ///< the nearest low + step * k, k = 0 .. last: an absolute precision
  };
  Kind kind = Kind::exact;
  std::uint8_t bits = 0;  ///< mantissa: explicit bits kept, 1..22 (float32) or 1..51 (float64)
  double low = 0;         ///< range: the first step
  double step = 0;        ///< range: from one step to the next
  std::uint32_t last = 0; ///< range: the number of the last step, at least 1

  /// Returns the last step of a range.
  [[nodiscard]] constexpr double high() const noexcept { return low + step * last; }
  friend bool operator==(const Precision&, const Precision&) = default;
};

// These functions do not throw; codec::check() reports invalid precisions.

/// Keeps `bits` of the mantissa: |error| <= 2^-(bits + 1) |x|.
[[nodiscard]] Precision mantissaBits(unsigned bits) noexcept;
/// Steps from `low` to the step nearest to `high`: |error| <= step / 2.
[[nodiscard]] Precision stepsOf(double low, double high, double step) noexcept;
namespace detail {

/// 2^bits steps; the last one is `high`.
[[nodiscard]] Precision bitsIn(double low, double high, unsigned bits) noexcept;

} // namespace detail

} // namespace kaon
