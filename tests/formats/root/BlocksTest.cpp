#include <kaon/formats/root/container/Blocks.h>

#include <kaon/codec/BlockCompression.h>

#include "support/Errors.h"
#include "support/RootBytes.h"

#include <gtest/gtest.h>

#include <bit>
#include <libdeflate.h>
#include <lzma.h>
#include <random>
#include <string>
#include <string_view>
#include <vector>
#include <zstd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kaon::root {
namespace {

using test::expectError;

std::string asText(const Buffer& buffer) {
  return {reinterpret_cast<const char*>(buffer.data()), buffer.size()};
}

std::string shrunk(Compression how, std::string_view text) {
  Buffer out;
  EXPECT_TRUE(codec::compress(how, std::as_bytes(std::span(text)), out));
  return asText(out);
}

std::string asXz(std::string_view text) {
  std::string out(text.size() + 1'000, '\0');
  std::size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, nullptr,
                                    reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                    reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()),
            LZMA_OK);
  return out.substr(0, size);
}

std::string deflated(std::string_view text) {
  std::string out(text.size(), '\0');
  libdeflate_compressor* const context = libdeflate_alloc_compressor(1);
  out.resize(
      libdeflate_deflate_compress(context, text.data(), text.size(), out.data(), out.size()));
  libdeflate_free_compressor(context);
  return out;
}

std::string withChecksum(const std::string& block) {
  return test::bigEndian<std::uint64_t>(XXH64(block.data(), block.size(), 0)) + block;
}

std::string little24(std::size_t value) {
  return {static_cast<char>(value), static_cast<char>(value >> 8), static_cast<char>(value >> 16)};
}

std::string block(std::string_view letters, const std::string& stored, std::size_t bytes) {
  return std::string(letters) + '\1' + little24(stored.size()) + little24(bytes) + stored;
}

std::string decompressed(std::string_view blocks, std::size_t size,
                         BlockChecksums checksums = BlockChecksums::verify) {
  std::string out(size, '\0');
  decompressBlocks(std::as_bytes(std::span(blocks)), std::as_writable_bytes(std::span(out)),
                   "f.root: 't'", checksums);
  return out;
}

/// Returns the text as a block of each kind.
std::vector<std::string> blocksOf(const std::string& text) {
  return {block("ZL", shrunk(zlib(), text), text.size()), block("XZ", asXz(text), text.size()),
          block("L4", withChecksum(shrunk(lz4(), text)), text.size()),
          block("ZS", shrunk(zstd(), text), text.size()), block("CS", deflated(text), text.size())};
}

