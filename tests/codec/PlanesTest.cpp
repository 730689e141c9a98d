#include <kaon/codec/BitPlanes.h>
#include <kaon/codec/BytePlanes.h>
#include <kaon/codec/InstructionSets.h>
#include <kaon/codec/Reference.h>

#include "support/Random.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kaon::codec {
namespace {

using test::Random;
using Memory = std::vector<std::byte>;

class Planes : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override { useInstructionSet(GetParam()); }
  void TearDown() override { useInstructionSet(""); }
};
INSTANTIATE_TEST_SUITE_P(EachInstructionSet, Planes, testing::ValuesIn(instructionSets()),
                         [](const auto& test) { return test.param; });

void checkBytes(Random& random, std::size_t size, std::size_t count) {
  const Memory values = random.bytes(size * count);
  Memory planes(values.size());
  Memory expected(values.size());
  splitBytes(size, values.data(), count, planes.data());
  reference::splitBytes(size, values.data(), count, expected.data());
  ASSERT_EQ(planes, expected) << count << " values of " << size << " bytes";
  std::vector<Memory> each;
  std::vector<const std::byte*> pointers;
  for (std::size_t plane = 0; plane < size; ++plane)
    each.emplace_back(planes.begin() + static_cast<long>(plane * count),
                      planes.begin() + static_cast<long>((plane + 1) * count));
  for (const Memory& plane : each)
    pointers.push_back(plane.data());
  Memory merged(values.size());
  mergeBytes(size, pointers.data(), count, merged.data());
  ASSERT_EQ(merged, values) << count << " values of " << size << " bytes";
}

TEST_P(Planes, splitBytesOfEverySize) {
  Random random(1);
  for (std::size_t size = 1; size <= 50; ++size)
    for (const std::size_t count : {0, 1, 15, 16, 17, 100})
      checkBytes(random, size, count);
  checkBytes(random, 1000, 33);
  checkBytes(random, 65536, 3);
}

TEST_P(Planes, splitBytesOfEveryCount) {
  Random random(2);
  for (std::size_t count = 0; count <= 2100; ++count)
    checkBytes(random, std::size_t{1} << count % 4, count);
}

TEST_P(Planes, splitBitsOfEveryCount) {
  Random random(3);
  for (std::size_t count = 0; count <= 2100; ++count) {
    const Memory bytes = random.bytes(count);
    const std::size_t planeSize = bitPlaneSize(count);
    Memory planes(8 * planeSize);
    Memory expected(planes.size());
    splitBits(bytes.data(), count, planes.data());
    reference::splitBits(bytes.data(), count, expected.data());
    ASSERT_EQ(planes, expected) << count;
    std::vector<const std::byte*> pointers;
    for (std::size_t plane = 0; plane < 8; ++plane)
      pointers.push_back(planes.data() + plane * planeSize);
    Memory merged(count);
    mergeBits(pointers.data(), count, merged.data());
    ASSERT_EQ(merged, bytes) << count;
  }
}

} // namespace
} // namespace kaon::codec
