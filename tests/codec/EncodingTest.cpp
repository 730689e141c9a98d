#include <kaon/codec/BlockCompression.h>
#include <kaon/codec/Encoding.h>
#include <kaon/codec/EncodingTable.h>
#include <kaon/codec/InstructionSets.h>
#include <kaon/codec/PageEncoding.h>

#include "codec/Columns.h"
#include "support/Errors.h"
#include "support/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

namespace kaon::codec {
namespace {

using test::Column;
using test::Random;
using Memory = std::vector<std::byte>;

constexpr std::array codecsToTry{uncompressed(), lz4(), zstd(), zlib(), lzma(0)};

Memory copyOf(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

class EachEncoding : public testing::TestWithParam<Scheme> {};
std::vector<Scheme> allSchemes() {
  std::vector<Scheme> all;
  for (const EncodingRow& row : encodingTable()) {
    all.emplace_back(row.encoding);
    for (const Transform transform : row.transforms)
      all.emplace_back(row.encoding, transform);
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Encoding, EachEncoding, testing::ValuesIn(allSchemes()),
                         [](const auto& test) {
                           std::string name = schemeName(test.param);
                           std::ranges::replace(name, ':', '_');
                           return name;
                         });

/// Expects that the stored bytes decode to the values, into memory of exactly their size.
void checkRoundTrip(const Scheme& scheme, const Column& column, std::size_t count,
                    Compression how) {
  SCOPED_TRACE(column.name + ", " + std::to_string(count) + " values, " +
               std::string(codecName(how.codec)));
  const auto values = column.first(count);
  Buffer out;
  if (!encode(scheme, column.element, values, how, out)) {
    EXPECT_TRUE(out.empty());
    return;
  }
  const Memory stored = copyOf(out.bytes());
  Memory decoded(values.size());
  ASSERT_TRUE(decode(scheme.encoding, column.element, stored, decoded));
  ASSERT_TRUE(std::ranges::equal(decoded, values));
}

TEST_P(EachEncoding, restoresValues) {
  for (const Column& column : test::columns(5000))
    for (const Compression how : codecsToTry)
      for (const std::size_t count : {0, 1, 2, 255, 256, 1000, 1024, 1025, 2047, 5000})
        checkRoundTrip(GetParam(), column, count, how);
}

TEST_P(EachEncoding, restoresValuesOfEveryLength) {
  const auto columns = test::columns(2100);
  for (std::size_t count = 0; count <= 2100; ++count)
    for (std::size_t i = count % 3; i < columns.size(); i += 3)
      checkRoundTrip(GetParam(), columns[i], count, count % 2 == 0 ? lz4() : zstd());
}

TEST_P(EachEncoding, storesTheSameWithEveryInstructionSet) {
  for (const Column& column : test::columns(3000)) {
    Memory expected;
    for (const std::string& name : instructionSets()) {
      useInstructionSet(name);
      Buffer out;
      if (encode(GetParam(), column.element, column.bytes, zstd(), out)) {
        Memory decoded(column.bytes.size());
        EXPECT_TRUE(decode(GetParam().encoding, column.element, out.bytes(), decoded));
        EXPECT_EQ(decoded, column.bytes);
      }
      EXPECT_TRUE(expected.empty() || std::ranges::equal(out.bytes(), expected))
          << column.name << " " << name;
      expected = copyOf(out.bytes());
      useInstructionSet("");
    }
  }
}

TEST_P(EachEncoding, keepsEarlierBytesOfTheOutput) {
  const Memory before = Random(1).bytes(77);
  for (const Column& column : test::columns(1500)) {
    Buffer alone;
    Buffer out;
    out.append(before);
    const bool applies = encode(GetParam(), column.element, column.bytes, zstd(), alone);
    EXPECT_EQ(encode(GetParam(), column.element, column.bytes, zstd(), out), applies);
    EXPECT_TRUE(std::ranges::equal(out.bytes().first(77), before));
    EXPECT_TRUE(std::ranges::equal(out.bytes().subspan(77), alone.bytes()));
  }
}

TEST_P(EachEncoding, refusesAnotherNumberOfValues) {
  if (GetParam() == Encoding::constant)
    return; // fits any number of values
  for (const Column& column : test::columns(1500)) {
    Buffer out;
    if (!encode(GetParam(), column.element, column.bytes, zstd(), out))
      continue;
    for (const std::size_t count : {0, 1, 1000, 3000}) {
      if (column.name == "constant")
        continue; // zero bits also fit
      Memory decoded(count * column.element.size);
      EXPECT_FALSE(decode(GetParam().encoding, column.element, out.bytes(), decoded))
          << column.name << " as " << count;
    }
  }
}

TEST_P(EachEncoding, refusesCutBytes) {
  for (const Column& column : test::columns(600)) {
    Buffer out;
    if (!encode(GetParam(), column.element, column.bytes, zstd(), out))
      continue;
    for (std::size_t size = 0; size < out.size(); ++size) {
      const Memory cut = copyOf(out.bytes().first(size));
      Memory decoded(column.bytes.size());
      EXPECT_FALSE(decode(GetParam().encoding, column.element, cut, decoded))
          << column.name << " " << size;
    }
  }
}

TEST_P(EachEncoding, refusesBytesTooMany) {
  for (const Column& column : test::columns(600)) {
    Buffer out;
    if (!encode(GetParam(), column.element, column.bytes, zstd(), out))
      continue;
    out.append(Random(1).bytes(1));
    Memory decoded(column.bytes.size());
    EXPECT_FALSE(decode(GetParam().encoding, column.element, out.bytes(), decoded)) << column.name;
  }
}

// Detecting changes is the task of the checksum. Here sanitizers check that no access is outside
// the bytes, and that damaged pages decode in finite time.
TEST_P(EachEncoding, staysWithinItsMemoryForAnyBytes) {
  Random random(2);
  for (const std::size_t count : {std::size_t{1}, std::size_t{300}, std::size_t{1300}})
    for (const Column& column : test::columns(count))
      for (const Compression how : {lz4(), zstd()}) {
        Buffer out;
        if (!encode(GetParam(), column.element, column.bytes, how, out))
          continue;
        for (int round = 0; round < 150; ++round) {
          Memory damaged = copyOf(out.bytes());
          const std::size_t changes = 1 + random.below(3);
          for (std::size_t i = 0; i < changes; ++i) {
            // Mostly in the head, which has lengths and widths.
            const std::size_t at = random.below(
                random.chance(0.7) ? std::min<std::size_t>(damaged.size(), 40) : damaged.size());
            damaged[at] ^= static_cast<std::byte>(1 << random.below(8));
          }
          Memory decoded(round % 5 == 0 ? random.below(2 * count) * column.element.size
                                        : column.bytes.size());
          (void)decode(GetParam().encoding, column.element, damaged, decoded);
        }
      }
}

TEST_P(EachEncoding, staysWithinItsMemoryWithGarbage) {
  Random random(3);
  constexpr std::array<std::uint32_t, 8> sizes{1, 2, 4, 8, 3, 12, 44, 1000};
  for (int round = 0; round < 6000; ++round) {
    const Element element{sizes[random.below(sizes.size())], random.chance(0.5),
                          random.chance(0.5)};
    Memory garbage = random.bytes(random.below(400));
    // Small numbers are more often valid.
    for (std::size_t i = 0; i < std::min<std::size_t>(garbage.size(), 20); ++i)
      if (random.chance(0.6))
        garbage[i] = static_cast<std::byte>(random.below(12));
    Memory decoded(random.below(1500) * element.size);
    (void)decode(GetParam().encoding, element, garbage, decoded);
    std::vector<std::uint32_t> offsets(random.below(3000));
    std::uint64_t total = 0;
    (void)decodeCounts(GetParam().encoding, garbage, offsets, total);
  }
}

TEST_P(EachEncoding, addsCountsUp) {
  for (const std::size_t count : {0, 1, 100, 1024, 3000})
    for (const Compression how : {lz4(), zstd()}) {
      const Column counts = test::column<std::uint32_t>("counts", count, [](std::size_t i) {
        return static_cast<std::uint32_t>(i % 7 < 4 ? i % 5 : 2);
      });
      Buffer out;
      if (!encode(GetParam(), counts.element, counts.bytes, how, out))
        continue;
      std::vector<std::uint32_t> offsets(count + 1, 77);
      std::uint64_t total = 77;
      ASSERT_TRUE(decodeCounts(GetParam().encoding, out.bytes(), offsets, total));
      std::uint32_t sum = 0;
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(offsets[i], sum);
        sum += static_cast<std::uint32_t>(i % 7 < 4 ? i % 5 : 2);
      }
      EXPECT_EQ(offsets[count], sum);
      EXPECT_EQ(total, sum);
    }
}

TEST_P(EachEncoding, noticesThatCountsAreTooManyForTheirSum) {
  for (const std::uint32_t large : {0x10000000u, 0x80000000u, 0xFFFFFFFFu}) {
    const Column counts = test::column<std::uint32_t>("counts", 1200, [large](std::size_t i) {
      return i % 300 < 2 ? large : static_cast<std::uint32_t>(i % 3);
    });
    Buffer out;
    if (!encode(GetParam(), counts.element, counts.bytes, zstd(), out))
      continue;
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < 1200; ++i)
      expected += i % 300 < 2 ? large : i % 3;
    std::vector<std::uint32_t> offsets(1201);
    std::uint64_t total = 0;
    EXPECT_EQ(decodeCounts(GetParam().encoding, out.bytes(), offsets, total),
              expected <= std::numeric_limits<std::uint32_t>::max());
    EXPECT_EQ(total, expected);
  }
}

/// Returns steps of 1/4096 in a wide range.
Column steps(std::size_t count) {
  Random random(1);
  return test::rounded(
      test::column<float>("x", count,
                          [&](auto) { return static_cast<float>(random.below(1 << 16)) / 4096; }),
      stepsOf(0, 16, 1. / 4096));
}

Memory quantised(const Column& column, Compression how) {
  Buffer out;
  EXPECT_TRUE(encode(Encoding::quantised, column.element, column.bytes, how, out));
  return copyOf(out.bytes());
}

TEST(Quantised, keepsValuesBetweenSteps) {
  Column column = steps(1500);
  using Limits = std::numeric_limits<float>;
  std::size_t place = 3;
  for (const float other : {0.12345f, 16.1f, -0.f, Limits::quiet_NaN(), Limits::signaling_NaN(),
                            Limits::infinity(), -1.f / 4096, 1e30f, Limits::denorm_min()})
    std::memcpy(column.bytes.data() + 4 * (place += 17), &other, 4);
  const Memory stored = quantised(column, zstd());
  Memory decoded(column.bytes.size());
  ASSERT_TRUE(decode(Encoding::quantised, column.element, stored, decoded));
  EXPECT_EQ(decoded, column.bytes);
}

TEST(Quantised, costsLittleMoreForAnOutlierInTenThousand) {
  for (const Compression how : {lz4(), zstd()}) {
    Column column = steps(16384);
    const std::size_t without = quantised(column, how).size();
    for (const std::size_t place : {4321, 14321}) {
      const float outlier = 1e4f + static_cast<float>(place) / 7;
      std::memcpy(column.bytes.data() + 4 * place, &outlier, 4);
    }
    EXPECT_LT(quantised(column, how).size(), without + without / 100) << codecName(how.codec);
  }
}

TEST(Quantised, isForValuesOfWhichMostAreSteps) {
  Column column = steps(1000);
  Buffer out;
  for (std::size_t i = 0; i < 501; ++i) {
    const float other = 100 + static_cast<float>(i);
    std::memcpy(column.bytes.data() + 4 * i, &other, 4);
    EXPECT_EQ(encode(Encoding::quantised, column.element, column.bytes, zstd(), out), i < 500) << i;
  }
  column.element.precision = {};
  EXPECT_FALSE(encode(Encoding::quantised, column.element, column.bytes, zstd(), out))
      << "the steps are not known";
}

TEST(Quantised, refusesExceptionsThatAreNotAsManyAsTold) {
  Column column = steps(1000);
  const float outlier = -5;
  std::memcpy(column.bytes.data(), &outlier, 4);
  const Memory stored = quantised(column, lz4());
  Memory decoded(column.bytes.size());
  ASSERT_TRUE(decode(Encoding::quantised, column.element, stored, decoded));
  constexpr std::size_t count = 17; // after low, step and the size
  ASSERT_EQ(stored[count], std::byte{1});
  for (const int wrong : {0, 2, 255}) {
    Memory damaged = stored;
    damaged[count] = static_cast<std::byte>(wrong);
    EXPECT_FALSE(decode(Encoding::quantised, column.element, damaged, decoded)) << wrong;
  }
}

TEST(Quantised, decodesStepsThatMakeNoSense) {
  const Column column = test::columns(300)[15];
  ASSERT_EQ(column.name, "slopes");
  Buffer out;
  ASSERT_TRUE(encode(Encoding::quantised, column.element, column.bytes, lz4(), out));
  for (const double nonsense : {0.0, -1.0, 1e300, std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()})
    for (const std::size_t place : {0, 8}) {
      Memory damaged = copyOf(out.bytes());
      std::memcpy(damaged.data() + place, &nonsense, 8);
      Memory decoded(column.bytes.size());
      EXPECT_TRUE(decode(Encoding::quantised, column.element, damaged, decoded));
    }
}

// ---- The stored bytes in files

template <class T>
Memory bytesOf(std::initializer_list<T> values) {
  const std::span<const T> all(values.begin(), values.size());
  return copyOf(std::as_bytes(all));
}

template <class T>
constexpr Element elementOf{sizeof(T), std::is_floating_point_v<T>, std::is_signed_v<T>};

template <class T>
Memory storedAs(Encoding encoding, std::initializer_list<T> values) {
  Buffer out;
  EXPECT_TRUE(encode(encoding, elementOf<T>, bytesOf(values), lz4(), out));
  return copyOf(out.bytes());
}

Memory bytes(std::initializer_list<int> values) {
  Memory out;
  for (const int value : values)
    out.push_back(static_cast<std::byte>(value));
  return out;
}

TEST(EncodedBytes, raw) {
  EXPECT_EQ(storedAs<std::uint16_t>(Encoding::raw, {1, 2}), bytes({1, 0, 2, 0}));
}

TEST(EncodedBytes, constant) {
  EXPECT_EQ(storedAs<std::uint16_t>(Encoding::constant, {513, 513, 513}), bytes({1, 2}));
}

TEST(EncodedBytes, packed) {
  // No transform, no shift; a block of 2 bits above 5; the values 0, 1, 2, 3 from the lowest bit
  // up.
  EXPECT_EQ(storedAs<std::uint16_t>(Encoding::packed, {5, 6, 7, 8}),
            bytes({0, 0, 2, 5, 0, 0b11'10'01'00}));
}

TEST(EncodedBytes, packedWithAShift) {
  EXPECT_EQ(storedAs<std::uint16_t>(Encoding::packed, {5, 133, 261}),
            bytes({0, 7, 2, 5, 0, 0b10'01'00}));
}

TEST(EncodedBytes, packedDifferences) {
  // Delta: the base is the least difference, 1; the first value is stored separately.
  EXPECT_EQ(
      storedAs<std::uint8_t>(Encoding::packed, {1,  2,  4,  5,  7,  8,  10, 11, 13, 14, 16, 17,
                                                19, 20, 22, 23, 25, 26, 28, 29, 31, 32, 34, 35}),
      bytes({1, 0, 1, 1, 1, 0b01010100, 0b01010101, 0b01010101}));
}

TEST(EncodedBytes, packedFloatsWithTheirSignAtTheEnd) {
  // 3F800000, 3F800001, BF800001 in bits; rotated 7F000000, 7F000002, 7F000003.
  EXPECT_EQ(storedAs<float>(Encoding::packed, {1.f, 0x1.000002p0f, -0x1.000002p0f}),
            bytes({2, 0, 2, 0, 0, 0, 0x7F, 0b11'10'00}));
}

TEST(EncodedBytes, dictionary) {
  // Two numbers, 1000 and 7; inner values: packed (2), 8 bytes, 4 of them bits with width 1.
  EXPECT_EQ(storedAs<std::uint16_t>(Encoding::dictionary, {1000, 7, 7, 1000, 7}),
            bytes({1, 0xE8, 3, 7, 0, 2, 5, 0, 0, 0, 0, 0, 1, 0, 0b10110}));
}

TEST(EncodedBytes, runs) {
  // Two runs of 3 and 2: the lengths 2 and 1 packed, the numbers 9 and 4 packed.
  EXPECT_EQ(storedAs<std::uint8_t>(Encoding::runs, {9, 9, 9, 4, 4}),
            bytes({2, 0, 0, 0,                                      //
                   2, 8, 0, 0, 0, 0, 0, 1, 1, 0,        0, 0, 0b01, //
                   2, 5, 0, 0, 0, 0, 0, 3, 4, 0b000'101}));
}

TEST(EncodedBytes, frequent) {
  // 200 is frequent, with 3 exceptions: a piece with a byte of bits, then the packed exceptions.
  EXPECT_EQ(storedAs<std::uint8_t>(Encoding::frequent, {200, 200, 5, 200, 6, 200, 7}),
            bytes({200, 3, 0, 0, 0,            //
                   255, 1, 0, 0, 0, 0b1010100, //
                   2,   5, 0, 0, 0, 0,         0, 2, 5, 0b10'01'00}));
}

TEST(EncodedBytes, quantised) {
  // From -1 in steps of 0.5: 1, 0, 4 with one byte each, packed in 3 bits.
  const Column halves = test::rounded(test::column<float>("halves", 3,
                                                          [](std::size_t i) {
                                                            return std::array{-0.6f, -1.f, 1.f}[i];
                                                          }),
                                      stepsOf(-1, 1, 0.5));
  Buffer out;
  ASSERT_TRUE(encode(Encoding::quantised, halves.element, halves.bytes, lz4(), out));
  EXPECT_EQ(copyOf(out.bytes()), bytes({0,  0, 0, 0, 0,    0,    0xF0, 0xBF, 0, 0,
                                        0,  0, 0, 0, 0xE0, 0x3F, //
                                        1,  0, 0, 0, 0,          //
                                        2,  6, 0, 0, 0,    0,    0,    3,    0, 0b00'000'001,
                                        0b1}));
}

TEST(EncodedBytes, quantisedWithAnException) {
  // As before, but the second value is 7: a bitmap, and 7 packed; its number is the previous one,
  // 1.
  const Column halves = test::rounded(test::column<float>("halves", 3,
                                                          [](std::size_t i) {
                                                            return std::array{-0.6f, 7.f, 1.f}[i];
                                                          }),
                                      stepsOf(-1, 1, 0.5));
  Buffer out;
  ASSERT_TRUE(encode(Encoding::quantised, halves.element, halves.bytes, lz4(), out));
  EXPECT_EQ(
      copyOf(out.bytes()),
      bytes({0,   0, 0, 0, 0, 0,     0xF0, 0xBF, 0, 0,         0,    0,    0, 0, 0xE0, 0x3F, //
             1,   1, 0, 0, 0,                                                                //
             255, 1, 0, 0, 0, 0b010,                                                         //
             2,   7, 0, 0, 0, 0,     0,    0,    0, 0,         0xE0, 0x40,                   //
             2,   5, 0, 0, 0, 0,     0,    2,    1, 0b11'00'00}));
}

Memory transformed(Transform transform, const Memory& bytes) {
  Memory out(bytes.size());
  transformNumbers(transform, 1, bytes.data(), bytes.size(), out.data());
  return out;
}

TEST(EncodedBytes, transformsOfPlanes) {
  const Memory falling = bytes({10, 9, 8, 11, 11});
  EXPECT_EQ(transformed(Transform::none, falling), falling);
  EXPECT_EQ(transformed(Transform::zigzag, falling), bytes({20, 1, 1, 6, 0}));
  EXPECT_EQ(transformed(Transform::exclusiveOr, falling), bytes({10, 3, 1, 3, 0}));
}

TEST(EncodedBytes, bitPlanesOfDifferences) {
  // 80 values from 3 on, each 2 more: zigzag gives 6, then always 4. The plane of bit 1 is zero
  // except for its first bit, that of bit 2 is all ones, and all others are zero.
  Memory rising;
  for (int i = 0; i < 80; ++i)
    rising.push_back(static_cast<std::byte>(3 + 2 * i));
  Buffer out;
  ASSERT_TRUE(encode({Encoding::bitPlanes, Transform::zigzag}, elementOf<std::uint8_t>, rising,
                     lz4(), out));
  Memory planes(80);
  planes[10] = std::byte{1};
  std::fill_n(planes.begin() + 20, 10, std::byte{0xFF});
  EXPECT_EQ(out.bytes()[0], static_cast<std::byte>(Transform::zigzag));
  EXPECT_EQ(out.bytes()[1], static_cast<std::byte>(Codec::lz4));
  Memory decoded(80);
  ASSERT_TRUE(decompress(Codec::lz4, out.bytes().subspan(6), decoded));
  EXPECT_EQ(decoded, planes);
}

TEST(EncodedBytes, bytePlanes) {
  // Without a transform, joined in one piece, whose kind is lz4.
  const Memory stored = storedAs<std::uint16_t>(Encoding::bytePlanes,
                                                {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                                 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(stored[0], std::byte{0});
  EXPECT_EQ(stored[1], std::byte{1});
  EXPECT_EQ(stored[2], std::byte{1});
}

TEST(Encoding, hasNames) {
  EXPECT_EQ(encodingName(Encoding::raw), "raw");
  EXPECT_EQ(encodingName(Encoding::quantised), "quantised");
  EXPECT_EQ(encodingName(static_cast<Encoding>(encodingTable().size())), "?");
}

TEST(Encoding, areFoundByTheirNames) {
  for (const Scheme& scheme : allSchemes())
    EXPECT_EQ(schemeNamed(schemeName(scheme)), scheme);
  EXPECT_EQ(schemeNamed("packed:delta"), Scheme(Encoding::packed, Transform::delta));
  test::expectError(ErrorKind::name, "no encoding is called 'packt' (did you mean 'packed'?)",
                    [] { (void)schemeNamed("packt"); });
  test::expectError(ErrorKind::name, "did you mean 'packed:delta'?",
                    [] { (void)schemeNamed("packed:delt"); });
  test::expectError(ErrorKind::name, "no encoding is called 'runs:delta'",
                    [] { (void)schemeNamed("runs:delta"); });
}

TEST(Encoding, appliesTheGivenTransform) {
  const Column counts = test::column<std::uint32_t>(
      "counts", 3000, [](std::size_t i) { return static_cast<std::uint32_t>(i % 7); });
  for (const Encoding encoding :
       {Encoding::packed, Encoding::parts, Encoding::bytePlanes, Encoding::bitPlanes})
    for (const Transform transform :
         encodingTable()[static_cast<std::size_t>(encoding)].transforms) {
      Buffer out;
      ASSERT_TRUE(encode({encoding, transform}, counts.element, counts.bytes, zstd(), out));
      EXPECT_EQ(out.bytes()[0], static_cast<std::byte>(transform))
          << schemeName({encoding, transform});
    }
  Buffer out;
  EXPECT_FALSE(
      encode({Encoding::runs, Transform::delta}, counts.element, counts.bytes, zstd(), out));
  EXPECT_FALSE(
      encode({Encoding::parts, Transform::delta}, counts.element, counts.bytes, zstd(), out));
}

TEST(Encoding, doesNothingToRowsBeforeItCutsThem) {
  Column rows = test::column<std::uint64_t>("rows", 3000, [](std::size_t i) { return i % 7; });
  rows.element = {12, false, false};
  Buffer out;
  EXPECT_FALSE(
      encode({Encoding::bytePlanes, Transform::zigzag}, rows.element, rows.bytes, zstd(), out));
  ASSERT_TRUE(encode(Encoding::bytePlanes, rows.element, rows.bytes, zstd(), out));
  Memory decoded(rows.bytes.size());
  ASSERT_TRUE(decode(Encoding::bytePlanes, rows.element, out.bytes(), decoded));
  out.data()[0] = static_cast<std::byte>(Transform::zigzag);
  EXPECT_FALSE(decode(Encoding::bytePlanes, rows.element, out.bytes(), decoded));
}

TEST(Encoding, areNamedWithTheCodecThatMakesMostOfThem) {
  EXPECT_TRUE(isNamedWithCodec(Encoding::parts));
  EXPECT_FALSE(isNamedWithCodec(Encoding::runs));
  EXPECT_FALSE(isNamedWithCodec(static_cast<Encoding>(encodingTable().size())));
}

TEST(Encoding, refusesUnknownEncodings) {
  const auto none = static_cast<Encoding>(encodingTable().size());
  const Memory values(100);
  Buffer out;
  EXPECT_FALSE(encode(none, {4, false, false}, values, lz4(), out));
  Memory decoded(100);
  EXPECT_FALSE(decode(none, {4, false, false}, values, decoded));
}

TEST(Encoding, refusesUnknownCodecs) {
  const Memory values(100);
  Buffer out;
  ASSERT_TRUE(encode(Encoding::compressed, {4, false, false}, values, zlib(), out));
  Memory decoded(100);
  ASSERT_TRUE(decode(Encoding::compressed, {4, false, false}, out.bytes(), decoded));
  for (const int number : {0, 5, 77, 255}) {
    *out.data() = static_cast<std::byte>(number);
    EXPECT_FALSE(decode(Encoding::compressed, {4, false, false}, out.bytes(), decoded)) << number;
  }
}

TEST(Encoding, refusesBrokenValues) {
  const Memory values(10);
  Buffer out;
  EXPECT_FALSE(encode(Encoding::raw, {4, false, false}, values, lz4(), out));
  EXPECT_FALSE(encode(Encoding::raw, {0, false, false}, values, lz4(), out));
  Memory decoded(10);
  EXPECT_FALSE(decode(Encoding::raw, {4, false, false}, values, decoded));
}

// ---- Codecs inside encodings

class EachNewCodec : public testing::TestWithParam<Compression> {};
INSTANTIATE_TEST_SUITE_P(Codec, EachNewCodec,
                         testing::Values(zlib(1), zlib(6), zlib(12), lzma(0), lzma(6)),
                         [](const auto& test) {
                           return std::string(codecName(test.param.codec)) +
                                  std::to_string(test.param.level);
                         });

TEST_P(EachNewCodec, decodesOnlyIntactPages) {
  for (const Column& column : test::columns(3000)) {
    Buffer out;
    if (!compress(GetParam(), column.bytes, out))
      continue;
    Memory decoded(column.bytes.size());
    ASSERT_TRUE(decompress(GetParam().codec, out.bytes(), decoded));
    EXPECT_EQ(decoded, column.bytes);
    Memory shorter(decoded.size() - 1);
    EXPECT_FALSE(decompress(GetParam().codec, out.bytes(), shorter));
    Memory longer(decoded.size() + 1);
    EXPECT_FALSE(decompress(GetParam().codec, out.bytes(), longer));
    EXPECT_FALSE(decompress(GetParam().codec, out.bytes().first(out.size() - 1), decoded));
    out.append(bytes({0}));
    EXPECT_FALSE(decompress(GetParam().codec, out.bytes(), decoded));
  }
}

TEST_P(EachNewCodec, staysWithinItsMemoryForAnyBytes) {
  Random random(9);
  Buffer out;
  const auto columns = test::columns(700);
  const Memory values = columns[2].bytes;
  ASSERT_TRUE(compress(GetParam(), values, out));
  for (int round = 0; round < 3000; ++round) {
    Memory damaged = round % 4 == 0 ? random.bytes(random.below(300)) : copyOf(out.bytes());
    if (round % 4 != 0)
      damaged[random.below(damaged.size())] = static_cast<std::byte>(random.bits());
    Memory decoded(round % 2 == 0 ? values.size() : random.below(2 * values.size()));
    (void)decompress(GetParam().codec, damaged, decoded);
  }
}

} // namespace
} // namespace kaon::codec
