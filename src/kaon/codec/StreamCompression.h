#pragma once

#include <kaon/codec/Codec.h>
#include <kaon/codec/PartStream.h>

#include <cstddef>
#include <functional>

namespace kaon::codec {

/// Returns whether a codec works on parts of a stream: LZ4 and Zstandard.
[[nodiscard]] constexpr bool hasStreams(Codec codec) noexcept {
  return codec == Codec::lz4 || codec == Codec::zstd;
}

/// Appends `size` bytes compressed, as compress() would. Returns false and appends nothing if they
/// do not get smaller by a thirty-second part.
[[nodiscard]] bool compressInParts(Compression how, std::size_t size, const BytesAt& bytes,
                                   PartOutput& out);

/// Calls `use` with consecutive parts of the decompressed bytes. Returns false if they are not
/// `size` bytes, or damaged; `use` may have been called then.
[[nodiscard]] bool decompressInParts(Codec codec, Bytes stored, std::size_t size,
                                     const std::function<void(Bytes)>& use, const BytesUsed& used);

} // namespace kaon::codec
