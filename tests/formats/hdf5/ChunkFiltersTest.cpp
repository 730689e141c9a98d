#include <kaon/formats/hdf5/ChunkFilters.h>

#include <kaon/codec/BlockCompression.h>
#include <kaon/formats/hdf5/ForeignFilters.h>

#include "support/DamagedFiles.h"
#include "support/Random.h"
#include "support/Sanitizers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::hdf5 {
namespace {

TEST(ChunkFilters, giveBackValuesOfAnySize) {
  test::Random random(1);
  ChunkDecoder decoder;
  for (const std::size_t size : {1, 2, 3, 4, 8, 12, 100, 4096, 4097, 70'000})
    for (const std::size_t count : {1, 2, 17}) {
      std::vector<std::byte> values(size * count), decoded(values.size());
      for (std::byte& value : values)
        value = static_cast<std::byte>(random.below(3)); // compressible
      const EncodedChunk chunk = encodeChunk(values, size, 1);
      ASSERT_TRUE(decoder.decode({{ChunkFilter::Kind::shuffle, static_cast<std::uint32_t>(size)},
                                  {ChunkFilter::Kind::deflate}},
                                 chunk.skipped, chunk.bytes.bytes(), decoded));
      EXPECT_EQ(decoded, values) << count << " of " << size << " bytes";
    }
}

constexpr std::size_t chunkBytes = 512, blockBytes = 256;
constexpr std::uint32_t elementSize = 4;

/// Returns the bytes of a number, the highest first.
std::string bigEndian(std::uint64_t number, std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i)
    bytes[size - 1 - i] = static_cast<char>(number >> (8 * i));
  return bytes;
}

std::string littleEndian(std::uint64_t number) {
  std::string bytes = bigEndian(number, 4);
  std::ranges::reverse(bytes);
  return bytes;
}

std::string compressed(Compression how, std::string_view bytes) {
  Buffer out;
  EXPECT_TRUE(codec::compress(how, std::as_bytes(std::span(bytes)), out));
  return {reinterpret_cast<const char*>(out.data()), out.size()};
}

/// Returns blocks as lz4 and bitshuffle store them, of bytes that are the same in each block.
std::string blocks(Compression how, std::string_view block) {
  const std::string encoded = compressed(how, block);
  std::string bytes = bigEndian(chunkBytes, 8) + bigEndian(blockBytes, 4);
  for (std::size_t i = 0; i < chunkBytes / blockBytes; ++i)
    bytes += bigEndian(encoded.size(), 4) + encoded;
  return bytes;
}

/// Returns a buffer of c-blosc with one block of LZ4, which is not split.
std::string bloscBuffer(std::string_view values) {
  constexpr char version = 2, lz4Version = 1, flags = 1 << 5 | 1 << 4;
  const std::string block = compressed(lz4(), values);
  constexpr std::size_t before = 20; // the header and the position of the block
  return std::string{version, lz4Version, flags, static_cast<char>(elementSize)} +
         littleEndian(values.size()) + littleEndian(values.size()) +
         littleEndian(before + 4 + block.size()) + littleEndian(before) +
         littleEndian(block.size()) + block;
}

/// Returns a chunk of zeros as each filter of other programs stores it, and a raw one.
std::vector<std::pair<ChunkFilters, std::string>> foreignChunks() {
  using enum ChunkFilter::Kind;
  const std::string zeros(chunkBytes, '\0'), block(blockBytes, '\0');
  const auto bits = [](Codec codec) { return ChunkFilter{bitshuffle, elementSize, 0, codec}; };
  std::string lzfStream(2, '\0'); // a zero, then copies of it
  for (int i = 0; i < 2; ++i)
    lzfStream += std::string{'\xe0', '\xf6', '\0'}; // 255 bytes
  lzfStream += std::string{'\0', '\0'};
  std::vector<std::pair<ChunkFilters, std::string>> chunks{
      {{{zstd}}, compressed(kaon::zstd(), zeros)},
      {{{lz4}}, blocks(kaon::lz4(), block)},
      {{{lzf}}, lzfStream},
      {{bits(Codec::none)}, zeros},
      {{bits(Codec::lz4)}, blocks(kaon::lz4(), block)},
      {{bits(Codec::zstd)}, blocks(kaon::zstd(), block)},
      {{{shuffle, elementSize}, {deflate}}, compressed(zlib(), zeros)},
      {{{fletcher32}}, zeros + std::string(4, '\0')}};
  if (hasBlosc())
    chunks.push_back({{{blosc}}, bloscBuffer(zeros)});
  return chunks;
}

/// The sanitizers check that no decoder reads or writes beyond its bytes.
TEST(ChunkFilters, undoOrRefuseAnyBytes) {
  constexpr std::size_t trials = test::isSanitized ? 2'000 : 20'000;
  test::Random random(2);
  ChunkDecoder decoder;
  std::vector<std::byte> decoded(chunkBytes);
  for (const auto& [filters, whole] : foreignChunks()) {
    SCOPED_TRACE(static_cast<int>(filters.back().kind));
    const auto decodes = [&, &filters = filters](std::string_view bytes) {
      const std::vector<char> exact(bytes.begin(), bytes.end()); // without a zero behind them
      return decoder.decode(filters, 0, std::as_bytes(std::span(exact)), decoded);
    };
    std::ranges::fill(decoded, std::byte{1});
    ASSERT_TRUE(decodes(whole));
    EXPECT_EQ(decoded, std::vector<std::byte>(chunkBytes));
    std::size_t refused = 0;
    for (std::size_t i = 0; i < trials; ++i) {
      std::string bytes = test::withOtherBytes(whole, random);
      if (random.chance(0.3))
        bytes.resize(random.below(bytes.size() + 8));
      refused += decodes(bytes) ? 0 : 1;
    }
    EXPECT_GT(refused, trials / 20);
  }
}

} // namespace
} // namespace kaon::hdf5
