#include <kaon/formats/root/container/Blocks.h>

#include <kaon/base/Error.h>
#include <kaon/codec/Codec.h>
#include <kaon/formats/root/container/BigEndian.h>

#include <libdeflate.h>
#include <lzma.h>
#include <memory>
#include <string_view>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kaon::root {
namespace {

using Bytes = std::span<const std::byte>;
using Room = std::span<std::byte>;

constexpr std::size_t headerBytes = 9;

std::size_t load24(const std::byte* bytes) noexcept {
  return std::to_integer<std::size_t>(bytes[0]) | std::to_integer<std::size_t>(bytes[1]) << 8 |
         std::to_integer<std::size_t>(bytes[2]) << 16;
}

bool inflateRaw(Bytes stored, Room out) {
  struct Release {
    void operator()(libdeflate_decompressor* context) const noexcept {
      libdeflate_free_decompressor(context);
    }
  };
  thread_local const std::unique_ptr<libdeflate_decompressor, Release> context{
      libdeflate_alloc_decompressor()};
  return context &&
         libdeflate_deflate_decompress(context.get(), stored.data(), stored.size(), out.data(),
                                       out.size(), nullptr) == LIBDEFLATE_SUCCESS;
}

/// A stream with the header and checksums of an .xz file.
bool decompressXz(Bytes stored, Room out) {
  constexpr std::uint64_t mostMemory = std::uint64_t{128} << 20; // level 9 takes half of it
  struct Stream : lzma_stream {
    Stream() : lzma_stream(LZMA_STREAM_INIT) {}
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() { lzma_end(this); }
  };
  thread_local Stream stream; // keeps its memory for the next block
  if (lzma_stream_decoder(&stream, mostMemory, 0) != LZMA_OK)
    return false;
  stream.next_in = reinterpret_cast<const std::uint8_t*>(stored.data());
  stream.avail_in = stored.size();
  stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
  stream.avail_out = out.size();
  lzma_ret result = LZMA_OK;
  while (result == LZMA_OK) // what fills the output may need a further call to see the end
    result = lzma_code(&stream, LZMA_FINISH);
  return result == LZMA_STREAM_END && stream.avail_out == 0;
}

bool decompressLz4(Bytes stored, Room out, const std::string& where) {
  constexpr std::size_t checksumBytes = 8; // big-endian, before the block
  if (stored.size() < checksumBytes)
    return false;
  const Bytes block = stored.subspan(checksumBytes);
  if (loadBigEndian<std::uint64_t>(stored.data()) != XXH64(block.data(), block.size(), 0))
    fail(ErrorKind::corrupt, where, ": an LZ4 block does not match its checksum; the file is ",
         "damaged");
  return codec::decompress(Codec::lz4, block, out);
}

bool decompressBlock(std::string_view letters, Bytes stored, Room out, const std::string& where) {
  if (letters == "ZL")
    return codec::decompress(Codec::zlib, stored, out);
  if (letters == "ZS")
    return codec::decompress(Codec::zstd, stored, out);
  if (letters == "L4")
    return decompressLz4(stored, out, where);
  if (letters == "XZ")
    return decompressXz(stored, out);
  if (letters == "CS")
    return inflateRaw(stored, out);
  fail(ErrorKind::version, where, ": is compressed in a way that kaon does not know, or damaged");
}

} // namespace

void decompressBlocks(Bytes blocks, Room out, const std::string& where) {
  while (!out.empty()) {
    if (blocks.size() < headerBytes)
      fail(ErrorKind::corrupt, where, ": ends too early; the file is damaged");
    const std::string_view letters(reinterpret_cast<const char*>(blocks.data()), 2);
    const std::size_t stored = load24(blocks.data() + 3);
    const std::size_t bytes = load24(blocks.data() + 6);
    blocks = blocks.subspan(headerBytes);
    if (stored > blocks.size() || bytes > out.size() || bytes == 0 ||
        !decompressBlock(letters, blocks.first(stored), out.first(bytes), where))
      fail(ErrorKind::corrupt, where, ": does not decompress; the file is damaged");
    blocks = blocks.subspan(stored);
    out = out.subspan(bytes);
  }
}

} // namespace kaon::root
