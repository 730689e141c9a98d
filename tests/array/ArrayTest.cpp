#include <kaon/array/ArrayFunctions.h>

#include "support/Allocations.h"
#include "support/Errors.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using kaon::Array;

const std::vector<float> pts = {30.F, 12.5F, 25.F, 7.F};
const std::vector<float> etas = {-2.5F, 0.1F, 1.2F, -0.3F};
const Array<float> pt{std::span(pts)};
const Array<float> eta{std::span(etas)};

template <class A>
std::vector<typename A::value_type> values(const A& array) {
  return {array.begin(), array.end()};
}

TEST(Array, computesWhereItIsLookedAt) {
  EXPECT_EQ(values(pt + pt), (std::vector<float>{60.F, 25.F, 50.F, 14.F}));
  EXPECT_EQ(values(2 * pt - 1), (std::vector<float>{59.F, 24.F, 49.F, 13.F}));
  EXPECT_EQ(values(-eta), (std::vector<float>{2.5F, -0.1F, -1.2F, 0.3F}));
  EXPECT_FLOAT_EQ(kaon::hypot(pt, eta)[1], std::hypot(12.5F, 0.1F));
  const std::vector<std::int32_t> widths = {-60'000};
  EXPECT_EQ(kaon::hypot(Array<std::int32_t>(std::span(widths)), 80'000)[0], 100'000.);
  EXPECT_FALSE(std::signbit(abs(0 * eta)[0])); // for -0
  EXPECT_EQ(values(kaon::where(pt > 20, pt, 0.F)), (std::vector<float>{30.F, 0.F, 25.F, 0.F}));
  const auto squares = kaon::map([](float x, int power) { return std::pow(x, power); }, pt, 2);
  EXPECT_DOUBLE_EQ(squares[3], 49.);
}

TEST(Array, selectsByMasksAndPlaces) {
  const auto isGood = pt > 10 && abs(eta) < 2.4;
  EXPECT_EQ(count(isGood), 2U);
  EXPECT_TRUE(any(isGood));
  EXPECT_FALSE(all(isGood));
  EXPECT_EQ(values(pt[isGood]), (std::vector<float>{12.5F, 25.F}));
  EXPECT_EQ(values((2 * pt)[!isGood || eta > 1]), (std::vector<float>{60.F, 50.F, 14.F}));
  EXPECT_EQ(values(pt[argsort(eta)]), (std::vector<float>{30.F, 7.F, 12.5F, 25.F}));
  EXPECT_EQ(values(sort(pt, std::greater<>())), (std::vector<float>{30.F, 25.F, 12.5F, 7.F}));
}

TEST(Array, sortsNanLast) {
  const float nan = std::nanf("");
  const std::vector<float> some = {3.F, nan, 1.F, nan, 2.F, 0.F};
  const Array<float> x{std::span(some)};
  EXPECT_EQ(values(argsort(x)), (std::vector<std::uint32_t>{5, 2, 4, 0, 1, 3}));
  EXPECT_EQ(values(argsort(x, std::greater<>())), (std::vector<std::uint32_t>{0, 4, 2, 5, 1, 3}));
  const auto sorted = sort(x);
  EXPECT_EQ(values(sorted[sorted == sorted]), (std::vector<float>{0.F, 1.F, 2.F, 3.F}));
}

TEST(Array, showsNanWhereverItStands) {
  const float nan = std::nanf("");
  for (const std::vector<float>& some : {std::vector{nan, 1.F, 2.F}, {1.F, nan, 2.F, nan}}) {
    const Array<float> x{std::span(some)};
    EXPECT_TRUE(std::isnan(min(x, 0.F)));
    EXPECT_TRUE(std::isnan(max(x, 0.F)));
    EXPECT_EQ(argmin(x), argmax(x));
  }
}

TEST(Array, putsOneBehindAnother) {
  EXPECT_EQ(values(concatenate(pt[pt > 20], 2 * eta[eta > 0])),
            (std::vector<float>{30.F, 25.F, 0.2F, 2.4F}));
}

TEST(Array, reduces) {
  EXPECT_DOUBLE_EQ(sum(pt), 74.5);
  EXPECT_DOUBLE_EQ(mean(pt), 74.5 / 4);
  EXPECT_EQ(sum(pt > 10), 3);
  EXPECT_EQ(argmax(pt), 0U);
  EXPECT_EQ(argmin(pt), 3U);
  EXPECT_EQ(max(eta, 0.F), 1.2F);
  EXPECT_EQ(min(Array<float>(), -1.F), -1.F);
  EXPECT_EQ(argmax(Array<float>()), std::nullopt);
  EXPECT_EQ(sum(Array<int>()), 0);
  EXPECT_TRUE(std::isnan(mean(Array<float>())));
  const std::vector<std::int8_t> charges = {100, 100, 100};
  EXPECT_EQ(sum(Array<std::int8_t>(std::span(charges))), 300); // computed in 64 bits
  EXPECT_DOUBLE_EQ(prod(2 * pt), 16 * prod(pt));
  EXPECT_EQ(prod(Array<float>()), 1);
  EXPECT_EQ(prod(pt > 10), 0);
  EXPECT_EQ(prod(Array<std::int8_t>(std::span(charges))), 1'000'000);
}

TEST(Array, dividesByZero) {
  const std::vector<std::int32_t> ints = {7, 0, -7};
  const std::vector<std::uint64_t> counts = {0, 2, 0};
  const Array<std::int32_t> x{std::span(ints)};
  const Array<std::uint64_t> n{std::span(counts)};
  EXPECT_EQ(values(x / 0), (std::vector<std::int32_t>{0, 0, 0}));
  EXPECT_EQ(values(100 / n), (std::vector<std::uint64_t>{0, 50, 0}));
  EXPECT_EQ(values(x / 2), (std::vector<std::int32_t>{3, 0, -3}));
  EXPECT_EQ((x / 0.)[0], std::numeric_limits<double>::infinity());
}

/// As in expressions, but with C++'s types: results have at least the size of int.
TEST(Array, integersWrapAround) {
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  const std::vector<std::int32_t> ints = {most, least, 3};
  const Array<std::int32_t> x{std::span(ints)};
  EXPECT_EQ(values(x + 1), (std::vector<std::int32_t>{least, least + 1, 4}));
  EXPECT_EQ(values(x - 1), (std::vector<std::int32_t>{most - 1, most, 2}));
  EXPECT_EQ(values(x * x), (std::vector<std::int32_t>{1, 0, 9}));
  EXPECT_EQ(values(-x), (std::vector<std::int32_t>{-most, least, -3}));
  EXPECT_EQ(values(abs(x)), (std::vector<std::int32_t>{most, least, 3}));
  EXPECT_EQ(count(x + 1 < x), 1U);
  EXPECT_EQ(values(x / -1), (std::vector<std::int32_t>{-most, least, -3}));
  const std::vector<std::uint16_t> shorts = {65535};
  const Array<std::uint16_t> s{std::span(shorts)};
  EXPECT_EQ((s * s)[0], static_cast<std::int32_t>(65535U * 65535U));
  const std::vector<std::int64_t> longs = {std::numeric_limits<std::int64_t>::max(), 2};
  const Array<std::int64_t> y{std::span(longs)};
  EXPECT_EQ((y + y)[0], -2);
  // Sums and products over a list raise an error instead.
  const auto refused = [](auto use) {
    kaon::test::expectError(kaon::ErrorKind::usage, "exceeds 64 bits", use);
  };
  refused([&] { (void)sum(y); });
  refused([&] { (void)prod(y); });
  EXPECT_DOUBLE_EQ(mean(y), 0x1p62);
  const std::vector<std::int64_t> ups = {longs[0], 2, -2, 0};
  const Array<std::int64_t> z{std::span(ups)};
  EXPECT_EQ(sum(z), longs[0]); // partial sums exceed 64 bits
  EXPECT_EQ(prod(z), 0);
}

TEST(Array, combinesInOrder) {
  const auto triples = kaon::combinations<3>(places(pt));
  using Triple = std::array<std::uint32_t, 3>;
  EXPECT_EQ(values(triples), (std::vector<Triple>{{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}));
  EXPECT_EQ(kaon::combinations<2>(pt).size(), 6U);
  EXPECT_EQ(kaon::combinations<4>(pt).size(), 1U);
  EXPECT_TRUE(kaon::combinations<5>(pt).empty());
  const Array<float> many(pt.data(), std::size_t{1} << 22);
  kaon::test::expectError(kaon::ErrorKind::memory, "too many choices of 3 among 4194304 values",
                          [&] { (void)kaon::combinations<3>(many); });
  const auto crossed = pairs(pt, eta[eta > 0]);
  ASSERT_EQ(crossed.size(), 8U);
  EXPECT_EQ(crossed[1].first, 30.F);
  EXPECT_EQ(crossed[1].second, 1.2F);
}

TEST(Array, ofAnotherSizeIsRefused) {
  const auto positive = eta[eta > 0];
  kaon::test::expectError(kaon::ErrorKind::usage, "but have 4 and 2 values",
                          [&] { (void)(pt + positive); });
  kaon::test::expectError(kaon::ErrorKind::usage, "index 4 is out of range in an array of size 4",
                          [&] { (void)pt[Array<int>(map([](float) { return 4; }, eta))]; });
  const std::int8_t none = -1;
  kaon::test::expectError(kaon::ErrorKind::usage, "index -1 is out of range in an array of size 4",
                          [&] { (void)pt[Array<std::int8_t>(&none, 1)]; });
  kaon::test::expectError(kaon::ErrorKind::usage, "index 4 is out of range",
                          [&] { (void)pt.at(4); });
}

TEST(Arena, givesTheSameMemoryAgain) {
  const auto work = [] {
    const kaon::detail::ArenaScope scope;
    double total = 0;
    for (int i = 0; i < 1000; ++i)
      total += sum(sort((pt * i)[eta > 0]));
    return total;
  };
  const double expected = work();
  const kaon::test::Allocations allocations;
  EXPECT_EQ(work(), expected);
  EXPECT_EQ(allocations.count(), 0U);
}

TEST(Arena, keepsArraysFromBeforeAScope) {
  const Array<double> twice = 2. * pt;
  {
    const kaon::detail::ArenaScope scope;
    const auto large =
        kaon::detail::Arena::ofThread().allocate<double>(1 << 20); // in another chunk
    std::ranges::fill(large, -1.);
  }
  const Array<double> further = 3. * pt;
  EXPECT_EQ(values(twice), (std::vector<double>{60., 25., 50., 14.}));
  EXPECT_EQ(values(further), (std::vector<double>{90., 37.5, 75., 21.}));
}

} // namespace
