#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kaon {

/// What of a float is kept: part of a model or of a writer's options, recorded in the file.
/// Detectors measure to a few digits; the bits below are noise, which no codec shrinks. The values
/// of Kind are those in files.
struct Precision {
  enum class Kind : std::uint8_t {
    exact = 0,
    mantissa = 1, ///< the uppermost bits of the mantissa: a relative precision
    range = 2     ///< the nearest low + step * k, k = 0 .. 2^bits - 1: an absolute precision
  };
  Kind kind = Kind::exact;
  std::uint8_t bits = 0; ///< mantissa: explicit bits kept, 1..22 (float32) or 1..51 (float64);
                         ///< range: of a step's number, 1..32
  double low = 0;        ///< range: the first step
  double step = 0;       ///< range: from one to the next

  friend bool operator==(const Precision&, const Precision&) = default;
};

// None of these throws; what makes no sense is for check() to say.

/// Keeps `bits` of the mantissa: |error| <= 2^-(bits + 1) |x|.
[[nodiscard]] Precision mantissaBits(unsigned bits) noexcept;
/// Steps from `low` to at least `high`: |error| <= step / 2.
[[nodiscard]] Precision stepsOf(double low, double high, double step) noexcept;
/// 2^bits steps, the last of them `high`.
[[nodiscard]] Precision bitsIn(double low, double high, unsigned bits) noexcept;

} // namespace kaon

namespace kaon::codec {

struct Element;

/// What is wrong with a precision for these values, and what to do, or "": "cannot keep 30 bits of
/// a mantissa; of float32 keep 1 to 22". A range is of finite numbers, and its steps are not about
/// as fine as the type's own at its ends, so that rounding twice is rounding once: at least 2 times
/// those of float32, at least 8 times those of float64.
[[nodiscard]] std::string check(const Precision& precision, Element element);

/// Rounds float32 or float64 values to `out`, which may be the values themselves, but may not
/// overlap them otherwise. The same on every machine. Throws Error(usage) unless check() is "" and
/// both are of the same size, whole values. Any thread.
///
///   mantissa  to nearest, ties to even. Infinities, NaNs and zeros with their signs stay; a finite
///             value never becomes infinite, but the largest one of the grid. The relative error of
///             subnormal numbers is larger.
///   range     from half a step below the first to half a step above the last to the nearest one,
///             low + step * k in double arithmetic, then cast to the type, which may add its own
///             rounding. What lies outside stays exactly what it is, as do infinities and NaNs:
///             data are never clamped.
void roundTo(const Precision& precision, Element element, std::span<const std::byte> values,
             std::span<std::byte> out);

} // namespace kaon::codec
