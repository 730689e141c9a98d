#include <kaon/formats/root/container/Blocks.h>

#include <kaon/base/Error.h>
#include <kaon/codec/BlockCompression.h>
#include <kaon/codec/Contexts.h>
#include <kaon/codec/Decompressors.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/container/ZstdPlanes.h>

#include <algorithm>
#include <array>
#include <libdeflate.h>
#include <lzma.h>
#include <string_view>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kaon::root {
namespace {

using Bytes = std::span<const std::byte>;
using Room = std::span<std::byte>;

constexpr std::size_t headerBytes = 9;
constexpr std::size_t checksumBytes = 8;    // of LZ4, big-endian, before the block
constexpr std::size_t mostBytes = 0xFFFFFF; // of data in a block

/// How ROOT identifies an algorithm.
struct BlockAlgorithm {
  std::string_view letters;
  std::uint8_t method;
  std::uint32_t number;
};
BlockAlgorithm algorithmOf(Codec codec) noexcept {
  switch (codec) {
  case Codec::zlib:
    return {"ZL", 8, 1};
  case Codec::lzma:
    return {"XZ", 0, 2};
  case Codec::lz4:
    return {"L4", 1, 4};
  case Codec::zstd:
    return {"ZS", 1, 5};
  case Codec::none:
    break;
  }
  return {"", 0, 0};
}

void store24(std::size_t value, std::byte* bytes) noexcept {
  for (int i = 0; i < 3; ++i)
    bytes[i] = static_cast<std::byte>(value >> 8 * i);
}

std::size_t load24(const std::byte* bytes) noexcept {
  return std::to_integer<std::size_t>(bytes[0]) | std::to_integer<std::size_t>(bytes[1]) << 8 |
         std::to_integer<std::size_t>(bytes[2]) << 16;
}

bool inflateRaw(Bytes stored, Room out) {
  libdeflate_decompressor* const context = codec::deflateDecompressor();
  return context && libdeflate_deflate_decompress(context, stored.data(), stored.size(), out.data(),
                                                  out.size(), nullptr) == LIBDEFLATE_SUCCESS;
}

bool decompressXz(Bytes stored, Room out) {
  constexpr std::uint64_t mostMemory = std::uint64_t{128} << 20; // level 9 needs half of it
  codec::LzmaStream& stream = codec::lzmaDecompressor();
  return lzma_stream_decoder(&stream, mostMemory, 0) == LZMA_OK && stream.run(stored, out) &&
         stream.avail_out == 0;
}

bool decompressLz4(Bytes stored, Room out, const std::string& where, BlockChecksums checksums) {
  if (stored.size() < checksumBytes)
    return false;
  const Bytes block = stored.subspan(checksumBytes);
  if (checksums == BlockChecksums::verify &&
      loadBigEndian<std::uint64_t>(stored.data()) != XXH64(block.data(), block.size(), 0))
    fail(ErrorKind::corrupt, where, ": an LZ4 block does not match its checksum; the file is ",
         "damaged");
  return codec::decompress(Codec::lz4, block, out);
}

/// Limits the dictionary to the size of the data. The default dictionaries have megabytes, which
/// compressor and reader would clear for each block.
bool compressXz(int level, Bytes bytes, Buffer& out) {
  lzma_options_lzma options{};
  if (lzma_lzma_preset(&options, static_cast<std::uint32_t>(level)))
    return false;
  options.dict_size = std::clamp<std::uint32_t>(static_cast<std::uint32_t>(bytes.size()),
                                                LZMA_DICT_SIZE_MIN, options.dict_size);
  const std::array<lzma_filter, 2> filters{
      {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}}};
  codec::LzmaStream& stream = codec::lzmaCompressor();
  if (lzma_stream_encoder(&stream, filters.data(), LZMA_CHECK_CRC32) != LZMA_OK)
    return false;
  const std::size_t before = out.size();
  std::byte* const begin = out.grow(bytes.size());
  const bool isWhole = stream.runStoppably(bytes, {begin, bytes.size()});
  out.shrink(isWhole ? out.size() - stream.avail_out : before);
  return isWhole;
}

bool compressData(Compression how, Bytes bytes, std::size_t planeBytes, Buffer& out) {
  if (how.codec == Codec::lzma)
    return compressXz(how.level, bytes, out);
  if (how.codec == Codec::zstd && planeBytes > 0)
    return compressPlanes(how.level, bytes, planeBytes, out);
  return codec::compress(how, bytes, out);
}

