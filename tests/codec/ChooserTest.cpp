#include <kaon/codec/Chooser.h>
#include <kaon/codec/Encoding.h>
#include <kaon/codec/EncodingTable.h>

#include "codec/Columns.h"
#include "support/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
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

TEST(Chooser, findsWhatSuitsTheColumn) {
  using enum Encoding;
  const std::vector<Expected> expected{{"events", packed, packed},
                                       {"charges", frequent, frequent},
                                       {"codes", dictionary, dictionary},
                                       {"pt", packed, parts},
                                       {"truncated", packed, parts},
                                       {"vertices", frequent, frequent},
                                       {"times", runs, runs},
                                       {"energies", packed, parts},
                                       {"constant", constant, constant},
                                       {"flags", packed, packed},
                                       {"noise", raw, raw},
                                       {"status", dictionary, dictionary},
                                       {"hits", bytePlanes, compressed},
                                       {"slopes", quantised, quantised}};
  for (const Expected& e : expected) {
    const Column column = named(e.column);
    EXPECT_EQ(encodingName(chosen(column, lz4())), encodingName(e.lz4)) << e.column << ", lz4";
    EXPECT_EQ(encodingName(chosen(column, zstd())), encodingName(e.zstd)) << e.column << ", zstd";
  }
}

std::size_t sizeAs(Encoding encoding, const Column& column, Compression how) {
  Buffer out;
  return encode(encoding, column.element, column.bytes, how, out) ? out.size()
                                                                  : column.bytes.size();
}

std::size_t sizeOfChosen(const Column& column, Compression how) {
  EncodingChooser chooser(column.element, how);
  Buffer out;
  (void)chooser.encode(column.bytes, out);
  return out.size();
}

// Some more bytes are paid for less time, but never many.
TEST(Chooser, isNeverMuchLargerThanTheBest) {
  for (const Column& column : test::columns(pageValues))
    for (const Compression how : {lz4(), zstd(), zlib(), lzma(0)}) {
      std::size_t best = column.bytes.size();
      for (const EncodingRow& row : encodingTable())
        if (how.codec != Codec::lz4 || row.encoding != Encoding::parts)
          best = std::min(best, sizeAs(row.encoding, column, how));
      const std::size_t paid = column.bytes.size() / (column.element.isNumber() ? 32 : 8);
      EXPECT_LE(sizeOfChosen(column, how), best + paid)
          << column.name << " " << codecName(how.codec);
    }
}

TEST(Chooser, paysForPlanesOfRowsOnlyIfTheyGainMuch) {
  Random random(1);
  struct Row {
    std::uint32_t time, count;
    std::uint64_t cell;
  };
  const auto rows = [&](std::size_t values) {
    std::uint32_t time = 0;
    Column column = test::column<Row>("rows", 4096, [&](auto) {
      time += static_cast<std::uint32_t>(random.below(100));
      return Row{time, static_cast<std::uint32_t>(random.below(values)), random.below(1 << 20)};
    });
    column.element = {sizeof(Row), false, false};
    return column;
  };
  const Column gaining = rows(10);
  EXPECT_LT(sizeAs(Encoding::bytePlanes, gaining, zstd()),
            sizeAs(Encoding::compressed, gaining, zstd()) * 3 / 4);
  EXPECT_EQ(chosen(gaining, zstd()), Encoding::bytePlanes);
  const Column hits = named("hits");
  EXPECT_LT(sizeAs(Encoding::bytePlanes, hits, zstd()), sizeAs(Encoding::compressed, hits, zstd()));
  EXPECT_EQ(chosen(hits, zstd()), Encoding::compressed);
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

TEST(Chooser, noticesThatTheDataChanged) {
  Random random(1);
  EncodingChooser chooser({4, false, true}, lz4());
  const auto page = [&](bool few) {
    return test::column<std::int32_t>("page", 4096,
                                      [&](auto) {
                                        return static_cast<std::int32_t>(
                                            few ? 1000 * random.below(8) * random.below(8) * 999
                                                : random.below(1 << 12));
                                      })
        .bytes;
  };
  Buffer out;
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(chooser.encode(page(true), out), Encoding::dictionary);
  for (int i = 0; i < 40; ++i) {
    const Encoding encoding = chooser.encode(page(false), out);
    EXPECT_EQ(encodingName(encoding), encodingName(Encoding::packed));
  }
  int pages = 0;
  while (chooser.encode(page(true), out) != Encoding::dictionary && pages < 100)
    ++pages;
  EXPECT_LT(pages, 20);
}

TEST(Chooser, canBeForced) {
  for (const EncodingRow& row : encodingTable()) {
    const Encoding forced = row.encoding;
    std::size_t applied = 0;
    for (const Column& column : test::columns(5000)) {
      Buffer expected;
      const bool applies = encode(forced, column.element, column.bytes, zstd(), expected) &&
                           expected.size() < column.bytes.size();
      EncodingChooser chooser(column.element, zstd(), forced);
      EXPECT_EQ(chooser.choose(column.bytes), forced);
      Buffer out;
      const Encoding encoding = chooser.encode(column.bytes, out);
      EXPECT_EQ(encodingName(encoding), encodingName(applies ? forced : Encoding::raw))
          << column.name;
      EXPECT_TRUE(std::ranges::equal(out.bytes(), applies ? expected.bytes() : column.bytes));
      applied += encoding == forced;
    }
    EXPECT_GT(applied, 0U) << encodingName(forced);
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
