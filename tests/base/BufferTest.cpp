#include <kaon/base/Buffer.h>

#include "support/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kaon {
namespace {

TEST(Buffer, isEmptyAtFirst) {
  const Buffer buffer;
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.size(), 0U);
  EXPECT_TRUE(buffer.bytes().empty());
}

TEST(Buffer, isAlignedToACacheLineHoweverItGrows) {
  Buffer buffer;
  for (std::size_t size = 1; size < 100'000; size = size * 3 + 1) {
    buffer.grow(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % Buffer::alignment, 0U);
  }
}

TEST(Buffer, keepsItsBytesWhileItGrows) {
  test::Random random(1);
  Buffer buffer;
  std::vector<std::byte> expected;
  for (int i = 0; i < 200; ++i) {
    const auto piece = random.bytes(random.below(100));
    buffer.append(piece);
    expected.insert(expected.end(), piece.begin(), piece.end());
    ASSERT_TRUE(std::ranges::equal(buffer.bytes(), expected));
  }
}

TEST(Buffer, growsByHalvesSoThatAppendingIsCheap) {
  Buffer buffer;
  int moves = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const std::byte* const before = buffer.data();
    *buffer.grow(1) = std::byte{1};
    moves += buffer.data() != before;
  }
  EXPECT_LT(moves, 50);
}

TEST(Buffer, growReturnsWhereTheNewBytesBegin) {
  Buffer buffer;
  buffer.grow(10);
  std::byte* const second = buffer.grow(5);
  EXPECT_EQ(second, buffer.data() + 10);
  EXPECT_EQ(buffer.size(), 15U);
}

TEST(Buffer, keepsItsMemoryWhenCleared) {
  Buffer buffer;
  buffer.grow(1000);
  const std::byte* const memory = buffer.data();
  buffer.clear();
  EXPECT_TRUE(buffer.empty());
  buffer.grow(1000);
  EXPECT_EQ(buffer.data(), memory);
}

TEST(Buffer, shrinksButNeverGrowsByShrink) {
  Buffer buffer;
  buffer.grow(10);
  buffer.shrink(4);
  EXPECT_EQ(buffer.size(), 4U);
  buffer.shrink(8);
  EXPECT_EQ(buffer.size(), 4U);
}

TEST(Buffer, assignGivesExactlyTheRoomAskedFor) {
  Buffer buffer;
  buffer.grow(100);
  EXPECT_EQ(buffer.assign(7).size(), 7U);
  EXPECT_EQ(buffer.size(), 7U);
  EXPECT_EQ(buffer.assign(0).size(), 0U);
  EXPECT_TRUE(buffer.empty());
}

TEST(Buffer, reservesWithoutChangingItsSize) {
  Buffer buffer;
  buffer.reserve(1000);
  EXPECT_EQ(buffer.size(), 0U);
  EXPECT_GE(buffer.capacity(), 1000U);
  const std::byte* const memory = buffer.data();
  buffer.grow(1000);
  EXPECT_EQ(buffer.data(), memory);
}

} // namespace
} // namespace kaon
