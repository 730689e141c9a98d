#include <kaon/formats/hipo/Compression.h>

#include <kaon/base/Error.h>
#include <kaon/codec/BlockCompression.h>
#include <kaon/codec/Contexts.h>
#include <kaon/codec/Decompressors.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <libdeflate.h>
#include <limits>
#include <lz4.h>
#include <zstd.h>

namespace kaon::hipo {
namespace {

/// The types of records, by number.
constexpr std::array<RecordEncoding, 15> types{{
    {RecordCodec::none, RecordForm::whole},
    {RecordCodec::lz4, RecordForm::whole},
    {RecordCodec::lz4, RecordForm::whole}, // written by a slower encoder with better compression
    {RecordCodec::gzip, RecordForm::whole},
    {RecordCodec::zstd, RecordForm::whole},
    {RecordCodec::zstd, RecordForm::banks},
    {RecordCodec::lz4, RecordForm::banks},
    {RecordCodec::lz4, RecordForm::columns},
    {RecordCodec::zstd, RecordForm::columns},
    {RecordCodec::lz4, RecordForm::banks},
    {RecordCodec::lz4, RecordForm::columns},
    {RecordCodec::gzip, RecordForm::banks},
    {RecordCodec::gzip, RecordForm::columns},
    {RecordCodec::none, RecordForm::banks},
    {RecordCodec::none, RecordForm::columns},
}};

/// Some writers compress a few bytes more than the header says.
constexpr std::size_t mostBehind = 64 * 1024;

/// Some writers count the padding behind the compressed bytes.
constexpr std::size_t mostPadding = 3;

/// The highest ratio of decompressed to compressed size.
constexpr std::uint64_t mostGrowth(RecordCodec codec) noexcept {
  switch (codec) {
  case RecordCodec::none:
    return 1;
  case RecordCodec::lz4:
    return 255;
  case RecordCodec::gzip:
    return 1032;
  case RecordCodec::zstd:
    break;
  }
  return std::uint64_t{1} << 15;
}

[[noreturn]] void failDecoding(RecordCodec codec, const std::string& where) {
  fail(ErrorKind::corrupt, where, ": its ", codecName(codec),
       " does not decompress to the expected bytes; the file is damaged");
}

/// LZ4 does not store its size, so each possible one is tried.
std::size_t decodeLz4(std::span<const std::byte> stored, std::size_t least,
                      std::span<std::byte> out) noexcept {
  for (std::size_t padding = 0; padding <= std::min(mostPadding, stored.size()); ++padding) {
    const int size = LZ4_decompress_safe(
        detail::valuesAt<char>(stored.data()), detail::valuesAt<char>(out.data()),
        static_cast<int>(stored.size() - padding), static_cast<int>(out.size()));
    if (size >= 0 && static_cast<std::size_t>(size) >= least)
      return static_cast<std::size_t>(size);
  }
  return 0;
}

std::span<const std::byte> withoutPadding(std::span<const std::byte> zstd) noexcept {
  const std::size_t size = ZSTD_findFrameCompressedSize(zstd.data(), zstd.size());
  return size < zstd.size() && zstd.size() - size <= mostPadding ? zstd.first(size) : zstd;
}

/// Decodes at least `least` bytes into `out`. Returns the number of decoded bytes.
std::size_t decode(RecordCodec codec, std::span<const std::byte> stored, std::size_t least,
                   std::span<std::byte> out) noexcept {
  switch (codec) {
  case RecordCodec::none:
    if (stored.size() < least)
      return 0;
    if (least > 0)
      std::memcpy(out.data(), stored.data(), least);
    return least;
  case RecordCodec::lz4:
    return decodeLz4(stored, least, out);
  case RecordCodec::gzip: {
    std::size_t size = 0;
    libdeflate_decompressor* const context = codec::deflateDecompressor();
    const bool isDone =
        context && libdeflate_gzip_decompress(context, stored.data(), stored.size(), out.data(),
                                              out.size(), &size) == LIBDEFLATE_SUCCESS;
    return isDone ? size : 0;
  }
  case RecordCodec::zstd:
    break;
  }
  return codec::decompress(Codec::zstd, withoutPadding(stored), out.first(least)) ? least : 0;
}

} // namespace

std::optional<RecordEncoding> recordType(std::uint32_t number) noexcept {
  return number < types.size() ? std::optional(types[number]) : std::nullopt;
}

const char* codecName(RecordCodec codec) noexcept {
  constexpr std::array names{"plain stream", "LZ4", "gzip", "zstd"};
  return names[static_cast<std::size_t>(codec)];
}

void checkGrowth(RecordCodec codec, std::size_t stored, std::uint64_t bytes,
                 const std::string& where) {
  constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max() - 2 * mostBehind;
  if (bytes > most || stored > most || bytes / mostGrowth(codec) > stored)
    fail(ErrorKind::corrupt, where, ": claims to hold ", bytes, " bytes in ", stored,
         ", which is more than it can; the file is damaged");
}

void decompress(RecordCodec codec, std::span<const std::byte> stored, std::uint64_t bytes,
                Buffer& out, const std::string& where) {
  checkGrowth(codec, stored.size(), bytes, where);
  codec::requireDecompressor(codec == RecordCodec::gzip   ? Codec::zlib
                             : codec == RecordCodec::zstd ? Codec::zstd
                                                          : Codec::none);
  const auto size = static_cast<std::size_t>(bytes);
  const auto room = out.assign(size + mostBehind);
  if (size > 0 && decode(codec, stored, size, room) < size)
    failDecoding(codec, where);
  std::memset(room.data() + size, 0, bytesBehind);
  out.shrink(size + bytesBehind);
}

bool decompressFirst(RecordCodec codec, std::span<const std::byte> stored, std::span<std::byte> out,
                     const std::string& where) {
  if (codec != RecordCodec::lz4)
    return false;
  const int size = LZ4_decompress_safe_partial(
      detail::valuesAt<char>(stored.data()), detail::valuesAt<char>(out.data()),
      static_cast<int>(stored.size()), static_cast<int>(out.size()), static_cast<int>(out.size()));
  if (size < 0 || static_cast<std::size_t>(size) != out.size())
    failDecoding(codec, where);
  return true;
}

} // namespace kaon::hipo
