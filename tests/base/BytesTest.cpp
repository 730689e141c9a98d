#include <kaon/base/Bytes.h>

#include "support/Errors.h"
#include "support/Random.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace kaon {
namespace {

using test::expectError;

/// Returns a copy in memory of exactly this size, so that ASan sees reads past the end.
std::vector<std::byte> exactly(std::span<const std::byte> bytes) {
  return {bytes.begin(), bytes.end()};
}

TEST(Bytes, readerReturnsTheValuesOfTheWriter) {
  ByteWriter out;
  out.put(std::uint8_t{200});
  out.put(std::int16_t{-5});
  out.put(std::numeric_limits<std::uint64_t>::max());
  out.put(1.25);
  out.put(true);
  out.put("a name");
  out.put("");
  ByteReader in(out.bytes(), "here");
  EXPECT_EQ(in.get<std::uint8_t>(), 200);
  EXPECT_EQ(in.get<std::int16_t>(), -5);
  EXPECT_EQ(in.get<std::uint64_t>(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(in.get<double>(), 1.25);
  EXPECT_TRUE(in.get<bool>());
  EXPECT_EQ(in.getString(), "a name");
  EXPECT_EQ(in.getString(), "");
  EXPECT_TRUE(in.atEnd());
}

TEST(Bytes, textMayHoldAnyByte) {
  const std::string text("a\0\xff\n", 4);
  ByteWriter out;
  out.put(text);
  EXPECT_EQ(ByteReader(out.bytes(), "").getString(), text);
}

TEST(Bytes, numbersAreLittleEndianAndUnaligned) {
  const std::byte bytes[] = {std::byte{9}, std::byte{1}, std::byte{2}, std::byte{0}, std::byte{0}};
  EXPECT_EQ(detail::loadAs<std::uint32_t>(bytes + 1), 0x201U);
}

TEST(Bytes, endIsAnErrorThatNamesThePlace) {
  const std::byte three[3]{};
  ByteReader in(three, "events.kaon: index");
  expectError(ErrorKind::corrupt, "events.kaon: index: ends too early",
              [&] { (void)in.get<std::uint32_t>(); });
}

TEST(Bytes, textLongerThanTheRestIsAnError) {
  ByteWriter out;
  out.put(std::uint32_t{5});
  out.put(std::as_bytes(std::span("abc", 3)));
  const auto bytes = exactly(out.bytes());
  ByteReader in(bytes, "");
  expectError(ErrorKind::corrupt, "too early", [&] { (void)in.getString(); });
}

TEST(Bytes, takeOfMoreThanThereIsLeavesAllInPlace) {
  const std::byte two[2]{};
  ByteReader in(two, "");
  expectError(ErrorKind::corrupt, "", [&] { (void)in.take(3); });
  expectError(ErrorKind::corrupt, "",
              [&] { (void)in.take(std::numeric_limits<std::size_t>::max()); });
  EXPECT_EQ(in.take(2).size(), 2U);
}

TEST(Bytes, cutAnywhereNeverReadsPastTheEnd) {
  test::Random random(7);
  for (int round = 0; round < 200; ++round) {
    ByteWriter out;
    std::vector<int> kinds;
    for (std::size_t i = 0; i < 20; ++i) {
      kinds.push_back(static_cast<int>(random.below(4)));
      switch (kinds.back()) {
      case 0:
        out.put(static_cast<std::uint8_t>(random.bits()));
        break;
      case 1:
        out.put(random.bits());
        break;
      case 2:
        out.put(std::string(random.below(30), 'x'));
        break;
      default:
        out.put(std::uint32_t{0});
      }
    }
    const auto cut = exactly(out.bytes().first(random.below(out.bytes().size())));
    ByteReader in(cut, "cut");
    const auto readAll = [&] {
      for (const int kind : kinds) {
        if (kind == 0)
          (void)in.get<std::uint8_t>();
        else if (kind == 1)
          (void)in.get<std::uint64_t>();
        else if (kind == 2)
          (void)in.getString();
        else
          (void)in.get<std::uint32_t>();
      }
    };
    expectError(ErrorKind::corrupt, "cut: ends too early", readAll);
  }
}

} // namespace
} // namespace kaon
