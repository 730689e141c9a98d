#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kaon::root {

/// Returns whether `storedBytes` can decompress to `bytes` of a page or basket. Call this before
/// allocating memory for them. Up to 64 MiB, this believes the highest ratio of the codecs:
/// zstd stores 128 KiB in 4 bytes. Above, the limit is a factor of 1024.
[[nodiscard]] constexpr bool canBecome(std::uint64_t storedBytes, std::uint64_t bytes) noexcept {
  constexpr std::uint64_t mostShrinkage = std::uint64_t{1} << 15, usualShrinkage = 1024;
  constexpr std::uint64_t usualBytes = std::uint64_t{64} << 20;
  return bytes / (bytes <= usualBytes ? mostShrinkage : usualShrinkage) <= storedBytes;
}

/// A stricter canBecome() for descriptions: trees, classes and envelopes of RNTuples. They take
/// more memory when they are read. A tree with 10,000 similar branches shrinks by a factor of 90.
[[nodiscard]] constexpr bool canDescribe(std::uint64_t storedBytes, std::uint64_t bytes) noexcept {
  constexpr std::uint64_t mostShrinkage = 512, usualBytes = std::uint64_t{1} << 20;
  return canBecome(storedBytes, bytes) &&
         (bytes <= usualBytes || bytes / mostShrinkage <= storedBytes);
}

/// Whether to verify the checksums of LZ4 blocks. They are skipped if another checksum covers the
/// same bytes: verification takes a third as long as decompression.
enum class BlockChecksums : bool { skip, verify };

/// Decompresses a chain of ROOT's compression blocks and fills `out` exactly. Supports zlib, LZMA,
/// LZ4 with its checksum, zstd and the old deflate. `where` names the place in messages. Throws
/// Error(corrupt) for blocks with another decoded size or a wrong checksum. Throws Error(version)
/// for an algorithm that kaon does not know. Any thread may call this.
void decompressBlocks(std::span<const std::byte> blocks, std::span<std::byte> out,
                      const std::string& where, BlockChecksums checksums = BlockChecksums::verify);

/// Appends the bytes to `out` as a chain of blocks and returns true. Returns false and leaves `out`
/// unchanged if the bytes do not shrink, or shrink more than readers accept (canBecome()). ROOT
/// stores them uncompressed in that case. `planeBytes` is the size of each plane if the bytes
/// consist of planes: the first byte of all values, then the second, and so on. Any thread may call
/// this.
[[nodiscard]] bool compressBlocks(Compression how, std::span<const std::byte> bytes, Buffer& out,
                                  std::size_t planeBytes = 0);

/// Like compressBlocks() for descriptions, with the stricter limit of canDescribe().
[[nodiscard]] bool compressDescription(Compression how, std::span<const std::byte> bytes,
                                       Buffer& out);

/// ROOT's number for an algorithm and its level: 100 times the algorithm plus the level, 0 to 9.
[[nodiscard]] std::uint32_t compressionSetting(Compression how) noexcept;
/// Returns the algorithm of a setting, or none if kaon does not know its number.
[[nodiscard]] Codec codecOf(std::uint32_t compressionSetting) noexcept;

} // namespace kaon::root
