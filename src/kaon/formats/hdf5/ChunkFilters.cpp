#include <kaon/formats/hdf5/ChunkFilters.h>

#include <kaon/base/Bytes.h>
#include <kaon/codec/BlockCompression.h>
#include <kaon/codec/BytePlanes.h>
#include <kaon/formats/hdf5/ForeignFilters.h>

#include <algorithm>
#include <cstring>

namespace kaon::hdf5 {
namespace {

constexpr std::size_t checksumBytes = 4;

bool isSkipped(std::uint32_t skipped, std::size_t filter) { return (skipped >> filter & 1) != 0; }

/// Undoes shuffle. Bytes at the end that are not a whole element are not shuffled.
void unshuffle(std::size_t elementSize, std::span<const std::byte> bytes,
               std::span<std::byte> out) {
  const std::size_t count = bytes.size() / elementSize;
  if (count == 0) {
    std::ranges::copy(bytes, out.begin());
    return;
  }
  if (elementSize > codec::mostPlanesAtOnce) {
    for (std::size_t plane = 0; plane < elementSize; ++plane)
      codec::mergeByte(elementSize, bytes.data() + plane * count, count, out.data() + plane);
  } else {
    std::vector<const std::byte*> planes(elementSize);
    for (std::size_t plane = 0; plane < elementSize; ++plane)
      planes[plane] = bytes.data() + plane * count;
    codec::mergeBytes(elementSize, planes.data(), count, out.data());
  }
  const std::size_t whole = count * elementSize;
  if (whole < bytes.size())
    std::memcpy(out.data() + whole, bytes.data() + whole, bytes.size() - whole);
}

/// Computes Fletcher's checksum of 16-bit words as libhdf5 does, with the high byte first.
std::uint32_t fletcher32(std::span<const std::byte> bytes) {
  constexpr std::size_t mostWords = 360; // words before a sum can overflow
  const auto fold = [](std::uint32_t sum) { return (sum & 0xFFFF) + (sum >> 16); };
  const std::byte* next = bytes.data();
  std::uint32_t first = 0, second = 0;
  for (std::size_t words = bytes.size() / 2; words > 0;) {
    const std::size_t part = std::min(words, mostWords);
    words -= part;
    for (std::size_t i = 0; i < part; ++i, next += 2) {
      first +=
          std::to_integer<std::uint32_t>(next[0]) << 8 | std::to_integer<std::uint32_t>(next[1]);
      second += first;
    }
    first = fold(first);
    second = fold(second);
  }
  if (bytes.size() % 2 != 0) {
    first = fold(first + (std::to_integer<std::uint32_t>(*next) << 8));
    second = fold(second + first);
  }
  return fold(second) << 16 | fold(first);
}

/// Undoes a filter other than fletcher32. Fills `out` exactly, or returns false.
bool undo(const ChunkFilter& filter, std::span<const std::byte> bytes, std::span<std::byte> out) {
  using enum ChunkFilter::Kind;
  switch (filter.kind) {
  case shuffle:
    unshuffle(filter.elementSize, bytes, out);
    return true;
  case deflate:
    return codec::decompress(Codec::zlib, bytes, out);
  case zstd:
    return codec::decompress(Codec::zstd, bytes, out);
  case lz4:
    return undoLz4(bytes, out);
  case lzf:
    return undoLzf(bytes, out);
  case bitshuffle:
    return undoBitshuffle({filter.elementSize, filter.blockBytes, filter.blockCodec}, bytes, out);
  case blosc:
    return undoBlosc(bytes, out);
  case fletcher32:
    break;
  }
  return false;
}

} // namespace

bool compresses(const ChunkFilter& filter) noexcept {
  using enum ChunkFilter::Kind;
  switch (filter.kind) {
  case shuffle:
  case fletcher32:
    return false;
  case bitshuffle:
    return filter.blockCodec != Codec::none;
  default:
    return true;
  }
}

Codec codecOf(const ChunkFilter& filter) noexcept {
  using enum ChunkFilter::Kind;
  switch (filter.kind) {
  case deflate:
    return Codec::zlib;
  case zstd:
    return Codec::zstd;
  case lz4:
    return Codec::lz4;
  default:
    return filter.blockCodec;
  }
}

bool ChunkDecoder::decode(const ChunkFilters& filters, std::uint32_t skipped,
                          std::span<const std::byte> bytes, std::span<std::byte> out) {
  std::size_t before = out.size(); // the size before the filter that compresses
  for (std::size_t i = 0; i < filters.size() && !compresses(filters[i]); ++i)
    if (filters[i].kind == ChunkFilter::Kind::fletcher32 && !isSkipped(skipped, i))
      before += checksumBytes;
  std::size_t scratch = 0;
  for (std::size_t i = filters.size(); i-- > 0;) {
    const ChunkFilter& filter = filters[i];
    if (isSkipped(skipped, i) ||
        (filter.kind == ChunkFilter::Kind::shuffle && filter.elementSize < 2))
      continue;
    if (filter.kind == ChunkFilter::Kind::fletcher32) {
      if (bytes.size() < checksumBytes)
        return false;
      const auto checked = bytes.first(bytes.size() - checksumBytes);
      if (fletcher32(checked) != detail::loadAs<std::uint32_t>(bytes.data() + checked.size()))
        return false;
      bytes = checked;
      continue;
    }
    const std::size_t size = compresses(filter) ? before : bytes.size();
    const bool isLast = i == 0 && size == out.size();
    const std::span<std::byte> to = isLast ? out : m_scratch[scratch].assign(size);
    scratch = 1 - scratch;
    if (!undo(filter, bytes, to))
      return false;
    bytes = to;
  }
  if (bytes.size() != out.size())
    return false;
  if (bytes.data() != out.data() && !out.empty())
    std::memcpy(out.data(), bytes.data(), out.size());
  return true;
}

EncodedChunk encodeChunk(std::span<const std::byte> chunk, std::size_t elementSize, int level) {
  EncodedChunk encoded;
  Buffer planes;
  codec::splitBytes(elementSize, chunk.data(), chunk.size() / elementSize,
                    planes.assign(chunk.size()).data());
  if (!codec::compress(zlib(level), planes.bytes(), encoded.bytes)) {
    encoded.bytes = std::move(planes);
    encoded.skipped = 1U << 1;
  }
  return encoded;
}

} // namespace kaon::hdf5
