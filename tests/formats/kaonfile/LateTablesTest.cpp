#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/formats/kaonfile/FileWriter.h>

#include <kaon/writing/BatchBuilder.h>

#include "support/Contents.h"
#include "support/Random.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

// Data that files omit because they follow from other data. These are the presence of tables that
// every entry has, and columns of tables in clusters from before the tables were added.

namespace kaon::kaonfile {
namespace {

using test::addRow;
using test::contentsOf;
using test::valuesOf;
using test::Writing;

using Present = std::vector<std::byte>;
constexpr std::byte yes{1}, no{0};

/// Writes one cluster, whose entries have hits or lack the collection.
std::shared_ptr<Buffer> hitsIn(const std::vector<bool>& entries, Layout layout = Layout::split) {
  Writing writing;
  detail::BatchBuilder builder;
  builder.add(test::collection("Hits", {{"x", Scalar::Int32}}, layout));
  for (std::size_t entry = 0; entry < entries.size(); ++entry) {
    if (entries[entry]) {
      builder.setPresent(0);
      if (entry % 2 == 0)
        addRow(builder, 0, static_cast<std::int32_t>(entry));
    }
    builder.endEntry();
  }
  writing.writer.write("events", builder.batch(0));
  writing.writer.finish();
  return writing.bytes;
}

Present presenceOf(const Source& source) {
  return contentsOf(source).tables.at({"Hits", "Thing"}).present;
}

TEST(Presence, isNotStoredWhereTheTableIsAlwaysThere) {
  for (const Layout layout : {Layout::split, Layout::row, Layout::member}) {
    const auto bytes = hitsIn({true, true, true}, layout);
    const auto file = test::openBytes(bytes->bytes());
    const Source& source = file->category("events");
    EXPECT_EQ(source.usage(source.schema().presenceColumn(0)).value().values, 0U);
    EXPECT_EQ(presenceOf(source), (Present{yes, yes, yes}));
    EXPECT_EQ(valuesOf<std::int32_t>(source, "Hits.x"), (std::vector{0, 2}));
  }
}

TEST(Presence, isStoredWhereTheTableIsNotAlwaysThere) {
  const auto bytes = hitsIn({true, false, false, true});
  const auto file = test::openBytes(bytes->bytes());
  const Source& source = file->category("events");
  EXPECT_EQ(source.usage(source.schema().presenceColumn(0)).value().values, 4U);
  EXPECT_EQ(presenceOf(source), (Present{yes, no, no, yes}));
}

TEST(Presence, isNotStoredWhereTheTableIsNeverThere) {
  const auto bytes = hitsIn({false, false});
  const auto file = test::openBytes(bytes->bytes());
  const Source& source = file->category("events");
  for (std::uint32_t column = 0; column < source.schema().columns().size(); ++column)
    EXPECT_EQ(source.usage(column).value().storedBytes, 0U);
  EXPECT_EQ(presenceOf(source), (Present{no, no}));
  EXPECT_TRUE(valuesOf<std::int32_t>(source, "Hits.x").empty());
}

/// Writes clusters of two entries, which have no hits and two hits. `extend` adds tables before the
/// second cluster, and `fill` adds their rows to each of its entries.
template <class Extend, class Fill>
std::shared_ptr<Buffer> extended(Layout layout, Extend extend, Fill fill) {
  Writing writing;
  detail::BatchBuilder builder;
  builder.add(test::collection("Hits", {{"x", Scalar::Int32}}, layout));
  builder.add(test::values("run", TableKind::value, Scalar::Int32));
  for (std::int32_t entry = 0; entry < 4; ++entry) {
    if (entry == 2) {
      writing.writer.write("events", builder.batch(0));
      builder.clear();
      extend(builder);
    }
    builder.setPresent(0);
    for (std::int32_t row = 0; row < 1 + entry % 2; ++row)
      addRow(builder, 0, 10 * entry + row);
    addRow(builder, 1, entry);
    if (entry >= 2)
      fill(builder, entry);
    builder.endEntry();
  }
  writing.writer.write("events", builder.batch(2));
  writing.writer.finish();
  return writing.bytes;
}

class LateTables : public testing::TestWithParam<Layout> {};
INSTANTIATE_TEST_SUITE_P(File, LateTables,
                         testing::Values(Layout::split, Layout::row, Layout::member),
                         [](const auto& test) { return std::string(layoutName(test.param)); });

TEST_P(LateTables, areAbsentBefore) {
  const auto bytes = extended(
      GetParam(),
      [](detail::BatchBuilder& builder) {
        builder.add(test::collection("Jets", {{"pt", Scalar::Float32}}, GetParam()));
        builder.add(test::values("Jets.hits", TableKind::vectorMember, Scalar::Int32, 2));
        builder.add(test::parameter("weight", Scalar::Float64));
      },
      [](detail::BatchBuilder& builder, std::int32_t entry) {
        builder.setPresent(2);
        addRow(builder, 2, static_cast<float>(entry));
        addRow(builder, 3, entry);
        builder.endRow(3);
        builder.setPresent(4);
        addRow(builder, 4, entry / 2.);
      });
  const auto file = test::openBytes(bytes->bytes());
  const Source& source = file->category("events");
  const auto tables = contentsOf(source).tables;
  EXPECT_EQ(tables.at({"Jets", "Thing"}).present, (Present{no, no, yes, yes}));
  EXPECT_EQ(tables.at({"Jets", "Thing"}).counts, (std::vector<std::uint32_t>{0, 0, 1, 1}));
  EXPECT_EQ(tables.at({"weight", "float64"}).present, (Present{no, no, yes, yes}));
  EXPECT_EQ(valuesOf<float>(source, "Jets.pt"), (std::vector{2.F, 3.F}));
  EXPECT_EQ(valuesOf<std::int32_t>(source, "Jets.hits"), (std::vector{2, 3}));
  EXPECT_EQ(valuesOf<std::int32_t>(source, "Hits.x"), (std::vector{0, 10, 11, 20, 30, 31}));
}

// The pages of a group have the same entries. One of its tables may be added later.
TEST_P(LateTables, ofAGroupAreAbsentBefore) {
  Writing writing;
  detail::BatchBuilder builder;
  for (const char* name : {"Early", "Late"}) {
    TableDefinition table = test::collection(name, {{"x", Scalar::Int32}}, GetParam());
    table.group = "event";
    const std::uint32_t number = builder.add(table);
    for (std::int32_t entry = 0; entry < 2; ++entry) {
      builder.setPresent(number);
      addRow(builder, number, entry);
      builder.endEntry();
    }
    writing.writer.write("events", builder.batch(2 * number));
    builder.clear();
  }
  const auto file = writing.finished();
  const auto tables = contentsOf(file->category("events")).tables;
  EXPECT_EQ(tables.at({"Early", "Thing"}).present, (Present{yes, yes, no, no}));
  EXPECT_EQ(tables.at({"Late", "Thing"}).present, (Present{no, no, yes, yes}));
}

TEST_P(LateTables, ofValuesHaveTheValueForMissing) {
  const float pi = 3.14F;
  std::uint64_t missing = 0;
  std::memcpy(&missing, &pi, sizeof pi);
  const auto bytes = extended(
      GetParam(),
      [&](detail::BatchBuilder& builder) {
        TableDefinition late = test::values("late", TableKind::value, Scalar::Float32);
        late.members[0].missing = missing;
        builder.add(late);
        builder.add(test::values("zero", TableKind::value, Scalar::Int64));
        TableDefinition flag = test::values("flag", TableKind::value, Scalar::Bool);
        flag.members[0].missing = 1;
        builder.add(flag);
      },
      [](detail::BatchBuilder& builder, std::int32_t entry) {
        addRow(builder, 2, static_cast<float>(entry));
        addRow(builder, 3, std::int64_t{entry});
        addRow(builder, 4, false);
      });
  const auto file = test::openBytes(bytes->bytes());
  const Source& source = file->category("events");
  EXPECT_EQ(valuesOf<float>(source, "late"), (std::vector{pi, pi, 2.F, 3.F}));
  EXPECT_EQ(valuesOf<std::int64_t>(source, "zero"), (std::vector<std::int64_t>{0, 0, 2, 3}));
  EXPECT_EQ(valuesOf<bool>(source, "flag"), (std::vector{true, true, false, false}));
  EXPECT_EQ(valuesOf<std::int32_t>(source, "run"), (std::vector{0, 1, 2, 3}));
}

TEST_P(LateTables, mayDecorateObjectsOfEarlierClusters) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::uint64_t missing = 0;
  std::memcpy(&missing, &nan, sizeof nan);
  const auto bytes = extended(
      GetParam(),
      [&](detail::BatchBuilder& builder) {
        TableDefinition table =
            test::table("Hits.quality", TableKind::decoration, "",
                        {{"chi2", Scalar::Float32}, {"codes", Scalar::Int16, 2}}, 0);
        table.members[0].missing = missing;
        table.members[1].missing = 0xfffe;
        builder.add(table);
      },
      [](detail::BatchBuilder& builder, std::int32_t entry) {
        if (entry == 2)
          return; // no decoration: objects have the value for missing ones
        struct Row {
          float chi2;
          std::array<std::int16_t, 2> codes;
        };
        for (const std::int16_t row : std::array<std::int16_t, 2>{0, 1})
          addRow(builder, 2, Row{0.5F + row, {row, static_cast<std::int16_t>(row + 10)}});
      });
  const auto file = test::openBytes(bytes->bytes());
  const Source& source = file->category("events");
  const auto chi2 = valuesOf<float>(source, "Hits.quality.chi2");
  ASSERT_EQ(chi2.size(), 6U);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_TRUE(std::isnan(chi2[i])) << i;
  EXPECT_EQ(chi2[4], 0.5F);
  EXPECT_EQ(chi2[5], 1.5F);
  EXPECT_EQ(valuesOf<std::int16_t>(source, "Hits.quality.codes"),
            (std::vector<std::int16_t>{-2, -2, -2, -2, -2, -2, -2, -2, 0, 10, 1, 11}));
  // Decorations are as long as the collection in any range of entries.
  for (const Batch& batch : Batches(source, {"Hits.quality.chi2", "Hits.x"}, {1, 3}))
    EXPECT_EQ(batch.values<float>("Hits.quality.chi2").size(),
              batch.values<std::int32_t>("Hits.x").size());
}

// For each size of a value, only its bytes are taken from `missing`.
TEST(Missing, isAValueOfEachType) {
  using enum Scalar;
  constexpr std::uint64_t bits = 0x4142434445464748;
  for (const Scalar type :
       {Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Float32, Float64}) {
    TableDefinition late = test::table("late", TableKind::value, "", {{"x", type, 3}});
    late.members[0].missing = bits;
    const auto bytes = extended(
        Layout::split, [&](detail::BatchBuilder& builder) { builder.add(late); },
        [&](detail::BatchBuilder& builder, std::int32_t /*entry*/) {
          std::memset(builder.append(2, 1), 0, late.rowSize);
        });
    const auto file = test::openBytes(bytes->bytes());
    const auto all = contentsOf(file->category("events")).tables.at({"late", ""}).values.at(0);
    std::vector<std::byte> expected;
    for (int value = 0; value < 6; ++value)
      for (std::size_t byte = 0; byte < sizeOf(type); ++byte)
        expected.push_back(static_cast<std::byte>(bits >> (8 * byte)));
    expected.resize(2 * expected.size());
    EXPECT_EQ(all, expected) << nameOf(type);
  }
}

// Ten thousand tables with few entries: no step may take quadratic time.
TEST(Tables, mayBeManyThousand) {
  constexpr std::int32_t tables = 10'000;
  Writing writing;
  detail::BatchBuilder builder;
  for (std::int32_t i = 0; i < tables; ++i) {
    const std::string name = "table" + std::to_string(i);
    builder.add(i % 2 == 0 ? test::collection(name, {{"x", Scalar::Int32}})
                           : test::values(name, TableKind::value, Scalar::Int32));
  }
  for (std::int32_t cluster = 0; cluster < 2; ++cluster) {
    for (std::int32_t i = 0; i < tables; ++i) {
      if (i % 2 == 0)
        builder.setPresent(static_cast<std::uint32_t>(i));
      addRow(builder, static_cast<std::uint32_t>(i), i + cluster);
    }
    builder.endEntry();
    writing.writer.write("events", builder.batch(static_cast<std::uint64_t>(cluster)));
    builder.clear();
  }
  const auto file = writing.finished();
  const Source& source = file->category("events");
  EXPECT_EQ(source.schema().size(), static_cast<std::uint32_t>(tables));
  for (std::int32_t i = 0; i < tables; i += 997)
    EXPECT_EQ(valuesOf<std::int32_t>(source, i % 2 == 0 ? "table" + std::to_string(i) + ".x"
                                                        : "table" + std::to_string(i)),
              (std::vector{i, i + 1}));
}

} // namespace
} // namespace kaon::kaonfile
