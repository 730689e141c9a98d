#include <kaon/codec/InstructionSets.h>
#include <kaon/codec/Selection.h>

#include "support/Errors.h"
#include "support/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace kaon::codec {
namespace {

using test::Random;
using Memory = std::vector<std::byte>;

class EncodingKernels : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override { useInstructionSet(GetParam()); }
  void TearDown() override { useInstructionSet(""); }
};
INSTANTIATE_TEST_SUITE_P(EachInstructionSet, EncodingKernels, testing::ValuesIn(instructionSets()),
                         [](const auto& test) { return test.param; });

TEST_P(EncodingKernels, lookUpNumbers) {
  Random random(1);
  for (std::size_t count = 0; count <= 2100; ++count) {
    const unsigned size = 1u << count % 4;
    const Memory table = random.bytes(std::size_t{256} * size);
    const Memory indices = random.bytes(count);
    Memory values(count * size);
    lookUp(size, table.data(), indices.data(), count, values.data());
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(std::memcmp(values.data() + i * size,
                            table.data() + std::to_integer<std::size_t>(indices[i]) * size, size),
                0);
  }
}

TEST_P(EncodingKernels, separateTheUsualFromTheOthers) {
  Random random(2);
  for (std::size_t count = 1; count <= 2100; ++count) {
    const unsigned size = 1u << count % 4;
    std::uint64_t usual = 0;
    const Memory number = random.bytes(size);
    std::memcpy(&usual, number.data(), size);
    Memory values = random.bytes(count * size);
    Memory expectedOthers;
    Memory expectedBits((count + 7) / 8);
    const double share = static_cast<double>(random.below(5)) / 4;
    for (std::size_t i = 0; i < count; ++i) {
      std::byte* const value = values.data() + i * size;
      if (random.chance(share))
        std::memcpy(value, number.data(), size);
      if (std::memcmp(value, number.data(), size) == 0)
        continue;
      expectedOthers.insert(expectedOthers.end(), value, value + size);
      expectedBits[i / 8] |= static_cast<std::byte>(1 << i % 8);
    }
    Memory bitmap(expectedBits.size());
    Memory others(values.size() + readAhead);
    const std::size_t separated =
        separate(size, usual, values.data(), count, bitmap.data(), others.data());
    ASSERT_EQ(separated * size, expectedOthers.size());
    ASSERT_EQ(bitmap, expectedBits);
    others.resize(expectedOthers.size());
    ASSERT_EQ(others, expectedOthers);
    others.resize(others.size() + readAhead);
    Memory combined(values.size());
    combine(size, usual, bitmap.data(), others.data(), count, combined.data());
    ASSERT_EQ(combined, values) << count << " values of " << size << " bytes";
  }
}

TEST(InstructionSets, canBeChosen) {
  const auto names = instructionSets();
  ASSERT_FALSE(names.empty());
  useInstructionSet(names.back());
  EXPECT_EQ(instructionSets(), std::vector<std::string>{names.back()});
  useInstructionSet("");
  EXPECT_EQ(instructionSets(), names);
  test::expectError(ErrorKind::name, "no instruction set called 'MMX'",
                    [] { useInstructionSet("MMX"); });
}

} // namespace
} // namespace kaon::codec
