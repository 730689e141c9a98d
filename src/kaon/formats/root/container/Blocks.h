#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kaon::root {

/// Whether that many bytes that are stored can become so many values of a page or basket: to be
/// asked before room is made for them. All that codecs can do (zstd makes 4 bytes of 128 KiB) is
/// believed only up to 64 MiB, and 1024 times the bytes from there on.
[[nodiscard]] constexpr bool canBecome(std::uint64_t storedBytes, std::uint64_t bytes) noexcept {
  constexpr std::uint64_t mostShrinkage = std::uint64_t{1} << 15, usualShrinkage = 1024;
  constexpr std::uint64_t usualBytes = std::uint64_t{64} << 20;
  return bytes / (bytes <= usualBytes ? mostShrinkage : usualShrinkage) <= storedBytes;
}

/// The same for what describes values, which takes more memory when it is read: trees, classes, the
/// envelopes of RNTuples. A tree of 10,000 branches alike shrinks to a 90th.
[[nodiscard]] constexpr bool canDescribe(std::uint64_t storedBytes, std::uint64_t bytes) noexcept {
  constexpr std::uint64_t mostShrinkage = 512, usualBytes = std::uint64_t{1} << 20;
  return canBecome(storedBytes, bytes) &&
         (bytes <= usualBytes || bytes / mostShrinkage <= storedBytes);
}

/// Whether the checksums of LZ4's blocks are compared: not where another one covers the same bytes,
/// since it takes a third as long as decompressing them.
enum class BlockChecksums : bool { skip, verify };

/// Decompresses a chain of ROOT's compression blocks (zlib, LZMA, LZ4 with its checksum, zstd, the
/// old deflate) and fills `out` exactly. `where` names the place in messages. Throws Error(corrupt)
/// for blocks that do not decode to just that many bytes, or fail their checksum, and
/// Error(version) for an algorithm that kaon does not know. Any thread.
void decompressBlocks(std::span<const std::byte> blocks, std::span<std::byte> out,
                      const std::string& where, BlockChecksums checksums = BlockChecksums::verify);

/// Appends the bytes as a chain of blocks to `out` and returns true, or leaves `out` as it was and
/// returns false if they do not shrink, or shrink more than readers believe (canBecome()): ROOT
/// stores them raw then. If they consist of planes, the first byte of all values, the second, ...,
/// these have `planeBytes` each. Any thread.
[[nodiscard]] bool compressBlocks(Compression how, std::span<const std::byte> bytes, Buffer& out,
                                  std::size_t planeBytes = 0);

/// The same for what describes values: readers believe less of it (canDescribe()).
[[nodiscard]] bool compressDescription(Compression how, std::span<const std::byte> bytes,
                                       Buffer& out);

/// How ROOT writes down an algorithm and its level: 100 times the one, plus the other, 0 to 9.
[[nodiscard]] std::uint32_t compressionSetting(Compression how) noexcept;
/// The algorithm; none for those of which kaon does not know the number.
[[nodiscard]] Codec codecOf(std::uint32_t compressionSetting) noexcept;

} // namespace kaon::root
