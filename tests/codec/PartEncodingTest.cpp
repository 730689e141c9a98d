#include <kaon/codec/PageEncoding.h>
#include <kaon/codec/PartEncoding.h>

#include <kaon/base/Buffer.h>
#include <kaon/codec/Encoding.h>
#include <kaon/detail/base/Memory.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace kaon::codec {
namespace {

class MemoryOutput final : public PartOutput {
public:
  [[nodiscard]] std::uint64_t size() const noexcept override { return m_bytes.size(); }
  void append(Bytes bytes) override { m_bytes.append(bytes); }
  void rewrite(std::uint64_t position, Bytes bytes) override {
    std::memcpy(m_bytes.data() + position, bytes.data(), bytes.size());
  }
  void shrink(std::uint64_t size) override { m_bytes.shrink(static_cast<std::size_t>(size)); }
  [[nodiscard]] Bytes bytes() const { return m_bytes.bytes(); }

private:
  Buffer m_bytes;
};

constexpr std::size_t values = (std::size_t{5} << 18) + 1000; // 5 MiB and a part of a block

/// Numbers of several kinds: noise below 2^`bits`, among equal ones, sums, and words that repeat.
std::vector<std::uint32_t> numbers(const std::string& kind) {
  std::mt19937 random(5);
  std::vector<std::uint32_t> all(values);
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto number = static_cast<std::uint32_t>(random());
    sum += number % 8;
    if (kind == "noise")
      all[i] = number;
    else if (kind == "small")
      all[i] = 7 + number % 4096;
    else if (kind == "ascending")
      all[i] = sum;
    else if (kind == "rare")
      all[i] = number % 1000 == 0 ? number : 5;
    else if (kind == "noisy parts")
      all[i] = i / 100'000 % 2 == 0 ? number : static_cast<std::uint32_t>(i % 50);
    else
      all[i] = 3;
  }
  return all;
}

struct Case {
  Scheme scheme;
  Compression how;
};

class PartEncodingTest : public testing::TestWithParam<std::string> {};

TEST_P(PartEncodingTest, storesPagesThatOtherReadersDecode) {
  const std::vector<std::uint32_t> all = numbers(GetParam());
  const Bytes bytes = std::as_bytes(std::span(all));
  const Element element{4, false, false};
  const BytesAt bytesAt = [&](std::size_t first, std::size_t count) {
    EXPECT_LE(count, partBytes);
    return bytes.subspan(first, count);
  };
  std::size_t encoded = 0;
  for (const Case& each :
       {Case{Encoding::packed, lz4()}, Case{{Encoding::packed, Transform::delta}, lz4()},
        Case{Encoding::compressed, lz4()}, Case{Encoding::compressed, zstd(1)},
        Case{Encoding::bytePlanes, lz4()}, Case{Encoding::bytePlanes, zstd(3)},
        Case{Encoding::constant, lz4()}}) {
    MemoryOutput out;
    out.append(bytes.first(3));
    if (!encodeInParts(each.scheme, element, bytes.size(), bytesAt, each.how, out)) {
      EXPECT_EQ(out.size(), 3U);
      continue;
    }
    ++encoded;
    const Bytes stored = out.bytes().subspan(3);
    EXPECT_LT(stored.size(), bytes.size());
    std::vector<std::uint32_t> decoded(values);
    const auto room = std::as_writable_bytes(std::span(decoded));
    ASSERT_TRUE(decode(each.scheme.encoding, element, stored, room));
    EXPECT_TRUE(decoded == all);
    std::ranges::fill(decoded, 1U);
    std::size_t used = 0;
    ASSERT_TRUE(decodeInParts(each.scheme.encoding, element, stored, room, [&](Bytes part) {
      EXPECT_GE(part.data(), stored.data());
      EXPECT_LE(part.data() + part.size(), stored.data() + stored.size());
      used += part.size();
    }));
    EXPECT_TRUE(decoded == all);
    EXPECT_LE(used, stored.size());
    EXPECT_GE(used + 100, stored.size());
  }
  EXPECT_EQ(encoded > 0, GetParam() != "noise");
}
INSTANTIATE_TEST_SUITE_P(Numbers, PartEncodingTest,
                         testing::Values("noise", "small", "ascending", "rare", "noisy parts",
                                         "equal"));

TEST(PartEncoding, decodesPagesThatWereEncodedAtOnce) {
  for (const std::string kind : {"small", "ascending", "rare", "noisy parts"}) {
    const std::vector<std::uint32_t> all = numbers(kind);
    const Element element{4, false, false};
    for (const Encoding encoding : {Encoding::packed, Encoding::compressed, Encoding::bytePlanes,
                                    Encoding::parts, Encoding::raw})
      for (const Compression how : {lz4(), zstd(1), zstd(19), zlib(1)}) {
        Buffer stored;
        if (!encode(encoding, element, std::as_bytes(std::span(all)), how, stored))
          continue;
        std::vector<std::uint32_t> decoded(values);
        EXPECT_TRUE(decodeInParts(encoding, element, stored.bytes(),
                                  std::as_writable_bytes(std::span(decoded)), [](Bytes) {}))
            << kind << ' ' << encodingName(encoding) << ' ' << codecName(how.codec);
        EXPECT_TRUE(decoded == all);
      }
  }
}

TEST(PartEncoding, refusesDamagedBytes) {
  const std::vector<std::uint32_t> all = numbers("noisy parts");
  const Element element{4, false, false};
  std::mt19937 random(7);
  for (const Encoding encoding : {Encoding::packed, Encoding::compressed, Encoding::bytePlanes})
    for (const Compression how : {lz4(), zstd(1)}) {
      Buffer stored;
      if (!encode(encoding, element, std::as_bytes(std::span(all)), how, stored))
        continue;
      std::vector<std::uint32_t> decoded(values);
      const auto decodeSome = [&](Bytes some) {
        return decodeInParts(encoding, element, some, std::as_writable_bytes(std::span(decoded)),
                             [](Bytes) {});
      };
      EXPECT_FALSE(decodeSome(stored.bytes().first(stored.size() - 1)));
      EXPECT_FALSE(decodeSome(stored.bytes().first(stored.size() / 2)));
      for (int i = 0; i < 20; ++i) { // most damage is only found by the checksum; none may crash
        std::byte& damaged = stored.data()[random() % stored.size()];
        const std::byte before = damaged;
        damaged ^= static_cast<std::byte>(1 + random() % 255);
        (void)decodeSome(stored.bytes());
        damaged = before;
      }
    }
}

} // namespace
} // namespace kaon::codec
