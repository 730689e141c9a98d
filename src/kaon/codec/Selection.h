#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace kaon::codec {

// Numbers of 1, 2, 4 or 8 bytes that are taken from elsewhere: from a short table, or from the next
// of a few where a bit says so. Bit i of a bitmap is bit i % 8 of byte i / 8; the bits above the
// last value are zero.

/// Bytes behind the last of the others that combine() may read, and separate() write.
inline constexpr std::size_t readAhead = 64;

/// values[i] = table[indices[i]]. The table has 256 entries.
void lookUp(unsigned size, const std::byte* table, const std::byte* indices, std::size_t count,
            std::byte* values) noexcept;

/// Sets bit i where values[i] is not `usual` and collects these values in `others`, which has room
/// for all and readAhead bytes. Returns how many there are.
[[nodiscard]] std::size_t separate(unsigned size, std::uint64_t usual, const std::byte* values,
                                   std::size_t count, std::byte* bitmap,
                                   std::byte* others) noexcept;

/// Set bits, if there are none above `count`; else more than there can be.
[[nodiscard]] std::size_t countBits(std::span<const std::byte> bitmap, std::size_t count) noexcept;

/// The inverse: each value is the next one of `others` where the bit is set, and else `usual`.
/// There are as many others as bits set, and readAhead bytes behind them.
void combine(unsigned size, std::uint64_t usual, const std::byte* bitmap, const std::byte* others,
             std::size_t count, std::byte* values) noexcept;

/// Sets bit i where values[i] and others[i] are of different bits. Returns how many there are.
[[nodiscard]] std::size_t compare(unsigned size, const std::byte* values, const std::byte* others,
                                  std::size_t count, std::byte* bitmap) noexcept;
/// Collects the values of which the bit is set.
void gather(unsigned size, const std::byte* values, std::span<const std::byte> bitmap,
            std::byte* selected) noexcept;
/// The inverse: overwrites them.
void scatter(unsigned size, const std::byte* selected, std::span<const std::byte> bitmap,
             std::byte* values) noexcept;

} // namespace kaon::codec
