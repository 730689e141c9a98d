#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace kaon::detail {
/// Returns 2^twos e^x, for |x| < 700.
[[nodiscard]] inline double exponentialOf(double x, std::int32_t twos) noexcept {
  // e^x = 2^n e^r with |r| <= ln(2) / 2; n times the first part of ln(2) is exact. Rounds by
  // conversion, because -ffast-math, which many programs use for their loops, removes the addition
  // and subtraction of a rounding constant.
  const auto n = static_cast<std::int32_t>(x * std::numbers::log2e + std::copysign(0.5, x));
  const double r = x - n * 0x1.62e42feep-1 - n * 0x1.a39ef35793c76p-33;
  const double r2 = r * r, r4 = r2 * r2;
  const double low = r + r2 * (1. / 2 + r * (1. / 6));
  const double middle = 1. / 24 + r * (1. / 120) + r2 * (1. / 720 + r * (1. / 5040));
  const double high = 1. / 40320 + r * (1. / 362880) + r2 * (1. / 3628800 + r * (1. / 39916800));
  const double last = 1. / 479001600 + r * (1. / 6227020800);
  return (1 + (low + r4 * (middle + r4 * (high + r4 * last)))) *
         std::bit_cast<double>(static_cast<std::int64_t>(n + twos + 1023) << 52);
}

/// Returns e^x, exact to the last digit or two.
[[nodiscard]] inline double exponential(double x) noexcept {
  return std::abs(x) < 700 ? detail::exponentialOf(x, 0) : std::exp(x);
}
/// For floats, uses the standard library.
[[nodiscard]] inline float exponential(float x) noexcept { return std::exp(x); }

} // namespace kaon::detail
