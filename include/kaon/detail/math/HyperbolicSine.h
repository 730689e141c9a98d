#pragma once

#include <kaon/detail/math/Exponential.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace kaon::detail {

/// Exact to the last digit or two, without the standard library's branches on the argument.
[[nodiscard]] inline double hyperbolicSine(double argument) noexcept {
  const double x = std::abs(argument);
  if (!(x < 700))
    return std::sinh(argument);
  const double half = detail::exponentialOf(x, -1);
  const double far = half - 0.25 / half;
  // Near 0 the difference loses digits, so use the sum of x^k / k!.
  const double z = x * x, z2 = z * z, z4 = z2 * z2;
  const double near = x + x * z *
                              (1. / 6 + z * (1. / 120) + z2 * (1. / 5040 + z * (1. / 362880)) +
                               z4 * (1. / 39916800 + z * (1. / 6227020800) +
                                     z2 * (1. / 1307674368000 + z * (1. / 355687428096000))));
  return std::copysign(x < 1 ? near : far, argument);
}

/// For a float, nearly always rounded correctly. The standard function takes more time than the
/// rest of a four-momentum.
[[nodiscard]] inline float hyperbolicSine(float argument) noexcept {
  constexpr double most = 100; // sinh(100) exceeds the range of float
  double x = argument;
  x = x > most ? most : x;
  x = x < -most ? -most : x;
  const auto n =
      static_cast<std::int32_t>((x == x ? x : 0) * std::numbers::log2e + std::copysign(0.5, x));
  const double r = x - n * std::numbers::ln2;
  const auto power = std::bit_cast<double>(static_cast<std::int64_t>(n + 1023) << 52);
  const double r2 = r * r, r4 = r2 * r2;
  const double low = 1 + r + r2 * (1. / 2 + r * (1. / 6));
  const double middle = 1. / 24 + r * (1. / 120) + r2 * (1. / 720 + r * (1. / 5040));
  const double high = 1. / 40320 + r * (1. / 362880);
  const double exponential = (low + r4 * (middle + r4 * high)) * power;
  // Near 0 the difference loses digits.
  const double near = x + x * x * x * (1. / 6);
  const double far = (exponential - 1 / exponential) / 2;
  return static_cast<float>(std::abs(x) < 1e-3 ? near : far);
}

} // namespace kaon::detail
