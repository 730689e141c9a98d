#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace kaon::codec {

// Numbers of 1, 2, 4 or 8 bytes that come from elsewhere: from a short table, or from a few others
// where a bit is set. Bit i of a bitmap is bit i % 8 of byte i / 8; the bits above the last value
// are zero.

/// Bytes after the last of the others that combine() may read and separate() may write.
inline constexpr std::size_t readAhead = 64;

/// Sets values[i] = table[indices[i]]. The table has 256 entries.
void lookUp(unsigned size, const std::byte* table, const std::byte* indices, std::size_t count,
            std::byte* values) noexcept;

/// Sets bit i if values[i] is not `usual`, and collects these values in `others`, which must have
/// space for all values and readAhead bytes. Returns their number.
[[nodiscard]] std::size_t separate(unsigned size, std::uint64_t usual, const std::byte* values,
                                   std::size_t count, std::byte* bitmap,
                                   std::byte* others) noexcept;

/// Returns the number of set bits. If a bit above `count` is set, returns more than can be valid.
[[nodiscard]] std::size_t countBits(std::span<const std::byte> bitmap, std::size_t count) noexcept;

/// The inverse of separate(): each value is the next one of `others` if its bit is set, otherwise
/// `usual`. There must be as many others as set bits, followed by readAhead bytes.
void combine(unsigned size, std::uint64_t usual, const std::byte* bitmap, const std::byte* others,
             std::size_t count, std::byte* values) noexcept;

/// Sets bit i if the bits of values[i] and others[i] differ. Returns the number of set bits.
[[nodiscard]] std::size_t compare(unsigned size, const std::byte* values, const std::byte* others,
                                  std::size_t count, std::byte* bitmap) noexcept;
/// Collects the values whose bit is set.
void gather(unsigned size, const std::byte* values, std::span<const std::byte> bitmap,
            std::byte* selected) noexcept;
/// The inverse of gather(): overwrites these values.
void scatter(unsigned size, const std::byte* selected, std::span<const std::byte> bitmap,
             std::byte* values) noexcept;

} // namespace kaon::codec
