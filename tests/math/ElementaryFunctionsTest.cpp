// kaon's own elementary functions. Those of the standard library are slow because their branches
// depend on random data.

#include <kaon/detail/math/ScalarFormulas.h>

#include "support/Random.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace kaon {
namespace {

using Limits = std::numeric_limits<double>;
constexpr double infinity = Limits::infinity();

/// Returns the difference of a number from the exact one, in units in the last place.
double distance(double number, long double exact) {
  const auto nearest = static_cast<double>(exact);
  const double unit = std::nextafter(std::abs(nearest), infinity) - std::abs(nearest);
  return static_cast<double>(std::abs(static_cast<long double>(number) - exact)) / unit;
}

/// Returns a random number of either sign with a size between 2^-twos and 2^twos.
double number(test::Random& random, int twos) {
  const double digits = 1 + static_cast<double>(random.bits() >> 12) * 0x1p-52;
  const auto size = static_cast<int>(random.below(static_cast<std::size_t>(2 * twos))) - twos;
  return std::copysign(std::ldexp(digits, size), random.chance(0.5) ? 1 : -1);
}
double usualNumber(test::Random& random) { return number(random, 8); }
double anyNumber(test::Random& random) { return number(random, 1000); }

bool areSame(double a, double b) {
  return std::isnan(a) ? std::isnan(b)
                       : std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

TEST(ElementaryFunctions, angleIsExactToTheLastDigits) {
  test::Random random(1);
  for (int i = 0; i < 200'000; ++i) {
    const bool isUsual = i % 4 != 0;
    const double y = isUsual ? usualNumber(random) : anyNumber(random);
    const double x = isUsual ? usualNumber(random) : anyNumber(random);
    const long double exact = std::atan2(static_cast<long double>(y), static_cast<long double>(x));
    if (std::abs(exact) > Limits::min()) {
      ASSERT_LE(distance(detail::arcTangent2(y, x), exact), 1.5) << y << ' ' << x;
    }
  }
}

TEST(ElementaryFunctions, angleOfSpecialNumbersFollowsTheStandard) {
  for (const double y : {0., -0., 1., -1., 1e308, infinity, -infinity, Limits::quiet_NaN()})
    for (const double x : {0., -0., 1., -1., 1e308, infinity, -infinity, Limits::quiet_NaN()})
      EXPECT_TRUE(areSame(detail::arcTangent2(y, x), std::atan2(y, x))) << y << ' ' << x;
}

TEST(ElementaryFunctions, exponentialIsExactToTheLastDigits) {
  test::Random random(4);
  for (int i = 0; i < 200'000; ++i) {
    const double x = i % 2 == 0 ? usualNumber(random) : 700 * usualNumber(random) / 256;
    const long double exact = std::exp(static_cast<long double>(x));
    if (x < 709) {
      ASSERT_LE(distance(detail::exponential(x), exact), 1.5) << x;
    }
  }
}

TEST(ElementaryFunctions, exponentialOfSpecialNumbersFollowsTheStandard) {
  for (const double x : {0., -0., 710., 1e300, -746., infinity, -infinity, Limits::quiet_NaN()})
    EXPECT_TRUE(areSame(detail::exponential(x), std::exp(x))) << x;
}

TEST(ElementaryFunctions, logarithmIsExactToTheLastDigits) {
  test::Random random(2);
  for (int i = 0; i < 200'000; ++i) {
    const double x = std::abs(i % 2 == 0 ? usualNumber(random) : anyNumber(random));
    ASSERT_LE(distance(detail::logarithm(x), std::log(static_cast<long double>(x))), 1) << x;
  }
  for (const double x : {Limits::denorm_min(), Limits::min() / 8, Limits::max(), 1., 2., 0.5})
    EXPECT_LE(distance(detail::logarithm(x), std::log(static_cast<long double>(x))), 1) << x;
}

TEST(ElementaryFunctions, logarithmOfSpecialNumbersFollowsTheStandard) {
  for (const double x : {0., -0., 1., -1., infinity, -infinity, Limits::quiet_NaN()})
    EXPECT_TRUE(areSame(detail::logarithm(x), std::log(x))) << x;
}

TEST(ElementaryFunctions, inverseHyperbolicSineIsExactToTheLastDigits) {
  test::Random random(3);
  for (int i = 0; i < 200'000; ++i) {
    const double x = i % 2 == 0 ? usualNumber(random) : anyNumber(random);
    ASSERT_LE(distance(detail::inverseHyperbolicSine(x), std::asinh(static_cast<long double>(x))),
              2)
        << x;
  }
  for (const double x : {0., -0., infinity, -infinity, Limits::quiet_NaN()})
    EXPECT_TRUE(areSame(detail::inverseHyperbolicSine(x), std::asinh(x))) << x;
  EXPECT_LE(distance(detail::inverseHyperbolicSine(Limits::max()),
                     std::asinh(static_cast<long double>(Limits::max()))),
            1);
}

} // namespace
} // namespace kaon
