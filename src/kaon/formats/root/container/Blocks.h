#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace kaon::root {

/// Decompresses a chain of ROOT's compression blocks (zlib, LZMA, LZ4 with its checksum, zstd, the
/// old deflate) and fills `out` exactly. `where` names the place in messages. Throws Error(corrupt)
/// for blocks that do not decode to just that many bytes, or fail their checksum, and
/// Error(version) for an algorithm that kaon does not know. Any thread.
void decompressBlocks(std::span<const std::byte> blocks, std::span<std::byte> out,
                      const std::string& where);

} // namespace kaon::root
