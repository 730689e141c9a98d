#pragma once

#include <cstddef>
#include <libdeflate.h>
#include <lzma.h>
#include <span>
#include <zstd.h>

// The states of the compression libraries, one of each kind per thread, which are slow to make and
// cheap to keep. Null if memory is short; the next call tries again.

namespace kaon::codec {

[[nodiscard]] ZSTD_CCtx* zstdCompressor() noexcept;
[[nodiscard]] ZSTD_DCtx* zstdDecompressor() noexcept;
/// Levels 0 to 12.
[[nodiscard]] libdeflate_compressor* deflateCompressor(int level) noexcept;
[[nodiscard]] libdeflate_decompressor* deflateDecompressor() noexcept;

/// Reused, because liblzma allocates the memory of a stream again unless it begins in an older one.
struct LzmaStream : lzma_stream {
  LzmaStream() noexcept : lzma_stream(LZMA_STREAM_INIT) {}
  LzmaStream(const LzmaStream&) = delete;
  LzmaStream& operator=(const LzmaStream&) = delete;
  ~LzmaStream() { lzma_end(this); }

  /// Runs a stream that has begun; returns whether it came to its end. `avail_in` is then the
  /// number of unread bytes, `avail_out` the remaining space.
  [[nodiscard]] bool run(std::span<const std::byte> bytes, std::span<std::byte> out) noexcept;
  /// The same for compression, which may be stopped: see checkStop().
  [[nodiscard]] bool runStoppably(std::span<const std::byte> bytes, std::span<std::byte> out);
};

/// The bytes that are compressed between two checks whether the work was stopped. The slowest
/// codecs take a fraction of a second for them.
constexpr std::size_t bytesBetweenStops = std::size_t{256} << 10;

[[nodiscard]] LzmaStream& lzmaCompressor();
[[nodiscard]] LzmaStream& lzmaDecompressor();

} // namespace kaon::codec
