#include <kaon/codec/BlockCompression.h>
#include <kaon/codec/Chooser.h>
#include <kaon/codec/Encoding.h>
#include <kaon/codec/EncodingTable.h>
#include <kaon/codec/PageEncoding.h>

#include "codec/Columns.h"
#include "codec/DetectorColumns.h"
#include "support/Errors.h"
#include "support/Random.h"
#include "support/Sanitizers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

namespace kaon::codec {
namespace {

using test::Column;
using test::Random;
using Memory = std::vector<std::byte>;

constexpr std::size_t pageValues = 16384;

Column named(const std::string& name) {
  auto columns = test::columns(pageValues);
  return *std::ranges::find(columns, name, &Column::name);
}

Encoding chosen(const Column& column, Compression how) {
  EncodingChooser chooser(column.element, how);
  Buffer out;
  const Encoding encoding = chooser.encode(column.bytes, out);
  Memory decoded(column.bytes.size());
  EXPECT_TRUE(decode(encoding, column.element, out.bytes(), decoded));
  EXPECT_EQ(decoded, column.bytes);
  EXPECT_LE(out.size(), column.bytes.size());
  return encoding;
}

struct Expected {
  std::string column;
  Encoding lz4;
  Encoding zstd;
};

TEST(Chooser, findsTheEncodingThatSuitsTheColumn) {
  using enum Encoding;
  const std::vector<Expected> expected{{"events", packed, bitPlanes},
                                       {"charges", frequent, frequent},
                                       {"codes", dictionary, dictionary},
                                       {"pt", packed, parts},
                                       {"truncated", bitPlanes, parts},
                                       {"vertices", frequent, frequent},
                                       {"times", runs, runs},
                                       {"energies", packed, parts},
                                       {"constant", constant, constant},
                                       {"flags", packed, packed},
                                       {"noise", raw, raw},
                                       {"status", dictionary, dictionary},
                                       {"hits", bytePlanes, bytePlanes},
                                       {"slopes", quantised, quantised}};
  for (const Expected& e : expected) {
    const Column column = named(e.column);
    EXPECT_EQ(encodingName(chosen(column, lz4())), encodingName(e.lz4)) << e.column << ", lz4";
    EXPECT_EQ(encodingName(chosen(column, zstd())), encodingName(e.zstd)) << e.column << ", zstd";
  }
}

std::size_t sizeAs(const Scheme& scheme, const Column& column, Compression how) {
  Buffer out;
  return encode(scheme, column.element, column.bytes, how, out) ? out.size() : column.bytes.size();
}

/// Returns the least size among all encodings tried with this codec.
std::size_t leastSize(const Column& column, Compression how) {
  std::size_t least = column.bytes.size();
  for (const EncodingRow& row : encodingTable()) {
    if (how.codec == Codec::lz4 && row.encoding == Encoding::parts)
      continue;
    least = std::min(least, sizeAs(row.encoding, column, how));
    for (const Transform transform : row.transforms)
      least = std::min(least, sizeAs({row.encoding, transform}, column, how));
  }
  return least;
}

std::size_t sizeOfChosen(const Column& column, Compression how,
                         EncodingGoal goal = EncodingGoal::balance) {
  EncodingChooser chooser(column.element, how, {}, goal);
  Buffer out;
  (void)chooser.encode(column.bytes, out);
  return out.size();
}

std::vector<Column> allColumns() {
  auto all = test::columns(pageValues);
  std::ranges::move(test::detectorColumns(pageValues), std::back_inserter(all));
  return all;
}

// A few more bytes are accepted for faster decoding, but never many.
TEST(Chooser, isNeverMuchLargerThanTheBest) {
  const std::vector<Compression> codecs = test::isSanitized // all would take half a minute
                                              ? std::vector{lz4()}
                                              : std::vector{lz4(), zstd(), zlib(), lzma(0)};
  for (const Column& column : allColumns())
    for (const Compression how : codecs) {
      const std::size_t least = leastSize(column, how);
      EXPECT_LE(sizeOfChosen(column, how), least + least / 6)
          << column.name << " " << codecName(how.codec);
    }
}

// Samples may mislead the chooser if two encodings have nearly equal sizes.
TEST(Chooser, findsTheSmallestEncodingIfTheGoalIsSize) {
  for (const Column& column : allColumns())
    for (const Compression how : {lz4(), zstd()}) {
      const std::size_t least = leastSize(column, how);
      if (least < column.bytes.size() - column.bytes.size() / 50) { // else no encoding is worth it
        EXPECT_LE(sizeOfChosen(column, how, EncodingGoal::size), least + least / 100)
            << column.name << " " << codecName(how.codec);
      }
    }
}

/// Returns the size of a page in ROOT's RNTuple. Signed integers become zigzag differences from
/// zero; all numbers are split into byte planes, joined and compressed.
std::size_t sizeInRNTuple(const Column& column) {
  const std::size_t size = column.element.size, count = column.bytes.size() / size;
  Memory numbers = column.bytes, planes(column.bytes.size());
  if (column.element.isSigned && !column.element.isFloat)
    for (std::size_t i = 0; i < count; ++i) {
      std::int64_t value = 0; // sign-extended
      std::memcpy(reinterpret_cast<std::byte*>(&value) + 8 - size, numbers.data() + i * size, size);
      value >>= 64 - 8 * size;
      value = value < 0 ? -2 * value - 1 : 2 * value;
      std::memcpy(numbers.data() + i * size, &value, size);
    }
  for (std::size_t i = 0; i < column.bytes.size(); ++i)
    planes[i % size * count + i / size] = numbers[i];
  Buffer out;
  return compress(zstd(), planes, out) ? out.size() : planes.size();
}

// Zstandard uses other parameters for joined planes, which may therefore be slightly smaller.
TEST(Chooser, isHardlyEverLargerThanRNTuple) {
  for (const Column& column : test::columns(pageValues))
    if (column.element.isNumber()) {
      EXPECT_LE(sizeOfChosen(column, zstd()), sizeInRNTuple(column) * 17 / 16) << column.name;
    }
  for (const Column& column : test::detectorColumns(pageValues)) {
    EXPECT_LE(sizeOfChosen(column, zstd()), sizeInRNTuple(column) * 101 / 100) << column.name;
  }
}

// RNTuple's pages have up to 1 MiB, kaon's 64 KiB, so RNTuple sees more repetitions.
TEST(Chooser, shrinksCellsMoreThanRNTupleDoesInPagesOfAMegabyte) {
  using enum test::CellOrder;
  for (const auto order : {number, time, any}) {
    const Column cells = test::cells("cells", 131072, order);
    EncodingChooser chooser(cells.element, zstd());
    Buffer out;
    constexpr std::size_t pageBytes = 65536;
    for (std::size_t at = 0; at < cells.bytes.size(); at += pageBytes)
      (void)chooser.encode(std::span(cells.bytes).subspan(at, pageBytes), out);
    EXPECT_LT(out.size(), sizeInRNTuple(cells)) << static_cast<int>(order);
  }
}

TEST(Chooser, choosesAFastEncodingIfTheGoalIsSpeed) {
  const Column pt = named("pt");
  const auto with = [&](EncodingGoal goal) {
    return EncodingChooser(pt.element, zstd(), {}, goal).choose(pt.bytes).encoding;
  };
  EXPECT_EQ(with(EncodingGoal::size), Encoding::parts);
  EXPECT_EQ(with(EncodingGoal::balance), Encoding::parts);
  EXPECT_EQ(with(EncodingGoal::speed), Encoding::packed);
  EXPECT_EQ(goalNamed("speed"), EncodingGoal::speed);
  EXPECT_EQ(goalNamed("balance"), EncodingGoal::balance);
  test::expectError(ErrorKind::name, "'sped' is not a value of 'goal' (did you mean 'speed'?)",
                    [] { (void)goalNamed("sped"); });
}

/// Returns rows of 44 bytes: every second byte has 8 different values, the others 64.
Column rowsOfBytes() {
  Random random(1);
  Column rows = test::column<std::uint8_t>("rows", 44 * 1490, [&](std::size_t i) {
    return static_cast<std::uint8_t>(random.below(i % 2 == 0 ? 8 : 64));
  });
  rows.element = {44, false, false};
  return rows;
}

/// Returns rows that a codec can hardly compress unless they are split into planes.
Column rowsOfNumbers() {
  Random random(1);
  struct Row {
    std::uint32_t time, count;
    std::uint64_t cell;
  };
  std::uint32_t time = 0;
  Column rows = test::column<Row>("rows", 4096, [&](auto) {
    time += static_cast<std::uint32_t>(random.below(100));
    return Row{time, static_cast<std::uint32_t>(random.below(10)), random.below(1 << 20)};
  });
  rows.element = {sizeof(Row), false, false};
  return rows;
}

// Many short planes take twice as long as whole rows.
TEST(Chooser, paysForPlanesOfRowsOnlyIfTheyGainMuch) {
  const Column alike = rowsOfBytes(), unlike = rowsOfNumbers();
  EXPECT_LT(sizeAs(Encoding::bytePlanes, alike, zstd()),
            sizeAs(Encoding::compressed, alike, zstd()));
  EXPECT_EQ(chosen(alike, zstd()), Encoding::compressed);
  EXPECT_LT(sizeAs(Encoding::bytePlanes, unlike, zstd()),
            sizeAs(Encoding::compressed, unlike, zstd()) * 3 / 4);
  EXPECT_EQ(chosen(unlike, zstd()), Encoding::bytePlanes);
  EXPECT_EQ(sizeOfChosen(alike, zstd(), EncodingGoal::size),
            sizeAs(Encoding::bytePlanes, alike, zstd()));
}

TEST(Chooser, leavesValuesAsTheyAreWithoutACodec) {
  for (const Column& column : test::columns(1000)) {
    const Encoding expected = column.name == "constant" ? Encoding::constant : Encoding::raw;
    EXPECT_EQ(chosen(column, uncompressed()), expected) << column.name;
  }
}

TEST(Chooser, takesPagesOfEveryLength) {
  for (const std::size_t count : {1, 2, 3, 10, 100, 1000})
    for (const Column& column : test::columns(count))
      (void)chosen(column, zstd());
  EncodingChooser chooser({4, false, false}, zstd());
  Buffer out;
  EXPECT_EQ(chooser.encode({}, out), Encoding::raw);
  EXPECT_TRUE(out.empty());
}

/// Returns a page of numbers below 4096: of 8 different ones, or of all.
Memory pageOf(Random& random, bool few, std::int32_t scale = 1) {
  static constexpr std::int32_t codes[] = {11, 4095, 1234, 777, 2900, 3333, 1717, 602};
  return test::column<std::int32_t>("page", 4096,
                                    [&](auto) {
                                      const auto any =
                                          static_cast<std::int32_t>(random.below(4096));
                                      return scale * (few ? codes[any / 512] : any);
                                    })
      .bytes;
}

/// Returns the number of pages until one is stored with this encoding; 1000 if none is.
template <class MakePage>
int pagesUntil(Encoding encoding, EncodingChooser& chooser, MakePage page) {
  Buffer out;
  for (int pages = 1; pages < 1000; ++pages)
    if (chooser.encode(page(), out) == encoding)
      return pages;
  return 1000;
}

// The stored size grows.
TEST(Chooser, looksAgainSoonWhenPagesChangeTheirSize) {
  Random random(1);
  EncodingChooser chooser({4, false, true}, lz4());
  for (int page = 0; page < 200; ++page) {
    Buffer out;
    EXPECT_EQ(chooser.encode(pageOf(random, false), out), Encoding::packed);
  }
  EXPECT_LE(pagesUntil(Encoding::dictionary, chooser, [&] { return pageOf(random, true, 1001); }),
            12);
}

// The stored size stays the same, although there are now few different numbers.
TEST(Chooser, looksAgainAfterAWhileInAnyCase) {
  Random random(1);
  EncodingChooser chooser({4, false, true}, lz4());
  Buffer out;
  for (int page = 0; page < 20; ++page)
    EXPECT_EQ(chooser.encode(pageOf(random, false), out), Encoding::packed);
  const std::size_t before = out.size();
  EXPECT_EQ(chooser.encode(pageOf(random, true), out), Encoding::packed);
  EXPECT_EQ(out.size() - before, before / 20);
  EXPECT_LE(pagesUntil(Encoding::dictionary, chooser, [&] { return pageOf(random, true); }), 32);
}

// The best encoding no longer applies.
TEST(Chooser, packsPagesThatItsChoiceCannotEncode) {
  Random random(1);
  EncodingChooser chooser({4, false, true}, lz4());
  Buffer out;
  EXPECT_EQ(chooser.encode(pageOf(random, true), out), Encoding::dictionary);
  for (int page = 0; page < 40; ++page)
    EXPECT_EQ(chooser.encode(pageOf(random, false), out), Encoding::packed);
}

void checkForced(const Scheme& forced) {
  std::size_t applied = 0;
  for (const Column& column : test::columns(5000)) {
    Buffer expected;
    const bool applies = encode(forced, column.element, column.bytes, zstd(), expected) &&
                         expected.size() < column.bytes.size();
    EncodingChooser chooser(column.element, zstd(), forced);
    EXPECT_EQ(chooser.choose(column.bytes), forced);
    Buffer out;
    const Encoding encoding = chooser.encode(column.bytes, out);
    EXPECT_EQ(encodingName(encoding), encodingName(applies ? forced.encoding : Encoding::raw))
        << column.name;
    EXPECT_TRUE(std::ranges::equal(out.bytes(), applies ? expected.bytes() : column.bytes));
    applied += encoding == forced.encoding;
  }
  EXPECT_GT(applied, 0U) << schemeName(forced);
}

TEST(Chooser, canBeForced) {
  for (const EncodingRow& row : encodingTable()) {
    checkForced(row.encoding);
    for (const Transform transform : row.transforms)
      checkForced({row.encoding, transform});
  }
}

TEST(Chooser, doesWithoutAForbiddenEncoding) {
  for (const EncodingRow& row : encodingTable().subspan(1))
    for (const Column& column : test::columns(pageValues)) {
      EncodingChooser chooser(column.element, lz4());
      chooser.forbid(row.encoding);
      Buffer out;
      EXPECT_NE(chooser.encode(column.bytes, out), row.encoding) << column.name << " " << row.name;
    }
}

TEST(Chooser, storesRawWhereTheForcedEncodingDoesNotApply) {
  const Column column = named("noise");
  EncodingChooser chooser(column.element, lz4(), Encoding::dictionary);
  Buffer out;
  EXPECT_EQ(chooser.encode(column.bytes, out), Encoding::raw);
  EXPECT_TRUE(std::ranges::equal(out.bytes(), column.bytes));
}

} // namespace
} // namespace kaon::codec
