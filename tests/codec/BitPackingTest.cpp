#include <kaon/codec/BitPacking.h>
#include <kaon/codec/InstructionSets.h>
#include <kaon/codec/Reference.h>

#include "support/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

namespace kaon::codec {
namespace {

using test::Random;
using Memory = std::vector<std::byte>;

/// Every kernel with every supported instruction set.
class BitPacking : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override { useInstructionSet(GetParam()); }
  void TearDown() override { useInstructionSet(""); }
};
INSTANTIATE_TEST_SUITE_P(EachInstructionSet, BitPacking, testing::ValuesIn(instructionSets()),
                         [](const auto& test) { return test.param; });

std::string describe(unsigned size, const Packing& packing, std::size_t count) {
  return std::to_string(count) + " values of " + std::to_string(size) + " bytes in " +
         std::to_string(packing.width) + " bits, transform " +
         std::to_string(static_cast<int>(packing.transform)) + ", shift " +
         std::to_string(packing.shift);
}

/// Returns values that a packing stores without loss.
Memory valuesFor(Random& random, unsigned size, Packing& packing, std::size_t count) {
  Memory packed = random.bytes(packedBlockSize(size, count, packing.width));
  packing.base = random.bits() & reference::maskOf(8 * size);
  packing.first = random.bits() & reference::maskOf(8 * size);
  if (packing.transform == Transform::delta)
    for (unsigned k = 0; k < packing.width; ++k) {
      const std::size_t place = reference::placeOf(size, count, packing.width, 0, k);
      packed[place / 8] &= ~static_cast<std::byte>(1 << place % 8);
    }
  Memory values(count * size);
  reference::unpackBlock(size, packing, packed.data(), count, values.data());
  return values;
}

void check(Random& random, unsigned size, Packing packing, std::size_t count) {
  SCOPED_TRACE(describe(size, packing, count));
  const Memory values = valuesFor(random, size, packing, count);
  const std::size_t packedSize = packedBlockSize(size, count, packing.width);
  // Memory of exactly this size, at any alignment, so that ASan sees any byte beyond it.
  const std::size_t skew = random.below(8);
  Memory packed(skew + packedSize);
  packBlock(size, packing, values.data(), count, packed.data() + skew);
  Memory expected(packedSize);
  reference::packBlock(size, packing, values.data(), count, expected.data());
  ASSERT_TRUE(
      std::equal(expected.begin(), expected.end(), packed.begin() + static_cast<long>(skew)));
  Memory unpacked(skew + values.size());
  unpackBlock(size, packing, packed.data() + skew, count, unpacked.data() + skew);
  ASSERT_TRUE(std::equal(values.begin(), values.end(), unpacked.begin() + static_cast<long>(skew)));
}

constexpr Transform transforms[] = {Transform::none, Transform::delta, Transform::rotated};

TEST_P(BitPacking, equalsTheReferenceForEveryWidth) {
  Random random(1);
  for (const unsigned size : {1u, 2u, 4u, 8u})
    for (unsigned width = 0; width <= 8 * size; ++width)
      for (const Transform transform : transforms)
        for (const std::size_t count : {std::size_t{1024}, random.below(256), random.below(1024)})
          if (count > 0)
            check(random, size, {transform, 0, width, 0, 0}, count);
}

TEST_P(BitPacking, equalsTheReferenceForEveryCount) {
  Random random(2);
  for (std::size_t count = 1; count <= blockValues; ++count) {
    const unsigned size = 1u << count % 4;
    const auto width = static_cast<unsigned>(random.below(8 * size + 1));
    check(random, size, {transforms[random.below(3)], 0, width, 0, 0}, count);
  }
}

TEST_P(BitPacking, equalsTheReferenceForEveryShift) {
  Random random(3);
  for (const unsigned size : {1u, 2u, 4u, 8u})
    for (unsigned shift = 1; shift < 8 * size; ++shift)
      for (const Transform transform : {Transform::none, Transform::rotated})
        for (const std::size_t count : {std::size_t{100}, std::size_t{700}, std::size_t{1024}})
          check(random, size,
                {transform, shift, static_cast<unsigned>(random.below(8 * size - shift + 1)), 0, 0},
                count);
}

TEST_P(BitPacking, dropsBitsAboveTheWidth) {
  Random random(4);
  for (const unsigned size : {1u, 2u, 4u, 8u})
    for (const std::size_t count : {std::size_t{77}, std::size_t{1024}}) {
      const Memory values = random.bytes(count * size);
      const Packing packing{Transform::none, 0, 3, 5, 0};
      Memory packed(packedBlockSize(size, count, 3));
      Memory expected(packed.size());
      packBlock(size, packing, values.data(), count, packed.data());
      reference::packBlock(size, packing, values.data(), count, expected.data());
      EXPECT_EQ(packed, expected);
    }
}

/// Returns the least value and the span, computed directly.
BlockRange plainRange(unsigned size, Transform transform, bool isSigned, const Memory& bytes) {
  const std::uint64_t mask = reference::maskOf(8 * size);
  auto values = reference::load(size, bytes.data(), bytes.size() / size);
  if (transform == Transform::rotated)
    for (std::uint64_t& value : values)
      value = reference::rotatedLeft(size, value);
  if (transform == Transform::delta) {
    for (std::size_t i = values.size(); i-- > 1;)
      values[i] = (values[i] - values[i - 1]) & mask;
    values.erase(values.begin());
  }
  if (values.empty())
    return {0, 0, 0};
  const bool flips = transform == Transform::delta || (transform == Transform::none && isSigned);
  const std::uint64_t flip = flips ? (mask >> 1) + 1 : 0;
  BlockRange range;
  for (const std::uint64_t value : values)
    range.varying |= value ^ values[0];
  for (std::uint64_t& value : values)
    value ^= flip;
  const auto [least, most] = std::ranges::minmax(values);
  range.least = least ^ flip;
  range.span = most - least;
  if (transform == Transform::delta)
    range.varying = mask;
  return range;
}

TEST_P(BitPacking, measuresRanges) {
  Random random(5);
  for (std::size_t count = 1; count <= blockValues; count += 1 + random.below(9)) {
    const unsigned size = 1u << random.below(4);
    Memory values(count * size);
    const std::uint64_t mask = random.bits() & random.bits();
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t value = random.bits() & mask;
      std::memcpy(values.data() + i * size, &value, size);
    }
    for (const Transform transform : transforms)
      for (const bool isSigned : {false, true}) {
        const BlockRange range = measureBlock(size, transform, isSigned, values.data(), count);
        const BlockRange expected = plainRange(size, transform, isSigned, values);
        EXPECT_EQ(range.least, expected.least);
        EXPECT_EQ(range.span, expected.span);
        EXPECT_EQ(range.varying, expected.varying);
      }
  }
}

