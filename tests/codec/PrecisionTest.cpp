#include <kaon/codec/InstructionSets.h>
#include <kaon/codec/Reference.h>
#include <kaon/codec/RoundTo.h>
#include <kaon/detail/codec/Element.h>

#include "support/Errors.h"
#include "support/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace kaon::codec {
namespace {

using test::expectError;
using test::Random;

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <class T>
constexpr Element elementOf{sizeof(T), true, true};

template <class T>
std::vector<T> rounded(const Precision& precision, const std::vector<T>& values) {
  std::vector<T> out(values.size());
  roundTo(precision, elementOf<T>, std::as_bytes(std::span(values)),
          std::as_writable_bytes(std::span(out)));
  return out;
}
template <class T>
T rounded(const Precision& precision, T value) {
  return rounded(precision, std::vector<T>{value})[0];
}

/// Returns the bits of floats, to compare NaNs and zeros exactly.
template <class T>
std::vector<BitsOf<T>> wordsOf(const std::vector<T>& values) {
  std::vector<BitsOf<T>> bits;
  for (const T value : values)
    bits.push_back(std::bit_cast<BitsOf<T>>(value));
  return bits;
}

/// Returns random bits, and numbers between -100 and 100.
template <class T>
std::vector<T> someFloats(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = static_cast<BitsOf<T>>(random.bits());
    const auto number = static_cast<T>(static_cast<double>(random.bits() >> 11) * 0x1p-53);
    values.push_back(random.chance(0.3) ? std::bit_cast<T>(bits) : 200 * number - 100);
  }
  using Limits = std::numeric_limits<T>;
  std::vector<T> special{0,
                         -T{0},
                         Limits::infinity(),
                         -Limits::infinity(),
                         Limits::quiet_NaN(),
                         Limits::signaling_NaN(),
                         Limits::max(),
                         Limits::lowest(),
                         Limits::min(),
                         Limits::denorm_min()};
  for (std::size_t i = 0; i < std::min(count / 2, special.size()); ++i)
    values[random.below(count)] = special[(seed + i) % special.size()];
  return values;
}

template <class T>
class PrecisionOf : public testing::Test {
protected:
  void TearDown() override { useInstructionSet(""); }
  static constexpr unsigned mostBits = sizeof(T) == 4 ? 22 : 51;
};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(PrecisionOf, Floats);

TYPED_TEST(PrecisionOf, roundsMantissasAsTheReference) {
  for (const std::string& set : instructionSets()) {
    useInstructionSet(set);
    for (unsigned count = 0; count < 100; ++count) {
      const unsigned bits = 1 + count % TestFixture::mostBits;
      const auto values = someFloats<TypeParam>(count, count);
      auto expected = wordsOf(values);
      for (auto& value : expected)
        value = static_cast<BitsOf<TypeParam>>(
            reference::roundMantissa(sizeof(TypeParam), bits, value));
      ASSERT_EQ(wordsOf(rounded(mantissaBits(bits), values)), expected) << set << " " << bits;
    }
  }
}

TYPED_TEST(PrecisionOf, roundsToStepsAsTheReference) {
  for (const std::string& set : instructionSets()) {
    useInstructionSet(set);
    for (unsigned count = 0; count < 100; ++count) {
      const Precision range = detail::bitsIn(-50 - count / 7., 60, 1 + count % 18);
      const auto values = someFloats<TypeParam>(count, count);
      auto expected = values;
      for (TypeParam& value : expected)
        if (!std::isnan(value))
          value = reference::roundToStep(stepsIn(range), value);
      ASSERT_EQ(wordsOf(rounded(range, values)), wordsOf(expected)) << set << " " << count;
    }
  }
}

