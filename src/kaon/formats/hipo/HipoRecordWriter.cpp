#include <kaon/formats/hipo/HipoRecordWriter.h>

#include <kaon/base/Error.h>
#include <kaon/codec/Contexts.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/hipo/Headers.h>

#include <algorithm>
#include <cstring>
#include <libdeflate.h>
#include <lz4.h>
#include <new>

namespace kaon::hipo {
namespace {

constexpr std::uint32_t version = 6;
constexpr std::uint32_t hipoFile = 5U << 28, hipoRecord = 4U << 28;
constexpr std::uint32_t hasDictionary = 1U << 8, hasIndex = 1U << 10;

/// Headers store the number of words of a payload in 28 bits.
constexpr std::size_t mostStoredBytes = std::size_t{4} << 28;

/// Types of records, by number.
enum class TypeNumber : std::uint32_t { none = 0, lz4 = 1, gzip = 3 };

void putWord(std::span<std::byte> out, std::size_t place, std::uint32_t value) {
  std::memcpy(&out[place], &value, sizeof(value));
}
void putLong(std::span<std::byte> out, std::size_t place, std::uint64_t value) {
  std::memcpy(&out[place], &value, sizeof(value));
}

[[noreturn]] void failSize(std::size_t bytes) {
  fail(ErrorKind::usage, "a record of ", bytes,
       " bytes is larger than HIPO can hold; its events or the metadata of the file are too large");
}

std::size_t compressLz4(std::span<const std::byte> payload, int level, Buffer& out) {
  if (payload.size() > LZ4_MAX_INPUT_SIZE)
    failSize(payload.size());
  const int size = static_cast<int>(payload.size()), most = LZ4_compressBound(size);
  std::byte* const begin = out.grow(static_cast<std::size_t>(most));
  return static_cast<std::size_t>(LZ4_compress_fast(
      detail::valuesAt<char>(payload.data()), detail::valuesAt<char>(begin), size, most, level));
}

std::size_t compressGzip(std::span<const std::byte> payload, int level, Buffer& out) {
  libdeflate_compressor* const context = codec::deflateCompressor(std::clamp(level, 1, 12));
  if (!context)
    throw std::bad_alloc();
  const std::size_t most = libdeflate_gzip_compress_bound(context, payload.size());
  return libdeflate_gzip_compress(context, payload.data(), payload.size(), out.grow(most), most);
}

/// Appends the payload, compressed even if that makes it longer. HIPO's Java library cannot read an
/// uncompressed record behind a shorter compressed one.
TypeNumber store(std::span<const std::byte> payload, Compression how, Buffer& out) {
  if (how.codec == Codec::none) {
    out.append(payload);
    return TypeNumber::none;
  }
  const std::size_t before = out.size();
  const bool isLz4 = how.codec == Codec::lz4;
  const std::size_t size =
      isLz4 ? compressLz4(payload, how.level, out) : compressGzip(payload, how.level, out);
  if (size == 0)
    failSize(payload.size());
  out.shrink(before + size);
  return isLz4 ? TypeNumber::lz4 : TypeNumber::gzip;
}

} // namespace

void putFileHeader(const HeaderFields& places, std::span<std::byte> out) {
  std::ranges::fill(out, std::byte{0});
  putWord(out, 0, fileId);
  putWord(out, 4, 1); // number of this file in a series
  putWord(out, 8, headerBytes / 4);
  putWord(out, 20, hipoFile | hasDictionary | (places.trailer > 0 ? hasIndex : 0) | version);
  putWord(out, 24, places.dictionaryBytes);
  putWord(out, 28, magic);
  putLong(out, 40, places.trailer);
}

Compression compressionOfRecords(Compression how) {
  switch (how.codec) {
  case Codec::zstd:
    return lz4();
  case Codec::lzma:
    fail(ErrorKind::usage, "HIPO files have no LZMA: use lz4, zlib (gzip) or none");
  default:
    return how;
  }
}

EncodedRecord encodeRecord(std::span<const std::byte> payload, std::uint32_t events,
                           std::uint64_t tag, Compression how) {
  EncodedRecord record{events, tag, {}};
  record.bytes.grow(headerBytes);
  const TypeNumber type = store(payload, how, record.bytes);
  const std::size_t end = record.bytes.size(), padding = (4 - end % 4) % 4;
  std::memset(record.bytes.grow(padding), 0, padding);
  const std::span out(record.bytes.data(), record.bytes.size());
  std::memset(out.data(), 0, headerBytes);
  if (out.size() - headerBytes >= mostStoredBytes)
    failSize(payload.size());
  const auto words = static_cast<std::uint32_t>(out.size() / 4);
  const auto lengths = 4 * events;
  putWord(out, 0, words);
  putWord(out, 8, headerBytes / 4);
  putWord(out, 12, events);
  putWord(out, 16, lengths);
  putWord(out, 20, hipoRecord | static_cast<std::uint32_t>(padding) << 24 | version);
  putWord(out, 28, magic);
  putWord(out, 32, static_cast<std::uint32_t>(payload.size()) - lengths);
  putWord(out, 36,
          static_cast<std::uint32_t>(type) << 28 |
              (words - static_cast<std::uint32_t>(headerBytes / 4)));
  putLong(out, 40, tag);
  return record;
}

void setRecordNumber(EncodedRecord& record, std::uint32_t number) noexcept {
  std::memcpy(record.bytes.data() + 4, &number, sizeof(number));
}

} // namespace kaon::hipo
