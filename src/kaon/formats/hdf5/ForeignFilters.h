#pragma once

#include <kaon/codec/Codec.h>

#include <cstddef>
#include <cstdint>
#include <span>

// Filters of other programs, by their numbers in The HDF Group's list of registered filters. Each
// function fills `out` exactly, or returns false.

namespace kaon::hdf5 {

/// 32004: u64 decoded bytes, u32 bytes of a decoded block, then for each block u32 stored bytes and
/// an LZ4 block, or the raw bytes if both sizes are equal. Numbers are big-endian.
/// https://github.com/HDFGroup/hdf5_plugins/blob/master/docs/RegisteredFilterPlugins.md
[[nodiscard]] bool undoLz4(std::span<const std::byte> bytes, std::span<std::byte> out);

/// 32000, h5py's: literals, and copies of earlier bytes, as LibLZF writes them.
[[nodiscard]] bool undoLzf(std::span<const std::byte> bytes, std::span<std::byte> out);

/// 32008: https://github.com/kiyo-masui/bitshuffle. Blocks of elements; bit by bit, the same bit of
/// all elements of a block. With a codec, u64 decoded bytes and u32 bytes of a decoded block come
/// first, and u32 stored bytes before each block. Numbers are big-endian. The last elements are raw
/// if they are fewer than eight.
struct Bitshuffle {
  std::uint32_t elementSize = 1;
  std::uint32_t blockBytes = 0; ///< without a codec; 0: the filter's own choice
  Codec codec = Codec::none;    ///< none, lz4, zstd
};
[[nodiscard]] bool undoBitshuffle(const Bitshuffle& how, std::span<const std::byte> bytes,
                                  std::span<std::byte> out);

/// 32001: a buffer of c-blosc.
[[nodiscard]] bool undoBlosc(std::span<const std::byte> bytes, std::span<std::byte> out);
/// Whether kaon was built with c-blosc. Without it, undoBlosc() always returns false.
[[nodiscard]] bool hasBlosc() noexcept;

} // namespace kaon::hdf5
