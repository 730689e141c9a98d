#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace kaon {

/// Of a double as the standard library has it.
[[nodiscard]] inline double hyperbolicSine(double x) noexcept { return std::sinh(x); }

/// Of a float, rounded correctly nearly always. The standard library's takes more time than all the
/// rest of a four-momentum.
[[nodiscard]] inline float hyperbolicSine(float argument) noexcept {
  constexpr double most = 100; // sinh(100) is more than a float holds
  double x = argument;
  x = x > most ? most : x;
  x = x < -most ? -most : x;
  // e^x = 2^n e^r with |r| <= ln(2) / 2. By a conversion: -ffast-math, which programs like for
  // their loops, takes out what is added to round and subtracted again.
  const auto n =
      static_cast<std::int32_t>((x == x ? x : 0) * std::numbers::log2e + std::copysign(0.5, x));
  const double r = x - n * std::numbers::ln2;
  const auto power = std::bit_cast<double>(static_cast<std::int64_t>(n + 1023) << 52);
  const double r2 = r * r, r4 = r2 * r2;
  const double low = 1 + r + r2 * (1. / 2 + r * (1. / 6));
  const double middle = 1. / 24 + r * (1. / 120) + r2 * (1. / 720 + r * (1. / 5040));
  const double high = 1. / 40320 + r * (1. / 362880);
  const double exponential = (low + r4 * (middle + r4 * high)) * power;
  // Near 0 the difference has too few digits.
  const double near = x + x * x * x * (1. / 6);
  const double far = (exponential - 1 / exponential) / 2;
  return static_cast<float>(std::abs(x) < 1e-3 ? near : far);
}

} // namespace kaon
