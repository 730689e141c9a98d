#include <kaon/codec/BlockCompression.h>
#include <kaon/codec/Codec.h>

#include "support/Errors.h"
#include "support/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::expectError;
using test::Random;

/// Returns bytes that any codec can compress: runs of equal bytes.
std::vector<std::byte> compressible(std::size_t size) {
  Random random(size);
  std::vector<std::byte> bytes;
  while (bytes.size() < size)
    bytes.insert(bytes.end(), 40 + random.below(100), static_cast<std::byte>(random.bits()));
  bytes.resize(size);
  return bytes;
}

struct Named {
  std::string name;
  Compression how;
  friend std::ostream& operator<<(std::ostream& out, const Named& named) {
    return out << named.name;
  }
};

class EachCodec : public testing::TestWithParam<Named> {};
INSTANTIATE_TEST_SUITE_P(Codec, EachCodec,
                         testing::Values(Named{"lz4", lz4()}, Named{"lz4Fast", lz4(100)},
                                         Named{"zstdFast", zstd(-5)}, Named{"zstd", zstd()},
                                         Named{"zstdStrong", zstd(19)}, Named{"zlib", zlib(6)},
                                         Named{"lzma", lzma(1)}),
                         [](const auto& test) { return test.param.name; });

TEST_P(EachCodec, restoresValues) {
  const Compression how = GetParam().how;
  for (const std::size_t size : {std::size_t{100}, std::size_t{4095}, std::size_t{65536},
                                 std::size_t{65537}, std::size_t{1000003}}) {
    const auto bytes = compressible(size);
    Buffer out;
    ASSERT_TRUE(codec::compress(how, bytes, out)) << size;
    std::vector<std::byte> decoded(size);
    EXPECT_TRUE(codec::decompress(how.codec, out.bytes(), decoded)) << size;
    EXPECT_EQ(decoded, bytes) << size;
  }
}

TEST_P(EachCodec, isOnlyUsedWhereItSavesAThirtySecond) {
  const Compression how = GetParam().how;
  for (std::size_t size = 0; size < 300; ++size) {
    for (const std::size_t zeros : {std::size_t{0}, size / 4, size / 2, size}) {
      auto bytes = Random(size).bytes(size);
      std::fill_n(bytes.begin(), zeros, std::byte{0});
      Buffer out;
      const bool compressed = codec::compress(how, bytes, out);
      EXPECT_EQ(compressed, out.size() > 0);
      EXPECT_LE(out.size() * 32, size * 31) << size << " bytes, " << zeros << " of them zero";
      std::vector<std::byte> decoded(size);
      if (compressed) {
        EXPECT_TRUE(codec::decompress(how.codec, out.bytes(), decoded));
        EXPECT_EQ(decoded, bytes);
      }
    }
  }
}

TEST_P(EachCodec, leavesIncompressibleBytesRaw) {
  for (const std::size_t size : {1, 31, 32, 1000, 100'000}) {
    Buffer out;
    EXPECT_FALSE(codec::compress(GetParam().how, Random(3).bytes(size), out));
    EXPECT_TRUE(out.empty());
  }
}

TEST_P(EachCodec, keepsEarlierBytesOfTheOutput) {
  const auto bytes = compressible(1000);
  const auto noise = Random(1).bytes(50);
  Buffer out;
  out.append(noise);
  EXPECT_FALSE(codec::compress(GetParam().how, noise, out));
  EXPECT_TRUE(std::ranges::equal(out.bytes(), noise));
  ASSERT_TRUE(codec::compress(GetParam().how, bytes, out));
  EXPECT_TRUE(std::ranges::equal(out.bytes().first(50), noise));
  std::vector<std::byte> decoded(1000);
  EXPECT_TRUE(codec::decompress(GetParam().how.codec, out.bytes().subspan(50), decoded));
  EXPECT_EQ(decoded, bytes);
}

TEST_P(EachCodec, refusesAnyOtherLength) {
  const auto bytes = compressible(1000);
  Buffer out;
  ASSERT_TRUE(codec::compress(GetParam().how, bytes, out));
  for (const std::size_t size : {0, 1, 999, 1001, 5000}) {
    std::vector<std::byte> decoded(size);
    EXPECT_FALSE(codec::decompress(GetParam().how.codec, out.bytes(), decoded)) << size;
  }
}

TEST_P(EachCodec, refusesCutBytes) {
  const auto bytes = compressible(200);
  Buffer out;
  ASSERT_TRUE(codec::compress(GetParam().how, bytes, out));
  for (std::size_t size = 0; size < out.size(); ++size) {
    const std::vector<std::byte> cut(out.data(), out.data() + size);
    std::vector<std::byte> decoded(200);
    EXPECT_FALSE(codec::decompress(GetParam().how.codec, cut, decoded)) << size;
  }
}

// Detecting changes is the task of the checksum. Here ASan checks that no access is outside
// `decoded` or the bytes.
TEST_P(EachCodec, staysWithinItsOutputForAnyBytes) {
  Random random(5);
  const auto bytes = compressible(500);
  Buffer out;
  ASSERT_TRUE(codec::compress(GetParam().how, bytes, out));
  for (int i = 0; i < 5000; ++i) {
    auto damaged = i % 4 == 0 ? random.bytes(random.below(200))
                              : std::vector<std::byte>(out.data(), out.data() + out.size());
    if (i % 4 != 0)
      for (std::size_t k = 0; k < 1 + random.below(5); ++k)
        damaged[random.below(damaged.size())] = static_cast<std::byte>(random.bits());
    std::vector<std::byte> decoded(i % 2 == 0 ? 500 : random.below(1000));
    (void)codec::decompress(GetParam().how.codec, damaged, decoded);
  }
}

TEST(Codec, noneLeavesBytesAsTheyAre) {
  const auto bytes = compressible(100);
  Buffer out;
  EXPECT_FALSE(codec::compress(uncompressed(), bytes, out));
  std::vector<std::byte> decoded(100);
  EXPECT_TRUE(codec::decompress(Codec::none, bytes, decoded));
  EXPECT_EQ(decoded, bytes);
  std::vector<std::byte> shorter(99);
  EXPECT_FALSE(codec::decompress(Codec::none, bytes, shorter));
}

TEST(Codec, refusesUnknownCodecs) {
  const auto bytes = compressible(100);
  std::vector<std::byte> decoded(100);
  for (const int number : {5, 77})
    EXPECT_FALSE(codec::decompress(static_cast<Codec>(number), bytes, decoded)) << number;
  Buffer out;
  expectError(ErrorKind::usage, "codec number 77 does not exist", [&] {
    (void)codec::compress({static_cast<Codec>(77), 0}, bytes, out);
  });
}

TEST(Codec, hasNames) {
  for (const Codec codec : {Codec::none, Codec::lz4, Codec::zstd, Codec::zlib, Codec::lzma})
    EXPECT_EQ(codecNamed(codecName(codec)), codec);
  EXPECT_EQ(codecName(static_cast<Codec>(77)), "?");
}

TEST(Codec, suggestsAName) {
  expectError(ErrorKind::name,
              "'zstdd' is not a value of 'codec' (did you mean 'zstd'?); its values are none, lz4, "
              "zstd, zlib, lzma",
              [] { (void)codecNamed("zstdd"); });
}

} // namespace
} // namespace kaon
