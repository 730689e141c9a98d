#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <numbers>

// Elementary functions and formulas of momenta, for single numbers.

#define KAON_FORMULA [[nodiscard]] inline

namespace kaon::detail {

template <class T>
concept IsNumber = std::floating_point<T>;
template <IsNumber T>
inline constexpr T turn = 2 * std::numbers::pi_v<T>;

// The operations of the formulas.

[[nodiscard]] inline std::int32_t truncated(double x) noexcept {
  return static_cast<std::int32_t>(x);
}
[[nodiscard]] inline double numberOf(std::int32_t n) noexcept { return n; }
[[nodiscard]] inline double powerOfTwo(std::int32_t n, std::int32_t more) noexcept {
  return std::bit_cast<double>(static_cast<std::int64_t>(n + more + 1023) << 52);
}
template <IsNumber T>
[[nodiscard]] T absolute(T x) noexcept {
  return std::abs(x);
}
template <IsNumber T>
[[nodiscard]] T copySign(T x, T sign) noexcept {
  return std::copysign(x, sign);
}
template <IsNumber T>
[[nodiscard]] T squareRoot(T x) noexcept {
  return std::sqrt(x);
}
/// Returns the root of a square, and -√(-x) of a negative number.
template <IsNumber T>
[[nodiscard]] T signedRoot(T square) noexcept {
  return square < 0 ? -std::sqrt(-square) : std::sqrt(square);
}
template <IsNumber T>
[[nodiscard]] T lesser(T a, T b) noexcept {
  return std::min(a, b);
}
template <IsNumber T>
[[nodiscard]] bool isNegative(T x) noexcept {
  return std::signbit(x);
}
[[nodiscard]] inline bool both(bool a, bool b) noexcept { return a && b; }
[[nodiscard]] inline bool differ(bool a, bool b) noexcept { return a != b; }
template <IsNumber T>
[[nodiscard]] T choose(bool is, T a, T b) noexcept {
  return is ? a : b;
}

/// Computes only the chosen numbers.
template <class A, class B>
[[nodiscard]] auto chosen(bool is, const A& a, const B& b) noexcept {
  return is ? a() : b();
}

/// A number as 2^exponent * fraction, with a fraction from √½ to √2.
template <class V>
struct NumberParts {
  V exponent, fraction;
};
[[nodiscard]] inline NumberParts<double> partsOf(double x) noexcept {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) + 0x0009'5f62'0000'0000;
  return {static_cast<double>(static_cast<std::int32_t>(bits >> 52) - 1023),
          std::bit_cast<double>((bits & 0x000f'ffff'ffff'ffff) + 0x3fe6'a09e'0000'0000)};
}

template <class V>
struct SineCosine;
/// Returns sine and cosine after so many quarters of a turn: selected, with their signs, by bits.
[[nodiscard]] inline SineCosine<double> turned(const SineCosine<double>& direction,
                                               std::int32_t quarters) noexcept;

#include <kaon/detail/math/ElementaryFormulas.h>

inline SineCosine<double> turned(const SineCosine<double>& direction,
                                 std::int32_t quarters) noexcept {
  const auto quarter = static_cast<std::uint64_t>(static_cast<std::int64_t>(quarters));
  const auto s = std::bit_cast<std::uint64_t>(direction.sine);
  const auto c = std::bit_cast<std::uint64_t>(direction.cosine);
  const std::uint64_t other = (s ^ c) & -(quarter & 1);
  return {std::bit_cast<double>((s ^ other) ^ (quarter & 2) << 62),
          std::bit_cast<double>((c ^ other) ^ ((quarter + 1) & 2) << 62)};
}

// Arguments beyond the range of a formula, and floats, use the standard library.

/// Returns e^x, exact to the last digit or two.
[[nodiscard]] inline double exponential(double x) noexcept {
  return std::abs(x) < 700 ? exponentialOf(x, 0) : std::exp(x);
}
[[nodiscard]] inline float exponential(float x) noexcept { return std::exp(x); }

/// Exact to the last digit or two. The standard functions have branches on the angle, which a
/// processor cannot predict: for azimuths they take three times as long.
[[nodiscard]] inline SineCosine<double> sineCosine(double x) noexcept {
  if (!(std::abs(x) < 1e5))
    return {std::sin(x), std::cos(x)};
  return sineCosineOf(x);
}
[[nodiscard]] inline SineCosine<float> sineCosine(float x) noexcept {
  return {std::sin(x), std::cos(x)};
}

[[nodiscard]] inline float arcTangent2(float y, float x) noexcept { return std::atan2(y, x); }
[[nodiscard]] inline float logarithm(float x) noexcept { return std::log(x); }
[[nodiscard]] inline float inverseHyperbolicSine(float x) noexcept { return std::asinh(x); }

/// Exact to the last digit or two, without the standard library's branches on the argument.
[[nodiscard]] inline double hyperbolicSine(double x) noexcept {
  return std::abs(x) < 700 ? hyperbolicSineOf(x) : std::sinh(x);
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

#include <kaon/detail/math/MomentumFormulas.h>

} // namespace kaon::detail

#undef KAON_FORMULA