bool compressBlock(Compression how, Bytes bytes, std::size_t planeBytes, Buffer& out) {
  const std::size_t before = out.size();
  const std::size_t checked = how.codec == Codec::lz4 ? checksumBytes : 0;
  out.grow(headerBytes + checked);
  if (!compressData(how, bytes, planeBytes, out))
    return false;
  std::byte* const header = out.data() + before;
  const Bytes data = out.bytes().subspan(before + headerBytes + checked);
  const BlockAlgorithm algorithm = algorithmOf(how.codec);
  header[0] = static_cast<std::byte>(algorithm.letters[0]);
  header[1] = static_cast<std::byte>(algorithm.letters[1]);
  header[2] = static_cast<std::byte>(algorithm.method);
  store24(checked + data.size(), header + 3);
  store24(bytes.size(), header + 6);
  if (checked > 0)
    storeBigEndian<std::uint64_t>(XXH64(data.data(), data.size(), 0), header + headerBytes);
  return checked + data.size() <= mostBytes;
}

bool decompressBlock(std::string_view letters, Bytes stored, Room out, const std::string& where,
                     BlockChecksums checksums) {
  codec::requireDecompressor(letters == "ZS"                      ? Codec::zstd
                             : letters == "ZL" || letters == "CS" ? Codec::zlib
                                                                  : Codec::none);
  if (letters == "ZL")
    return codec::decompress(Codec::zlib, stored, out);
  if (letters == "ZS")
    return codec::decompress(Codec::zstd, stored, out);
  if (letters == "L4")
    return decompressLz4(stored, out, where, checksums);
  if (letters == "XZ")
    return decompressXz(stored, out);
  if (letters == "CS")
    return inflateRaw(stored, out);
  fail(ErrorKind::version, where, ": is compressed in a way that kaon does not know, or damaged");
}

} // namespace

void decompressBlocks(Bytes blocks, Room out, const std::string& where, BlockChecksums checksums) {
  while (!out.empty()) {
    if (blocks.size() < headerBytes)
      fail(ErrorKind::corrupt, where, ": ends too early; the file is damaged");
    const std::string_view letters(detail::valuesAt<char>(blocks.data()), 2);
    const std::size_t stored = load24(blocks.data() + 3);
    const std::size_t bytes = load24(blocks.data() + 6);
    blocks = blocks.subspan(headerBytes);
    if (stored > blocks.size() || bytes > out.size() || bytes == 0 ||
        !decompressBlock(letters, blocks.first(stored), out.first(bytes), where, checksums))
      fail(ErrorKind::corrupt, where, ": does not decompress; the file is damaged");
    blocks = blocks.subspan(stored);
    out = out.subspan(bytes);
  }
}

bool compressBlocks(Compression how, Bytes bytes, Buffer& out, std::size_t planeBytes) {
  if (how.codec == Codec::none)
    return false;
  const std::size_t before = out.size(), size = bytes.size();
  bool isSmaller = !bytes.empty();
  while (isSmaller && !bytes.empty()) {
    const Bytes block = bytes.first(std::min(bytes.size(), mostBytes));
    isSmaller = compressBlock(how, block, block.size() == size ? planeBytes : 0, out);
    bytes = bytes.subspan(block.size());
  }
  const std::size_t stored = out.size() - before;
  isSmaller = isSmaller && stored < size && canBecome(stored, size);
  if (!isSmaller)
    out.shrink(before);
  return isSmaller;
}

bool compressDescription(Compression how, Bytes bytes, Buffer& out) {
  const std::size_t before = out.size();
  if (!compressBlocks(how, bytes, out))
    return false;
  const bool isBelieved = canDescribe(out.size() - before, bytes.size());
  if (!isBelieved)
    out.shrink(before);
  return isBelieved;
}

std::uint32_t compressionSetting(Compression how) noexcept {
  const std::uint32_t number = algorithmOf(how.codec).number;
  const int level = how.codec == Codec::lz4 ? 1 : std::clamp(how.level, 1, 9);
  return number == 0 ? 0 : 100 * number + static_cast<std::uint32_t>(level);
}

Codec codecOf(std::uint32_t compressionSetting) noexcept {
  if (compressionSetting % 100 == 0) // the level
    return Codec::none;
  switch (compressionSetting / 100) {
  case 0: // ROOT's default
  case 1:
    return Codec::zlib;
  case 2:
    return Codec::lzma;
  case 4:
    return Codec::lz4;
  case 5:
    return Codec::zstd;
  default:
    return Codec::none;
  }
}

} // namespace kaon::root
