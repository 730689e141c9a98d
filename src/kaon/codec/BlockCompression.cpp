#include <kaon/codec/BlockCompression.h>

#include <kaon/base/Error.h>
#include <kaon/base/Stop.h>
#include <kaon/codec/Contexts.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <array>
#include <bit>
#include <libdeflate.h>
#include <lz4.h>
#include <lzma.h>
#include <zstd.h>

namespace kaon::codec {
namespace {

/// Returns a window for all bytes, because an LZMA2 stream does not store its size. The decoder's
/// memory is thereby bounded by its output.
std::uint32_t lzmaWindow(std::size_t size) {
  constexpr std::size_t most = std::size_t{1} << 30;
  return static_cast<std::uint32_t>(
      std::bit_ceil(std::clamp<std::size_t>(size, LZMA_DICT_SIZE_MIN, most)));
}

/// Returns the number of output bytes of a stream that ended; 0 if it did not, or did not read all
/// of its input.
std::size_t bytesOf(const LzmaStream& stream, bool hasEnded, std::span<std::byte> out) noexcept {
  return hasEnded && stream.avail_in == 0 ? out.size() - stream.avail_out : 0;
}

std::size_t compressLzma(int level, std::span<const std::byte> bytes, std::span<std::byte> out) {
  lzma_options_lzma options{};
  if (lzma_lzma_preset(&options, static_cast<std::uint32_t>(std::clamp(level, 0, 9))))
    return 0;
  options.dict_size = lzmaWindow(bytes.size());
  const std::array<lzma_filter, 2> filters{
      {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}}};
  LzmaStream& stream = lzmaCompressor();
  return lzma_raw_encoder(&stream, filters.data()) == LZMA_OK
             ? bytesOf(stream, stream.runStoppably(bytes, out), out)
             : 0;
}

bool decompressLzma(std::span<const std::byte> bytes, std::span<std::byte> out) noexcept {
  lzma_options_lzma options{};
  options.dict_size = lzmaWindow(out.size());
  const std::array<lzma_filter, 2> filters{
      {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}}};
  LzmaStream& stream = lzmaDecompressor();
  return !out.empty() && lzma_raw_decoder(&stream, filters.data()) == LZMA_OK &&
         bytesOf(stream, stream.run(bytes, out), out) == out.size();
}

bool decompressZlib(std::span<const std::byte> bytes, std::span<std::byte> out) noexcept {
  libdeflate_decompressor* const context = deflateDecompressor();
  std::size_t taken = 0;
  return context &&
         libdeflate_zlib_decompress_ex(context, bytes.data(), bytes.size(), out.data(), out.size(),
                                       &taken, nullptr) == LIBDEFLATE_SUCCESS &&
         taken == bytes.size();
}

std::size_t compressZlib(int level, std::span<const std::byte> bytes, std::span<std::byte> out) {
  libdeflate_compressor* const context = deflateCompressor(std::clamp(level, 1, 12));
  return context
             ? libdeflate_zlib_compress(context, bytes.data(), bytes.size(), out.data(), out.size())
             : 0;
}

/// Compresses many bytes, as compressInto() does a few; it may be stopped.
std::size_t compressManyZstd(ZSTD_CCtx* context, int level, std::span<const std::byte> bytes,
                             std::span<std::byte> out) {
  if (ZSTD_isError(ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters)) ||
      ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)) ||
      ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(context, bytes.size())))
    return 0;
  ZSTD_inBuffer in{bytes.data(), 0, 0};
  ZSTD_outBuffer to{out.data(), out.size(), 0};
  while (to.pos < to.size) {
    checkStop();
    if (in.pos == in.size)
      in.size = std::min(in.size + bytesBetweenStops, bytes.size());
    const bool isLast = in.size == bytes.size();
    const std::size_t left =
        ZSTD_compressStream2(context, &to, &in, isLast ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left))
      return 0;
    if (isLast && left == 0)
      return to.pos;
  }
  return 0;
}

/// Returns the number of bytes written to `out`, or 0 if they do not fit.
std::size_t compressInto(Compression how, std::span<const std::byte> bytes,
                         std::span<std::byte> out) {
  switch (how.codec) {
  case Codec::none:
    return 0;
  case Codec::lz4: {
    if (bytes.size() > LZ4_MAX_INPUT_SIZE)
      return 0;
    const int size =
        LZ4_compress_fast(detail::valuesAt<char>(bytes.data()), detail::valuesAt<char>(out.data()),
                          static_cast<int>(bytes.size()), static_cast<int>(out.size()), how.level);
    return static_cast<std::size_t>(std::max(size, 0));
  }
  case Codec::zstd: {
    ZSTD_CCtx* const context = zstdCompressor();
    if (context && bytes.size() > 4 * bytesBetweenStops)
      return compressManyZstd(context, how.level, bytes, out);
    const std::size_t size = context ? ZSTD_compressCCtx(context, out.data(), out.size(),
                                                         bytes.data(), bytes.size(), how.level)
                                     : 0;
    return ZSTD_isError(size) ? 0 : size;
  }
  case Codec::zlib:
    return compressZlib(how.level, bytes, out);
  case Codec::lzma:
    return compressLzma(how.level, bytes, out);
  }
  fail(ErrorKind::usage, "codec number ", int(how.codec), " does not exist");
}

} // namespace

bool compress(Compression how, std::span<const std::byte> bytes, Buffer& out) {
  const std::size_t most = bytes.size() - (bytes.size() + 31) / 32;
  if (how.codec == Codec::none || bytes.empty())
    return false;
  checkStop();
  const std::size_t before = out.size();
  std::byte* const begin = out.grow(most);
  std::size_t size = 0;
  try {
    size = compressInto(how, bytes, {begin, most});
  } catch (...) {
    out.shrink(before);
    throw;
  }
  out.shrink(before + size);
  return size > 0;
}

bool decompress(Codec codec, std::span<const std::byte> bytes, std::span<std::byte> out) noexcept {
  switch (codec) {
  case Codec::none:
    if (bytes.size() != out.size())
      return false;
    std::copy(bytes.begin(), bytes.end(), out.begin());
    return true;
  case Codec::lz4:
    return bytes.size() <= LZ4_MAX_INPUT_SIZE && out.size() <= LZ4_MAX_INPUT_SIZE &&
           LZ4_decompress_safe(detail::valuesAt<char>(bytes.data()),
                               detail::valuesAt<char>(out.data()), static_cast<int>(bytes.size()),
                               static_cast<int>(out.size())) == static_cast<int>(out.size());
  case Codec::zstd: {
    ZSTD_DCtx* const context = zstdDecompressor();
    return context && ZSTD_decompressDCtx(context, out.data(), out.size(), bytes.data(),
                                          bytes.size()) == out.size();
  }
  case Codec::zlib:
    return decompressZlib(bytes, out);
  case Codec::lzma:
    return decompressLzma(bytes, out);
  }
  return false;
}

} // namespace kaon::codec
