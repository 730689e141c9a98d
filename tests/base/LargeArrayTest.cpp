#include <kaon/detail/base/LargeArray.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <numeric>
#include <utility>

namespace kaon {
namespace {

/// Returns consecutive numbers from `first`.
detail::LargeArray<std::uint64_t> numbers(std::size_t size, std::uint64_t first) {
  detail::LargeArray<std::uint64_t> array(size);
  std::iota(array.data(), array.data() + size, first);
  return array;
}

class LargeArrayTest : public testing::TestWithParam<std::size_t> {};

TEST_P(LargeArrayTest, isCopiedWithItsValues) {
  detail::LargeArray<std::uint64_t> array = numbers(GetParam(), 7);
  const detail::LargeArray<std::uint64_t> copy = array;
  array = numbers(GetParam(), 8);
  EXPECT_TRUE(std::ranges::equal(copy, numbers(GetParam(), 7)));
  EXPECT_TRUE(std::ranges::equal(array, numbers(GetParam(), 8)));
}

TEST_P(LargeArrayTest, movesItsValuesAway) {
  detail::LargeArray<std::uint64_t> array = numbers(GetParam(), 7);
  const std::uint64_t* const before = array.data();
  const detail::LargeArray<std::uint64_t> moved = std::move(array);
  EXPECT_EQ(moved.data(), before);
  EXPECT_EQ(moved.size(), GetParam());
  EXPECT_EQ(array.size(), 0U); // NOLINT(bugprone-use-after-move)
}

TEST_P(LargeArrayTest, sharesNoMemoryWithOthersThatLive) {
  const detail::LargeArray<std::uint64_t> first = numbers(GetParam(), 1);
  for (std::uint64_t i = 2; i < 10; ++i)
    (void)numbers(GetParam(), i); // reuses the memory of the one before
  EXPECT_TRUE(std::ranges::equal(first, numbers(GetParam(), 1)));
}

INSTANTIATE_TEST_SUITE_P(SmallAndLarge, LargeArrayTest,
                         testing::Values(1, 1000, detail::leastLargeArray / sizeof(std::uint64_t),
                                         std::size_t{1} << 20));

TEST(LargeArray, hasNoMemoryForMoreThanThereIs) {
  constexpr auto most = std::numeric_limits<std::size_t>::max();
  EXPECT_THROW(detail::LargeArray<std::uint64_t>{most / 4}, std::bad_alloc);
  EXPECT_THROW(detail::LargeArray<std::byte>{most}, std::bad_alloc);
  EXPECT_THROW(detail::LargeArray<std::byte>{most / 4}, std::bad_alloc);
}

} // namespace
} // namespace kaon
