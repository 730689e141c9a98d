#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kaon::root {

/// Whether that many bytes that are stored can become so many, as far as any codec goes: to be
/// asked before room is made for them.
[[nodiscard]] constexpr bool canBecome(std::uint64_t storedBytes, std::uint64_t bytes) noexcept {
  constexpr std::uint64_t mostShrinkage = std::uint64_t{1} << 15; // of zstd: 128 KiB in 4 bytes
  return bytes / mostShrinkage <= storedBytes;
}

/// Decompresses a chain of ROOT's compression blocks (zlib, LZMA, LZ4 with its checksum, zstd, the
/// old deflate) and fills `out` exactly. `where` names the place in messages. Throws Error(corrupt)
/// for blocks that do not decode to just that many bytes, or fail their checksum, and
/// Error(version) for an algorithm that kaon does not know. Any thread.
void decompressBlocks(std::span<const std::byte> blocks, std::span<std::byte> out,
                      const std::string& where);

} // namespace kaon::root
