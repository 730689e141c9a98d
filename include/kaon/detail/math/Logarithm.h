#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace kaon::detail {
/// Returns ln(2^twos x) + rest of a normal x > 0. The polynomial is that of fdlibm's log() (Sun
/// Microsystems, 1993), for x from √½ to √2 times a power of two.
[[nodiscard]] inline double logarithmOf(double x, double rest, double twos) noexcept {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) + 0x0009'5f62'0000'0000;
  const double k = static_cast<double>(static_cast<std::int32_t>(bits >> 52) - 1023) + twos;
  const double f =
      std::bit_cast<double>((bits & 0x000f'ffff'ffff'ffff) + 0x3fe6'a09e'0000'0000) - 1;
  const double s = f / (2 + f), z = s * s, w = z * z, half = 0.5 * f * f;
  const double even = w * (3.999999999940941908e-01 +
                           w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const double odd = z * (6.666666666666735130e-01 +
                          w * (2.857142874366239149e-01 +
                               w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  return k * 6.93147180369123816490e-01 -
         ((half - (s * (half + (even + odd)) + (k * 1.90821492927058770002e-10 + rest))) - f);
}

/// Returns the natural logarithm, exact to the last digit or two; -∞ for 0, NaN for negative
/// numbers.
[[nodiscard]] inline double logarithm(double x) noexcept {
  using Limits = std::numeric_limits<double>;
  const bool isSubnormal = x < Limits::min();
  const double result = detail::logarithmOf(isSubnormal ? x * 0x1p54 : x, 0, isSubnormal ? -54 : 0);
  const double otherwise = x == 0 ? -Limits::infinity() : x < 0 ? Limits::quiet_NaN() : x;
  return x > 0 && x < Limits::infinity() ? result : otherwise;
}
/// For floats, uses the standard library.
[[nodiscard]] inline float logarithm(float x) noexcept { return std::log(x); }

/// Returns the inverse of the hyperbolic sine, exact to the last digit or two.
[[nodiscard]] inline double inverseHyperbolicSine(double argument) noexcept {
  const double x = std::abs(argument);
  const bool isFar = x > 0x1p28; // where the result is ln(2x)
  // Near 0, ln(1 + u) is corrected by the digits of u that 1 + u loses.
  const double u = x + x * x / (1 + std::sqrt(1 + x * x));
  const double sum = 1 + u;
  const double rest = isFar ? 0 : (u - (sum - 1)) / sum;
  const double result = detail::logarithmOf(isFar ? x : sum, rest, isFar ? 1 : 0);
  return std::copysign(x < std::numeric_limits<double>::infinity() ? result : x, argument);
}
/// For floats, uses the standard library.
[[nodiscard]] inline float inverseHyperbolicSine(float x) noexcept { return std::asinh(x); }

} // namespace kaon::detail
