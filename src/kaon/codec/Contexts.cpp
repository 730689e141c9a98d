#include <kaon/codec/Contexts.h>

#include <kaon/base/OfThread.h>
#include <kaon/base/Stop.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace kaon::codec {
namespace {

template <auto release>
struct Release {
  template <class T>
  void operator()(T* context) const noexcept {
    release(context);
  }
};

template <class Context, auto make, auto release>
Context* kept() noexcept {
  auto& context = ofThread<std::unique_ptr<Context, Release<release>>>();
  if (!context)
    context.reset(make());
  return context.get();
}

struct DeflateCompressor {
  std::unique_ptr<libdeflate_compressor, Release<libdeflate_free_compressor>> context;
  int level = -1;
};

} // namespace

ZSTD_CCtx* zstdCompressor() noexcept { return kept<ZSTD_CCtx, ZSTD_createCCtx, ZSTD_freeCCtx>(); }
ZSTD_DCtx* zstdDecompressor() noexcept { return kept<ZSTD_DCtx, ZSTD_createDCtx, ZSTD_freeDCtx>(); }

libdeflate_compressor* deflateCompressor(int level) noexcept {
  auto& compressor = ofThread<DeflateCompressor>();
  if (compressor.level != level || !compressor.context) {
    compressor.context.reset(libdeflate_alloc_compressor(level));
    compressor.level = level;
  }
  return compressor.context.get();
}
libdeflate_decompressor* deflateDecompressor() noexcept {
  return kept<libdeflate_decompressor, libdeflate_alloc_decompressor,
              libdeflate_free_decompressor>();
}

bool LzmaStream::run(std::span<const std::byte> bytes, std::span<std::byte> out) noexcept {
  next_in = detail::valuesAt<std::uint8_t>(bytes.data());
  avail_in = bytes.size();
  next_out = detail::valuesAt<std::uint8_t>(out.data());
  avail_out = out.size();
  lzma_ret result = LZMA_OK;
  // A call without progress is not yet an error: a decoder that filled the output may need one more
  // call to see the end of the stream. After the second one liblzma returns LZMA_BUF_ERROR.
  while (result == LZMA_OK)
    result = lzma_code(this, LZMA_FINISH);
  return result == LZMA_STREAM_END;
}

bool LzmaStream::runStoppably(std::span<const std::byte> bytes, std::span<std::byte> out) {
  next_in = detail::valuesAt<std::uint8_t>(bytes.data());
  next_out = detail::valuesAt<std::uint8_t>(out.data());
  avail_out = out.size();
  std::size_t left = bytes.size();
  lzma_ret result = LZMA_OK;
  while (result == LZMA_OK) {
    checkStop();
    avail_in = std::min(left, bytesBetweenStops);
    const std::size_t given = avail_in;
    result = lzma_code(this, given == left ? LZMA_FINISH : LZMA_RUN);
    left -= given - avail_in;
  }
  avail_in = left;
  return result == LZMA_STREAM_END;
}

LzmaStream& lzmaCompressor() { return ofThread<LzmaStream>(); }
LzmaStream& lzmaDecompressor() { return ofThread<LzmaStream>(); }

} // namespace kaon::codec
