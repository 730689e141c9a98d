#pragma once

#include <cstddef>
#include <libdeflate.h>
#include <lzma.h>
#include <span>
#include <zstd.h>

// What the compression libraries keep from one call to the next, one of each kind a thread: costly
// to make and cheap to keep. Null where there is no memory for it.

namespace kaon::codec {

[[nodiscard]] ZSTD_CCtx* zstdCompressor() noexcept;
[[nodiscard]] ZSTD_DCtx* zstdDecompressor() noexcept;
/// Levels 0 to 12.
[[nodiscard]] libdeflate_compressor* deflateCompressor(int level) noexcept;
[[nodiscard]] libdeflate_decompressor* deflateDecompressor() noexcept;

/// liblzma takes its memory anew for every stream, unless it is begun in the place of an older one.
struct LzmaStream : lzma_stream {
  LzmaStream() noexcept : lzma_stream(LZMA_STREAM_INIT) {}
  LzmaStream(const LzmaStream&) = delete;
  LzmaStream& operator=(const LzmaStream&) = delete;
  ~LzmaStream() { lzma_end(this); }

  /// Once it has begun: whether it came to its end; `avail_in` is what is left of the bytes,
  /// `avail_out` of the room.
  [[nodiscard]] bool run(std::span<const std::byte> bytes, std::span<std::byte> out) noexcept;
};
[[nodiscard]] LzmaStream& lzmaCompressor();
[[nodiscard]] LzmaStream& lzmaDecompressor();

} // namespace kaon::codec
