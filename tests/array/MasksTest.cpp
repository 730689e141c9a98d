#include <kaon/array/ArrayFunctions.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

// Compiled twice: the second time for processors with AVX2, which count masks with other code.

namespace {

using kaon::Array;

/// Arrays of each type that end where their memory ends.
struct Values {
  explicit Values(std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      const auto number = static_cast<std::int32_t>(i * 37 % 23) - 11;
      floats.push_back(0.1F * static_cast<float>(number));
      doubles.push_back(0.1 * number);
      ints.push_back(number);
      longs.push_back((std::int64_t{1} << 40) * number);
      shorts.push_back(static_cast<std::int16_t>(number));
      sizes.push_back(static_cast<std::uint32_t>(number));
    }
    if (size > 2)
      floats[2] = std::numeric_limits<float>::quiet_NaN();
  }
  std::vector<float> floats;
  std::vector<double> doubles;
  std::vector<std::int32_t> ints;
  std::vector<std::int64_t> longs;
  std::vector<std::int16_t> shorts;
  std::vector<std::uint32_t> sizes;
};

template <kaon::IsMask M>
void expectCounted(const M& mask) {
  std::size_t expected = 0;
  for (std::size_t i = 0; i < mask.size(); ++i)
    expected += mask[i] ? 1 : 0;
  EXPECT_EQ(count(mask), expected) << "of " << mask.size();
  EXPECT_EQ(any(mask), expected > 0) << "of " << mask.size();
  EXPECT_EQ(all(mask), expected == mask.size()) << "of " << mask.size();
  EXPECT_EQ(sum(mask), static_cast<std::int64_t>(expected)) << "of " << mask.size();
}

TEST(Masks, areCountedForAnySize) {
#if defined(__AVX2__) && defined(__GNUC__)
  if (!__builtin_cpu_supports("avx2"))
    GTEST_SKIP() << "this processor has no AVX2";
#endif
  for (std::size_t size = 0; size < 40; ++size) {
    const Values values(size);
    const Array<float> pt{std::span(values.floats)};
    const Array<double> x{std::span(values.doubles)};
    const Array<std::int32_t> id{std::span(values.ints)};
    const Array<std::int64_t> time{std::span(values.longs)};
    const Array<std::int16_t> status{std::span(values.shorts)};
    const Array<std::uint32_t> hits{std::span(values.sizes)};
    expectCounted(pt > 0);
    expectCounted(0.3F >= pt);
    expectCounted(pt < 0.3); // in double: 0.3F is greater than 0.3
    expectCounted(pt == pt); // false for NaN
    expectCounted(pt != pt);
    expectCounted(abs(pt) < 0.5 && pt > -0.25F);
    expectCounted(!(abs(pt) < 0.5) || pt > 1);
    expectCounted(pt * pt + 2 > pt / 0.5F - 1);
    expectCounted(-x <= 0.4);
    expectCounted(pt < x);
    expectCounted(abs(id) == 11);
    expectCounted(id * 2 > pt);
    expectCounted(id / 2 > 1);
    expectCounted(id < x);
    expectCounted(time > (std::int64_t{1} << 41));
    expectCounted(time > id);
    expectCounted(status > 3);
    expectCounted(hits > 5U);
    expectCounted(hits > id); // compares as numbers
    expectCounted(id < 5U);   // compares as numbers
    expectCounted(map([](float p) { return p > 0.2F; }, pt) && pt > 0);
  }
}

TEST(Masks, lookAtNothingBehindTheEnd) {
  const std::vector<double> all(64, 1.);
  for (std::size_t size = 0; size < all.size(); ++size)
    EXPECT_EQ(count(Array<double>(all.data(), size) > 0), size);
}

} // namespace
