#include <kaon/codec/SimilarColumns.h>

#include "codec/Columns.h"
#include "support/Random.h"

#include <kaon/base/Buffer.h>
#include <kaon/codec/Chooser.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace kaon::codec {
namespace {

using test::Column;
using test::Random;

constexpr Element floats{.size = 4, .isFloat = true, .isSigned = true};
const std::vector<Scheme> planes{Encoding::bitPlanes, Encoding::bytePlanes};

TEST(SimilarColumns, areThoseThatAreLeftAsMuchOf) {
  SimilarColumns columns;
  for (int column = 0; column < 4; ++column) {
    EXPECT_TRUE(columns.schemes(floats).empty()) << "after " << column;
    columns.add(floats, planes, 0.80);
  }
  EXPECT_EQ(columns.schemes(floats), planes);
  EXPECT_TRUE(columns.areLike(floats, 0.81));
  EXPECT_FALSE(columns.areLike(floats, 0.70));
  EXPECT_TRUE(columns.schemes({.size = 8, .isFloat = true, .isSigned = true}).empty());
  columns.add(floats, planes, 0.70);
  EXPECT_TRUE(columns.schemes(floats).empty());
}

TEST(SimilarColumns, areDoubtedNowAndThen) {
  SimilarColumns columns;
  for (int column = 0; column < 4; ++column)
    columns.add(floats, planes, 0.80);
  int taken = 0;
  while (!columns.schemes(floats).empty())
    ++taken;
  EXPECT_GT(taken, 10);
  EXPECT_LT(taken, 100);
}

// Real columns with few entries let a dictionary save almost nothing. Choosers therefore stored
// long columns raw that could be compressed. These long columns have many different values.
TEST(SimilarColumns, areNotThoseThatNothingKnownMakesSmaller) {
  SimilarColumns columns;
  for (int column = 0; column < 4; ++column)
    columns.add(floats, {Encoding::dictionary}, 0.98);
  Random random(3);
  const Column rounded = test::column<float>("rounded", 4000, [&](auto) {
    return test::truncated(static_cast<double>(random.below(100'000)), 9);
  });
  Buffer out;
  EncodingChooser(floats, zstd(), {}, EncodingGoal::balance, &columns).encode(rounded.bytes, out);
  EXPECT_LT(out.size(), rounded.bytes.size() / 2);
}

// In a column with few different values, planes may by chance save as little as in noise.
TEST(SimilarColumns, areNotThoseOfFewDifferentValues) {
  Random random(4);
  const Column calibration = test::column<float>(
      "calibration", 1500, [&](auto) { return std::sqrt(static_cast<float>(random.below(50))); });
  const Scheme bits(Encoding::bitPlanes, Transform::none);
  Buffer out;
  EncodingChooser(floats, lz4(), bits).encode(calibration.bytes, out);
  const double ratio =
      static_cast<double>(out.size()) / static_cast<double>(calibration.bytes.size());
  SimilarColumns columns;
  for (int column = 0; column < 4; ++column)
    columns.add(floats, {bits}, ratio);
  out.clear();
  EncodingChooser(floats, lz4(), {}, EncodingGoal::balance, &columns)
      .encode(calibration.bytes, out);
  EXPECT_LT(out.size(), calibration.bytes.size() / 3);
}

/// Returns the encoded size of the columns, whose choosers share their experience or do not.
std::size_t encoded(const std::vector<Column>& columns, bool knowOthers, Compression how) {
  SimilarColumns alike;
  Buffer out;
  for (const Column& column : columns)
    EncodingChooser(column.element, how, {}, EncodingGoal::balance, knowOthers ? &alike : nullptr)
        .encode(column.bytes, out);
  return out.size();
}

TEST(SimilarColumns, areEncodedAsWellAsIfEachWereTriedByItself) {
  Random random(1);
  std::vector<Column> columns;
  for (int i = 0; i < 60; ++i) {
    columns.push_back(test::column<float>("energy", 1500, [&](std::size_t) {
      return -std::log(static_cast<float>(random.below(1'000'000) + 1) * 1e-6F);
    }));
    if (i % 10 == 9) // few different values, among other columns
      columns.push_back(test::column<float>("calibration", 1500, [&](std::size_t) {
        return std::sqrt(static_cast<float>(random.below(50)));
      }));
    if (i % 10 == 4)
      columns.push_back(test::column<float>(
          "time", 1500, [&](std::size_t k) { return static_cast<float>(k) * 0.25F; }));
  }
  for (const Compression how : {lz4(), zstd()}) {
    const std::size_t each = encoded(columns, false, how);
    EXPECT_LE(encoded(columns, true, how), each + each / 500);
  }
}

} // namespace
} // namespace kaon::codec
