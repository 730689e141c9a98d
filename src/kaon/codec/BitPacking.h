#pragma once

#include <kaon/codec/Transform.h>

#include <cstddef>
#include <cstdint>

namespace kaon::codec {

// Unsigned values of 1, 2, 4 or 8 bytes in as few bits as their range needs.
//
// A block of 1024 values is a table of rows of 128 bytes: with values of B bits, row r holds the
// values r * 1024/B, ..., in that many lanes. Each lane packs its B values for itself, the first at
// the least significant bit, into `width` words of B bits; the words w of all lanes stand together
// and make 128 bytes. So a vector instruction unpacks neighbours from the same place of
// neighbouring words, for every width, and the values come out in order.
//
// A last block of fewer, but at least 256 values is the same with fewer rows: as many as are full.
// What of a lane's last word is not used is zero. The values of the row that is not full follow as
// one string of bits, the first value at the least significant bit of the first byte; so do all
// values of a block of fewer than 256.

inline constexpr std::size_t blockValues = 1024;
inline constexpr std::size_t leastInRows = 256;
inline constexpr std::size_t rowBytes = 128;

/// How the values of a block become `width` bits each: (transformed value - base) >> shift.
struct Packing {
  Transform transform = Transform::none; ///< or delta, but for the first value; or rotated
  unsigned shift = 0;                    ///< 0 with delta
  unsigned width = 0;                    ///< 0 to the bits of a value
  std::uint64_t base = 0;
  std::uint64_t first = 0; ///< with delta: the first value of the block
};

/// Full rows of a block of at most 1024 values of `size` bytes.
[[nodiscard]] constexpr unsigned rowsOfBlock(unsigned size, std::size_t count) noexcept {
  return count < leastInRows ? 0 : static_cast<unsigned>(count * size / rowBytes);
}
/// The words that rows make in each lane.
[[nodiscard]] constexpr unsigned wordsOfRows(unsigned size, unsigned rows,
                                             unsigned width) noexcept {
  return (rows * width + 8 * size - 1) / (8 * size);
}
/// The bytes that a block of at most 1024 values takes.
[[nodiscard]] constexpr std::size_t packedBlockSize(unsigned size, std::size_t count,
                                                    unsigned width) noexcept {
  const unsigned rows = rowsOfBlock(size, count);
  const std::size_t rest = count - rows * (rowBytes / size);
  return wordsOfRows(size, rows, width) * rowBytes + (rest * width + 7) / 8;
}

/// Packs at most 1024 values of `size` bytes. What is above the width is cut off.
void packBlock(unsigned size, const Packing& packing, const std::byte* values, std::size_t count,
               std::byte* packed) noexcept;
/// Reads exactly packedBlockSize() bytes and fills exactly `count` values.
void unpackBlock(unsigned size, const Packing& packing, const std::byte* packed, std::size_t count,
                 std::byte* values) noexcept;

/// The range of at most 1024 transformed values. Differences are compared as signed numbers,
/// rotated values as unsigned ones, untransformed ones as `isSigned` says.
struct BlockRange {
  std::uint64_t least = 0;   ///< the base
  std::uint64_t span = 0;    ///< of the largest above it
  std::uint64_t varying = 0; ///< bits in which they differ; with delta all
};
[[nodiscard]] BlockRange measureBlock(unsigned size, Transform transform, bool isSigned,
                                      const std::byte* values, std::size_t count) noexcept;

/// sums[i] = start + counts[0] + ... + counts[i], modulo 2^32. Returns the last of them.
std::uint32_t sumCounts(std::uint32_t start, const std::uint32_t* counts, std::size_t count,
                        std::uint32_t* sums) noexcept;

/// Puts the upper parts of at most 1024 values over their lower ones: value[i] becomes
/// untransformed(base + ((value[i] | high[0][i] << width | high[1][i] << (width + 8) | ...) <<
/// shift)). Not for single bytes, nor with delta.
void mergeHigh(unsigned size, const Packing& packing, const std::byte* const* high, unsigned planes,
               std::size_t count, std::byte* values) noexcept;
/// plane[i] = the 8 bits from bit `low` on of what packBlock() makes of a value.
void extractHigh(unsigned size, const Packing& packing, const std::byte* values, std::size_t count,
                 unsigned low, std::byte* plane) noexcept;

} // namespace kaon::codec
