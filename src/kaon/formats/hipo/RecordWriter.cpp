#include <kaon/formats/hipo/RecordWriter.h>

#include <kaon/base/Error.h>
#include <kaon/formats/hipo/Headers.h>

#include <algorithm>
#include <cstring>
#include <libdeflate.h>
#include <lz4.h>
#include <memory>

namespace kaon::hipo {
namespace {

constexpr std::uint32_t version = 6;
constexpr std::uint32_t hipoFile = 5U << 28, hipoRecord = 4U << 28;
constexpr std::uint32_t hasDictionary = 1U << 8, hasIndex = 1U << 10;

/// Types of records, by number.
enum class TypeNumber : std::uint32_t { none = 0, lz4 = 1, gzip = 3 };

void putWord(std::span<std::byte> out, std::size_t place, std::uint32_t value) {
  std::memcpy(&out[place], &value, sizeof(value));
}
void putLong(std::span<std::byte> out, std::size_t place, std::uint64_t value) {
  std::memcpy(&out[place], &value, sizeof(value));
}

struct FreeCompressor {
  void operator()(libdeflate_compressor* context) const noexcept {
    libdeflate_free_compressor(context);
  }
};
libdeflate_compressor* gzipCompressor(int level) {
  thread_local std::unique_ptr<libdeflate_compressor, FreeCompressor> context;
  thread_local int levelOfContext = 0;
  if (!context || levelOfContext != level) {
    context.reset(libdeflate_alloc_compressor(level));
    levelOfContext = level;
  }
  return context.get();
}

/// Appends the compressed payload; 0 if that would not be shorter.
std::size_t compress(std::span<const std::byte> payload, Compression how, Buffer& out) {
  const std::size_t before = out.size();
  std::byte* const begin = out.grow(payload.size());
  std::size_t size = 0;
  if (how.codec == Codec::lz4)
    size = static_cast<std::size_t>(
        std::max(LZ4_compress_fast(reinterpret_cast<const char*>(payload.data()),
                                   reinterpret_cast<char*>(begin), static_cast<int>(payload.size()),
                                   static_cast<int>(payload.size()), how.level),
                 0));
  else if (how.codec == Codec::zlib)
    if (libdeflate_compressor* const context = gzipCompressor(std::clamp(how.level, 1, 12)))
      size =
          libdeflate_gzip_compress(context, payload.data(), payload.size(), begin, payload.size());
  out.shrink(before + size);
  return size;
}

} // namespace

void putFileHeader(const FilePlaces& places, std::span<std::byte> out) {
  std::ranges::fill(out, std::byte{0});
  putWord(out, 0, fileId);
  putWord(out, 4, 1); // of files that continue each other
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
    fail(ErrorKind::usage, "HIPO files have no LZMA: take lz4, zlib (gzip) or none");
  default:
    return how;
  }
}

EncodedRecord encodeRecord(std::span<const std::byte> payload, std::uint32_t events,
                           std::uint64_t tag, Compression how) {
  EncodedRecord record{events, tag, {}};
  record.bytes.grow(headerBytes);
  auto type = TypeNumber::none;
  if (compress(payload, how, record.bytes) > 0)
    type = how.codec == Codec::zlib ? TypeNumber::gzip : TypeNumber::lz4;
  else
    record.bytes.append(payload);
  const std::size_t end = record.bytes.size(), padding = (4 - end % 4) % 4;
  std::memset(record.bytes.grow(padding), 0, padding);
  const std::span out(record.bytes.data(), record.bytes.size());
  std::memset(out.data(), 0, headerBytes);
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