TYPED_TEST(PrecisionOf, numbersOfStepsComeBackWithEveryInstructionSet) {
  Random random(1);
  for (const std::string& set : instructionSets()) {
    useInstructionSet(set);
    for (std::size_t count = 0; count < 70; ++count) {
      const Steps steps{-1.25, 0.1, 100'000};
      std::vector<std::uint32_t> numbers(count);
      std::vector<TypeParam> values(count);
      for (std::size_t i = 0; i < count; ++i) {
        numbers[i] = static_cast<std::uint32_t>(random.below(100'001));
        values[i] = reference::stepAt<TypeParam>(steps, numbers[i]);
      }
      std::vector<std::uint32_t> encoded(count);
      const auto bytes = std::as_writable_bytes(std::span(values));
      ASSERT_TRUE(toNumbers(sizeof(TypeParam), steps, bytes.data(), count, encoded.data()));
      ASSERT_EQ(encoded, numbers);
      std::vector<TypeParam> back(count);
      fromNumbers(sizeof(TypeParam), steps, 4, std::as_bytes(std::span(numbers)).data(), count,
                  std::as_writable_bytes(std::span(back)).data());
      ASSERT_EQ(back, values);
      if (count == 0)
        continue;
      values[random.below(count)] = static_cast<TypeParam>(steps.low - steps.step);
      ASSERT_FALSE(toNumbers(sizeof(TypeParam), steps, bytes.data(), count, encoded.data()));
      values[random.below(count)] = std::numeric_limits<TypeParam>::quiet_NaN();
      ASSERT_FALSE(toNumbers(sizeof(TypeParam), steps, bytes.data(), count, encoded.data()));
    }
  }
}

TYPED_TEST(PrecisionOf, isKept) {
  const auto values = someFloats<TypeParam>(1, 10'000);
  const auto mantissas = rounded(mantissaBits(12), values);
  const Precision range = stepsOf(-80, 90, 0.01);
  const auto steps = rounded(range, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    if (std::isnormal(values[i])) {
      ASSERT_LE(std::abs(mantissas[i] - value), 0x1p-13 * std::abs(value));
    }
    if (value >= -80 && value <= 90) {
      ASSERT_LE(std::abs(steps[i] - value),
                0.005 + 100 * std::numeric_limits<TypeParam>::epsilon());
    } else if (!(value >= -80.005 && value <= range.high() + 0.005)) {
      ASSERT_EQ(wordsOf<TypeParam>({steps[i]}), wordsOf<TypeParam>({values[i]}));
    }
  }
}

// The finest allowed steps and coarse ones: each value has one position.
TYPED_TEST(PrecisionOf, isTheSameWhenRoundedAgain) {
  const double finest = 130 * (sizeof(TypeParam) == 4 ? 2 : 8) *
                        static_cast<double>(std::numeric_limits<TypeParam>::epsilon());
  for (const Precision& precision :
       {mantissaBits(1), mantissaBits(10), mantissaBits(TestFixture::mostBits),
        detail::bitsIn(-100, 100, 12), stepsOf(-100, 77, 0.3), stepsOf(-3, 100, 1e-4),
        Precision{Precision::Kind::range, 0, 127, finest, 65535},
        Precision{Precision::Kind::range, 0, -130, finest, 65535}}) {
    ASSERT_EQ(check(precision, elementOf<TypeParam>), "");
    auto values = someFloats<TypeParam>(2, 20'000);
    for (std::size_t i = 0; i < values.size() / 2; ++i)
      values[i] = static_cast<TypeParam>(precision.low + finest * static_cast<double>(i) / 3);
    const auto once = rounded(precision, values);
    EXPECT_EQ(wordsOf(rounded(precision, once)), wordsOf(once));
  }
}

TYPED_TEST(PrecisionOf, keepsTheOrderOfValues) {
  auto values = someFloats<TypeParam>(3, 20'000);
  std::erase_if(values, [](TypeParam value) { return std::isnan(value); });
  std::ranges::sort(values);
  for (const Precision& precision : {mantissaBits(3), mantissaBits(15), detail::bitsIn(-90, 70, 9)})
    EXPECT_TRUE(std::ranges::is_sorted(rounded(precision, values)));
}

TYPED_TEST(PrecisionOf, changesValuesInPlace) {
  auto values = someFloats<TypeParam>(4, 1001);
  const auto expected = rounded(mantissaBits(8), values);
  const auto bytes = std::as_writable_bytes(std::span(values));
  roundTo(mantissaBits(8), elementOf<TypeParam>, bytes, bytes);
  EXPECT_EQ(wordsOf(values), wordsOf(expected));
}

TYPED_TEST(PrecisionOf, keepsExactValues) {
  const auto values = someFloats<TypeParam>(5, 100);
  EXPECT_EQ(wordsOf(rounded(Precision{}, values)), wordsOf(values));
}

TYPED_TEST(PrecisionOf, neverMakesAFiniteValueInfinite) {
  using Limits = std::numeric_limits<TypeParam>;
  const TypeParam most = rounded(mantissaBits(5), Limits::max());
  EXPECT_TRUE(std::isfinite(most));
  EXPECT_EQ(most, std::ldexp(TypeParam{63}, Limits::max_exponent - 6));
  EXPECT_EQ(rounded(mantissaBits(5), Limits::lowest()), -most);
}

TEST(Precision, roundsTiesToEven) {
  EXPECT_EQ(rounded(mantissaBits(1), 1.25f), 1.f);
  EXPECT_EQ(rounded(mantissaBits(1), 1.75f), 2.f);
  EXPECT_EQ(rounded(stepsOf(0, 10, 1), 2.5f), 2.f);
  EXPECT_EQ(rounded(stepsOf(0, 10, 1), 3.5), 4.);
}

TEST(Precision, reachesHalfAStepBeyondItsEnds) {
  const Precision range = detail::bitsIn(0, 15, 4);
  EXPECT_EQ(rounded(range, -0.5), 0.);
  EXPECT_EQ(rounded(range, -0.51), -0.51);
  EXPECT_EQ(rounded(range, 15.5), 15.);
  EXPECT_EQ(rounded(range, 15.51), 15.51);
}

TEST(Precision, ofARangeEndsAtTheStepNearestToItsEnd) {
  EXPECT_EQ(stepsOf(0, 100, 0.01).last, 10'000U);
  EXPECT_EQ(stepsOf(0, 100, 0.01).high(), 100);
  EXPECT_EQ(stepsOf(0, 15.4, 1).last, 15U);
  EXPECT_EQ(stepsOf(0, 15.6, 1).last, 16U);
  EXPECT_EQ(stepsOf(-2, 2, 0.001).last, 4000U);
  EXPECT_EQ(detail::bitsIn(-1, 2, 8).last, 255U);
  EXPECT_EQ(detail::bitsIn(-1, 2, 8).step, 3. / 255);
  EXPECT_EQ(detail::bitsIn(-1, 2, 32).last, 0xFFFFFFFFU);
}

TEST(Precision, keepsValuesOutsideTheRange) {
  const Precision range = stepsOf(0, 100, 0.01);
  EXPECT_EQ(rounded(range, 99.996), 100);
  EXPECT_EQ(rounded(range, 110.3456), 110.3456);
  EXPECT_EQ(rounded(range, 110.3456f), 110.3456f);
  EXPECT_EQ(rounded(range, -0.0123), -0.0123);
}

struct Wrong {
  Precision precision;
  Element element;
  std::string message;
};

TEST(Precision, reportsInvalidOptions) {
  constexpr Element integer{4, false, true};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<Wrong> wrong{
      {mantissaBits(8), integer, "only float32 and float64 can have a lower precision"},
      {mantissaBits(0), elementOf<float>, "cannot keep 0 bits of a mantissa; of float32 keep 1"},
      {mantissaBits(23), elementOf<float>, "of float32 keep 1 to 22"},
      {mantissaBits(1000), elementOf<double>, "of float64 keep 1 to 51"},
      {detail::bitsIn(0, 1, 33), elementOf<double>, "must have from 1 to 4294967295 steps"},
      {stepsOf(0, 1e12, 1), elementOf<double>, "from 0 must have from 1 to 4294967295 steps of 1"},
      {stepsOf(0, 1, 0), elementOf<float>, "a finite step ("},
      {stepsOf(0, 1, -1), elementOf<float>, "a finite low end (0) and a finite step (-1) above 0"},
      {stepsOf(0, infinity, 1), elementOf<float>,
       "from 0 must have from 1 to 4294967295 steps of 1"},
      {stepsOf(0, 1, 3), elementOf<float>, "from 0 must have from 1 to 4294967295 steps of 3"},
      {stepsOf(infinity, 1, 1), elementOf<float>, "a range needs a finite low end"},
      {stepsOf(0, 1e39, 1e37), elementOf<float>, "beyond the range of float32"},
      {stepsOf(0, 1000, 1e-5), elementOf<float>, "are finer than float32 at"},
      {{static_cast<Precision::Kind>(7), 1, 0, 0, 0}, elementOf<float>, "number 7 does not exist"}};
  for (const Wrong& each : wrong) {
    EXPECT_NE(check(each.precision, each.element).find(each.message), std::string::npos)
        << check(each.precision, each.element) << "\n  instead of " << each.message;
    std::vector<std::byte> values(16);
    expectError(ErrorKind::usage, each.message,
                [&] { roundTo(each.precision, each.element, values, values); });
  }
  EXPECT_EQ(check({}, integer), "");
}

TEST(Precision, wantsRoomForWholeValues) {
  std::vector<std::byte> values(16);
  const std::span all(values);
  expectError(ErrorKind::usage, "whole number of values",
              [&] { roundTo(mantissaBits(8), elementOf<float>, all, all.first(12)); });
  expectError(ErrorKind::usage, "whole number of values",
              [&] { roundTo(mantissaBits(8), elementOf<float>, all.first(10), all.first(10)); });
}

} // namespace
} // namespace kaon::codec