TEST_P(BitPacking, addsCountsUp) {
  Random random(6);
  for (std::size_t count = 0; count <= 2100; ++count) {
    std::vector<std::uint32_t> counts(count);
    for (std::uint32_t& n : counts)
      n = static_cast<std::uint32_t>(random.bits());
    std::vector<std::uint32_t> sums(count);
    const auto start = static_cast<std::uint32_t>(random.bits());
    std::uint32_t sum = start;
    const std::uint32_t last = sumCounts(start, counts.data(), count, sums.data());
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(sums[i], sum += counts[i]);
    ASSERT_EQ(last, sum);
  }
}

TEST_P(BitPacking, putsPartsTogether) {
  Random random(7);
  for (int round = 0; round < 600; ++round) {
    const unsigned size = 2u << random.below(3);
    const std::size_t count = 1 + random.below(blockValues);
    const unsigned bits = 8 * size;
    Packing packing;
    packing.transform = random.chance(0.5) ? Transform::rotated : Transform::none;
    packing.base = random.bits() & reference::maskOf(bits);
    const auto planes = static_cast<unsigned>(1 + random.below(size));
    packing.width = static_cast<unsigned>(random.below(bits - 8 * planes + 1));
    const Memory values = random.bytes(count * size);
    // If planes have all bits above the lower ones, and reach the top, nothing is lost.
    packing.width = bits - 8 * planes;
    std::vector<Memory> high(planes, Memory(count));
    std::vector<const std::byte*> pointers;
    for (unsigned plane = 0; plane < planes; ++plane) {
      extractHigh(size, packing, values.data(), count, packing.width + 8 * plane,
                  high[plane].data());
      pointers.push_back(high[plane].data());
    }
    Memory low(packedBlockSize(size, count, packing.width));
    packBlock(size, packing, values.data(), count, low.data());
    Memory merged(values.size());
    unpackBlock(size, {Transform::none, 0, packing.width, 0, 0}, low.data(), count, merged.data());
    mergeHigh(size, packing, pointers.data(), planes, count, merged.data());
    ASSERT_EQ(merged, values) << describe(size, packing, count);
  }
}

} // namespace
} // namespace kaon::codec