const std::string text = [] {
  std::string made;
  for (int i = 0; i < 1'000; ++i)
    made += std::to_string(i * i) + ' ';
  return made;
}();

TEST(RootBlocks, areDecompressed) {
  for (const std::string& each : blocksOf(text))
    EXPECT_EQ(decompressed(each, text.size()), text) << each.substr(0, 2);
}

TEST(RootBlocks, followOneAnother) {
  std::string chain, expected;
  for (const std::string& each : blocksOf(text)) {
    chain += each;
    expected += text;
  }
  EXPECT_EQ(decompressed(chain, expected.size()), expected);
}

TEST(RootBlocks, thatAreDamagedAreRefused) {
  for (const std::string& each : blocksOf(text)) {
    for (const std::size_t size : {each.size() - 1, std::size_t{9}, std::size_t{5}})
      expectError(ErrorKind::corrupt, "f.root: 't'",
                  [&] { (void)decompressed(each.substr(0, size), text.size()); });
    for (const int off : {-1, 1})
      expectError(ErrorKind::corrupt, "f.root: 't'",
                  [&] { (void)decompressed(each, text.size() + off); });
  }
}

TEST(RootBlocks, ofLz4HaveAChecksum) {
  std::string bytes = block("L4", withChecksum(shrunk(lz4(), text)), text.size());
  bytes[bytes.size() - 3] ^= 1; // a literal: decoding still succeeds
  expectError(ErrorKind::corrupt, "checksum", [&] { (void)decompressed(bytes, text.size()); });
  EXPECT_EQ(decompressed(bytes, text.size(), BlockChecksums::skip).size(), text.size());
}

TEST(RootBlocks, ofAnUnknownAlgorithmAreNamedSo) {
  expectError(ErrorKind::version, "does not know",
              [] { (void)decompressed(block("QQ", "abc", 3), 3); });
}

/// The window of level 9 alone would need 64 MiB.
TEST(RootBlocks, ofLzmaTakeLittleMemory) {
  Buffer blocks;
  ASSERT_TRUE(compressBlocks(lzma(9), std::as_bytes(std::span(text)), blocks));
  EXPECT_EQ(decompressed(asText(blocks), text.size()), text);
  const std::string stream = asText(blocks).substr(9);
  std::string back(text.size(), '\0');
  std::uint64_t memory = 1 << 20;
  std::size_t taken = 0, made = 0;
  EXPECT_EQ(lzma_stream_buffer_decode(
                &memory, 0, nullptr, reinterpret_cast<const std::uint8_t*>(stream.data()), &taken,
                stream.size(), reinterpret_cast<std::uint8_t*>(back.data()), &made, back.size()),
            LZMA_OK);
  EXPECT_TRUE(back == text);
}

/// Returns planes of 64 KiB each: random bytes, few values, a constant, or a repeated sequence.
std::string planes(const std::string& kinds, unsigned seed) {
  constexpr std::size_t planeBytes = 64 * 1024;
  std::mt19937 random(seed);
  std::string bytes;
  for (const char kind : kinds)
    for (std::size_t i = 0; i < planeBytes; ++i) {
      char byte = static_cast<char>(random());             // r: random
      if (kind == 'f')                                     // f: few values
        byte = static_cast<char>(std::popcount(random())); // some are frequent
      if (kind == 'c')                                     // c: constant
        byte = 7;
      if (kind == 'p' && i >= 1'000) // p: periodic
        byte = bytes[bytes.size() - 1'000];
      bytes += byte;
    }
  return bytes;
}

TEST(RootBlocks, ofPlanesAreThoseOfZstd) {
  for (const std::string kinds :
       {"f", "rrrf", "ffff", "rprpf", "pffp", "cfrc", "rp", "fr", "cccc", "rrrp", "pppp", "frfrfr"})
    for (const int level : {1, 3, 5, 9}) {
      const std::string bytes = planes(kinds, 3);
      Buffer blocks;
      ASSERT_TRUE(compressBlocks(zstd(level), std::as_bytes(std::span(bytes)), blocks, 64 * 1024));
      EXPECT_EQ(decompressed(asText(blocks), bytes.size()), bytes) << kinds;
      std::string back(bytes.size(), '\0');
      const std::string frame = asText(blocks).substr(9);
      EXPECT_EQ(ZSTD_decompress(back.data(), back.size(), frame.data(), frame.size()), back.size());
      EXPECT_TRUE(back == bytes) << kinds;
      Buffer usual;
      ASSERT_TRUE(compressBlocks(zstd(level), std::as_bytes(std::span(bytes)), usual));
      EXPECT_LE(blocks.size(), usual.size() + usual.size() / 50 + 30)
          << kinds << ", level " << level;
    }
  const std::string few = planes("rrff", 4);
  Buffer blocks, usual;
  ASSERT_TRUE(compressBlocks(zstd(1), std::as_bytes(std::span(few)), blocks, 64 * 1024));
  ASSERT_TRUE(compressBlocks(zstd(1), std::as_bytes(std::span(few)), usual));
  EXPECT_LT(blocks.size(), usual.size()) << "codes of few bits take less room";
}

/// Planes made of pieces of all kinds with random lengths.
TEST(RootBlocks, ofAnyPlanesAreThoseOfZstd) {
  std::mt19937 random(11);
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random()) % end; };
  for (int round = 0; round < 150; ++round) {
    const std::size_t planeBytes = 64 * 1024 + below(260 * 1024);
    std::string bytes;
    while (bytes.size() < (1 + below(5)) * planeBytes) {
      const std::size_t length = std::size_t{1} << (4 + below(15)), back = 1 + below(40'000);
      const std::size_t kind = below(4), few = 1 + below(60);
      for (std::size_t i = 0; i < length; ++i) {
        char byte = static_cast<char>(random());
        if (kind == 1)
          byte = static_cast<char>(below(few) * below(few));
        if (kind == 2)
          byte = static_cast<char>(few);
        if (kind == 3 && bytes.size() >= back)
          byte = bytes[bytes.size() - back];
        bytes += byte;
      }
    }
    bytes.resize(bytes.size() / planeBytes * planeBytes);
    Buffer blocks;
    if (compressBlocks(zstd(1 + static_cast<int>(below(5))), std::as_bytes(std::span(bytes)),
                       blocks, planeBytes)) {
      ASSERT_TRUE(decompressed(asText(blocks), bytes.size()) == bytes) << "round " << round;
    }
  }
}

TEST(RootBlocks, ofPlanesThatAreRandomAreNotMade) {
  const std::string bytes = planes("rrr", 5);
  Buffer blocks;
  blocks.append(std::as_bytes(std::span(std::string_view("before"))));
  EXPECT_FALSE(compressBlocks(zstd(1), std::as_bytes(std::span(bytes)), blocks, 64 * 1024));
  EXPECT_EQ(asText(blocks), "before");
}

} // namespace
} // namespace kaon::root
