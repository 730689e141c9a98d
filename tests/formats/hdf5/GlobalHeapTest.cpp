#include <kaon/formats/hdf5/GlobalHeap.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

// The only structure of HDF5 files that kaon checks before libhdf5 reads it.

namespace kaon::hdf5 {
namespace {

constexpr std::size_t lengthBytes = 8;

/// Returns a heap of 128 bytes with a text of 5 bytes. The stated lengths of the text and of the
/// free space are parameters.
std::vector<std::byte> heapWith(std::uint64_t textLength, std::uint64_t freeLength) {
  std::vector<std::byte> bytes(128);
  const std::uint64_t size = bytes.size();
  const std::uint16_t number = 1;
  std::memcpy(bytes.data(), "GCOL\1\0\0\0", 8);
  std::memcpy(&bytes[8], &size, sizeof(size));
  std::memcpy(&bytes[16], &number, sizeof(number));
  std::memcpy(&bytes[24], &textLength, sizeof(textLength));
  std::memcpy(&bytes[32], "hello", 5);
  std::memcpy(&bytes[48], &freeLength, sizeof(freeLength));
  return bytes;
}

TEST(GlobalHeap, isSoundIfItsObjectsFollowEachOther) {
  const auto heap = heapWith(5, 88);
  EXPECT_TRUE(isHeap(heap));
  EXPECT_TRUE(isSoundHeap(heap, lengthBytes));
  EXPECT_TRUE(isSoundHeap(std::span(heap).first(64), lengthBytes)); // the beginning of a heap
}

TEST(GlobalHeap, isDamagedIfAnObjectHasNoLengthOrTooMuch) {
  for (const std::int64_t length : {0, 15, 89, -1, -8})
    EXPECT_FALSE(isSoundHeap(heapWith(5, static_cast<std::uint64_t>(length)), lengthBytes))
        << length;
  for (const std::int64_t length : {200, -1, -16, -17})
    EXPECT_FALSE(isSoundHeap(heapWith(static_cast<std::uint64_t>(length), 88), lengthBytes))
        << length;
  const auto cut = heapWith(5, 88);
  EXPECT_FALSE(isSoundHeap(std::span(cut).first(10), lengthBytes));
}

TEST(GlobalHeap, isKnownByItsBeginning) {
  auto other = heapWith(5, 88);
  other[4] = std::byte{9};
  EXPECT_FALSE(isHeap(other));
  EXPECT_FALSE(isHeap({}));
}

} // namespace
} // namespace kaon::hdf5
