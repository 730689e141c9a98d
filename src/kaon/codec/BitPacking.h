#pragma once

#include <kaon/detail/codec/Transform.h>

#include <cstddef>
#include <cstdint>

namespace kaon::codec {

// Packs unsigned values of 1, 2, 4 or 8 bytes into as few bits as their range needs.
//
// A block of 1024 values is a table with rows of 128 bytes. With values of B bits, a row has 1024/B
// values, one in each lane; row r begins with value r * 1024/B. Each lane packs its B values
// separately into `width` words of B bits, the first value at the least significant bit. The words
// w of all lanes are contiguous and make 128 bytes. A vector instruction therefore unpacks
// neighbours from the same position in neighbouring words, for every width, and the values come out
// in order.
//
// A last block with fewer, but at least 256 values has fewer rows: as many as are full. Unused bits
// in a lane's last word are zero. The values of the incomplete row follow as one string of bits,
// the first value at the least significant bit of the first byte. All values of a block with fewer
// than 256 are stored like this.

inline constexpr std::size_t blockValues = 1024;
inline constexpr std::size_t leastInRows = 256;
inline constexpr std::size_t rowBytes = 128;

/// How each value of a block becomes `width` bits: (transformed value - base) >> shift.
struct Packing {
  Transform transform = Transform::none; ///< or rotated, or delta, except for the first value
  unsigned shift = 0;                    ///< 0 with delta
  unsigned width = 0;                    ///< 0 to the number of bits of a value
  std::uint64_t base = 0;
  std::uint64_t first = 0; ///< with delta: the first value of the block
};

/// Returns the number of full rows in a block of at most 1024 values of `size` bytes.
[[nodiscard]] constexpr unsigned rowsOfBlock(unsigned size, std::size_t count) noexcept {
  return count < leastInRows ? 0 : static_cast<unsigned>(count * size / rowBytes);
}
/// Returns the number of words in each lane of these rows.
[[nodiscard]] constexpr unsigned wordsOfRows(unsigned size, unsigned rows,
                                             unsigned width) noexcept {
  return (rows * width + 8 * size - 1) / (8 * size);
}
/// Returns the bytes of a packed block of at most 1024 values.
[[nodiscard]] constexpr std::size_t packedBlockSize(unsigned size, std::size_t count,
                                                    unsigned width) noexcept {
  const unsigned rows = rowsOfBlock(size, count);
  const std::size_t rest = count - rows * (rowBytes / size);
  return wordsOfRows(size, rows, width) * rowBytes + (rest * width + 7) / 8;
}

/// Packs at most 1024 values of `size` bytes. Bits above the width are cut off.
void packBlock(unsigned size, const Packing& packing, const std::byte* values, std::size_t count,
               std::byte* packed) noexcept;
/// Reads exactly packedBlockSize() bytes and writes exactly `count` values.
void unpackBlock(unsigned size, const Packing& packing, const std::byte* packed, std::size_t count,
                 std::byte* values) noexcept;

/// The range of at most 1024 transformed values. Differences are compared as signed numbers,
/// rotated values as unsigned numbers, and untransformed values according to `isSigned`.
struct BlockRange {
  std::uint64_t least = 0;   ///< the base
  std::uint64_t span = 0;    ///< the greatest value minus the base
  std::uint64_t varying = 0; ///< bits in which they differ; all bits with delta
};
[[nodiscard]] BlockRange measureBlock(unsigned size, Transform transform, bool isSigned,
                                      const std::byte* values, std::size_t count) noexcept;

/// Sets sums[i] = start + counts[0] + ... + counts[i], modulo 2^32. Returns the last sum.
std::uint32_t sumCounts(std::uint32_t start, const std::uint32_t* counts, std::size_t count,
                        std::uint32_t* sums) noexcept;

/// Adds the upper parts of at most 1024 values to their lower parts: value[i] becomes
/// untransformed(base + ((value[i] | high[0][i] << width | high[1][i] << (width + 8) | ...) <<
/// shift)). Not for single bytes, and not with delta.
void mergeHigh(unsigned size, const Packing& packing, const std::byte* const* high, unsigned planes,
               std::size_t count, std::byte* values) noexcept;
/// Sets plane[i] to the 8 bits from bit `low` on of the number that packBlock() makes of value i.
void extractHigh(unsigned size, const Packing& packing, const std::byte* values, std::size_t count,
                 unsigned low, std::byte* plane) noexcept;

} // namespace kaon::codec
