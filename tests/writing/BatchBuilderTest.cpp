#include <kaon/writing/BatchBuilder.h>

#include <kaon/base/Bytes.h>

#include "support/Errors.h"
#include "support/Tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace kaon {
namespace {

using test::collection;
using test::expectError;
using test::values;

void addInts(detail::BatchBuilder& builder, std::uint32_t table,
             const std::vector<std::int32_t>& ints) {
  std::byte* const rows = builder.append(table, ints.size());
  for (std::size_t i = 0; i < ints.size(); ++i)
    std::memcpy(rows + i * builder.schema().table(table).rowSize, &ints[i], sizeof ints[i]);
}

template <class T>
std::vector<T> list(std::span<const T> span) {
  return {span.begin(), span.end()};
}

using Offsets = std::vector<std::uint32_t>;

TEST(BatchBuilder, gathersEntriesIntoColumns) {
  detail::BatchBuilder builder;
  const std::uint32_t run = builder.add(values("run", TableKind::value, Scalar::Int32));
  addInts(builder, run, {7});
  builder.endEntry();
  addInts(builder, run, {8});
  builder.endEntry();
  const Batch batch = builder.batch(100);
  EXPECT_EQ(batch.firstEntry(), 100U);
  EXPECT_EQ(batch.entries(), 2U);
  EXPECT_EQ(list(batch.values<std::int32_t>("run")), (std::vector{7, 8}));
}

TEST(BatchBuilder, goesOnAfterItsMemoryWasReleased) {
  detail::BatchBuilder builder;
  const std::uint32_t numbers = builder.add(values("list", TableKind::parameter, Scalar::Int32));
  for (const int first : {1, 5}) {
    addInts(builder, numbers, {first, first + 1});
    builder.setPresent(numbers);
    builder.endEntry();
    EXPECT_EQ(builder.entries(), 1U);
    EXPECT_EQ(builder.batch(0).table(numbers).offsets[1], 2U);
    EXPECT_EQ(list(builder.batch(0).values<std::int32_t>("list")), (std::vector{first, first + 1}));
    builder.release();
    EXPECT_EQ(builder.entries(), 0U);
  }
}

/// A row with two members and padding between them.
struct Thing {
  std::int32_t number;
  std::int64_t square;
};

/// Adds entries of several rows, numbered from `first`; returns the next number.
std::int32_t addThings(detail::BatchBuilder& builder, std::uint32_t table, std::int32_t first,
                       std::size_t entries) {
  for (std::size_t entry = 0; entry < entries; ++entry) {
    const std::size_t count = entry % 5;
    std::byte* row = builder.append(table, count);
    for (std::size_t i = 0; i < count; ++i, row += sizeof(Thing), ++first) {
      const Thing thing{first, std::int64_t{first} * first};
      std::memcpy(row, &thing, sizeof thing);
    }
    builder.setPresent(table);
    builder.endEntry();
  }
  return first;
}

void expectThings(const Batch& batch, std::int32_t first, std::int32_t last) {
  const auto& members = batch.table(batch.schema().find("Things")).members;
  ASSERT_EQ(batch.table(batch.schema().find("Things")).rows,
            static_cast<std::size_t>(last - first));
  for (std::int32_t i = first; i < last; ++i) {
    const auto row = static_cast<std::size_t>(i - first);
    ASSERT_EQ(detail::loadAs<std::int32_t>(members[0].at(row)), i);
    ASSERT_EQ(detail::loadAs<std::int64_t>(members[1].at(row)), std::int64_t{i} * i);
  }
}

TEST(BatchBuilder, cutsRowsIntoColumnsAsTheyCome) {
  detail::BatchBuilder builder = detail::BatchBuilder::ofColumns();
  detail::BatchBuilder rows;
  const TableDefinition things =
      collection("Things", {{"number", Scalar::Int32}, {"square", Scalar::Int64}});
  const std::uint32_t table = builder.add(things);
  rows.add(things);
  std::int32_t next = addThings(builder, table, 0, 3000);
  addThings(rows, table, 0, 3000);
  EXPECT_EQ(builder.bytes(), rows.bytes()) << "so that clusters end where they did";
  EXPECT_EQ(builder.batch(0).table(table).members[0].stride, sizeof(std::int32_t));
  EXPECT_EQ(rows.batch(0).table(table).members[0].stride, sizeof(Thing));
  expectThings(builder.batch(0), 0, next);
  // Dropped rows are in no batch. Entries may be added after batch() was called.
  std::memset(builder.append(table, 20), 0xff, 20 * sizeof(Thing));
  builder.dropEntry();
  next = addThings(builder, table, next, 100);
  expectThings(builder.batch(0), 0, next);
  EXPECT_EQ(list(builder.batch(0).offsets("Things")).back(), static_cast<std::uint32_t>(next));
  builder.clear();
  expectThings(builder.batch(0), next, next);
  const std::int32_t last = addThings(builder, table, next, 700);
  expectThings(builder.batch(0), next, last);
  builder.release();
  expectThings(builder.batch(0), 0, addThings(builder, table, 0, 700));
}

TEST(BatchBuilder, keepsRowsThatAreToBeRows) {
  detail::BatchBuilder builder = detail::BatchBuilder::ofColumns();
  const std::uint32_t table = builder.add(
      collection("Things", {{"number", Scalar::Int32}, {"square", Scalar::Int64}}, Layout::row));
  const std::int32_t last = addThings(builder, table, 0, 3000);
  EXPECT_EQ(builder.batch(0).table(table).members[0].stride, sizeof(Thing));
  expectThings(builder.batch(0), 0, last);
}

TEST(BatchBuilder, countsTheRowsOfEachEntryAndOfEachRow) {
  detail::BatchBuilder builder;
  const std::uint32_t hits = builder.add(collection("Hits", {}));
  const std::uint32_t times =
      builder.add(values("Hits.times", TableKind::vectorMember, Scalar::Int32, hits));
  builder.setPresent(hits);
  builder.append(hits, 2);
  addInts(builder, times, {1, 2, 3});
  builder.endRow(times);
  builder.endRow(times);
  builder.endEntry();
  builder.setPresent(hits);
  builder.append(hits, 2);
  addInts(builder, times, {4, 5});
  builder.endRow(times, 1); // one per parent
  builder.endRow(times, 1);
  builder.endEntry();
  const Batch batch = builder.batch(0);
  EXPECT_EQ(list(batch.offsets("Hits")), (Offsets{0, 2, 4}));
  EXPECT_EQ(list(batch.offsets("Hits.times")), (Offsets{0, 3, 3, 4, 5}));
  EXPECT_EQ(list(batch.values<std::int32_t>("Hits.times")), (std::vector{1, 2, 3, 4, 5}));
}

TEST(BatchBuilder, tellsAnEmptyCollectionFromAnAbsentOne) {
  detail::BatchBuilder builder;
  const std::uint32_t hits = builder.add(collection("Hits", {}));
  builder.setPresent(hits);
  builder.endEntry();
  builder.endEntry();
  const Batch batch = builder.batch(0);
  EXPECT_EQ(list(batch.table(hits).present), (std::vector{std::byte{1}, std::byte{0}}));
  EXPECT_EQ(list(batch.offsets("Hits")), (Offsets{0, 0, 0}));
}

TEST(BatchBuilder, makesATableAbsentInTheEntriesBeforeItCame) {
  detail::BatchBuilder builder;
  builder.endEntry();
  builder.endEntry();
  const std::uint32_t hits = builder.add(collection("Hits", {{"x", Scalar::Int32}}));
  const std::uint32_t run = builder.add(values("run", TableKind::value, Scalar::Int32));
  builder.setPresent(hits);
  addInts(builder, hits, {5});
  addInts(builder, run, {3});
  builder.endEntry();
  const Batch batch = builder.batch(0);
  EXPECT_EQ(list(batch.table(hits).present),
            (std::vector{std::byte{0}, std::byte{0}, std::byte{1}}));
  EXPECT_EQ(list(batch.offsets("Hits")), (Offsets{0, 0, 0, 1}));
  EXPECT_EQ(list(batch.values<std::int32_t>("run")), (std::vector{0, 0, 3}));
}

TEST(BatchBuilder, valueThatWasNotSetIsZero) {
  detail::BatchBuilder builder;
  const std::uint32_t run = builder.add(values("run", TableKind::value, Scalar::Int32));
  addInts(builder, run, {3});
  builder.endEntry();
  builder.endEntry();
  EXPECT_EQ(list(builder.batch(0).values<std::int32_t>("run")), (std::vector{3, 0}));
}

TEST(BatchBuilder, fillsInMissingValues) {
  detail::BatchBuilder builder;
  const std::uint32_t hits = builder.add(collection("Hits", {{"x", Scalar::Int32}}));
  builder.setPresent(hits);
  addInts(builder, hits, {1, 2});
  builder.endEntry();
  TableDefinition run = values("run", TableKind::value, Scalar::Int32);
  run.members[0].missing = 9;
  TableDefinition flags =
      test::table("Hits.flags", TableKind::decoration, "", {{"good", Scalar::Int16, 2}}, hits);
  flags.rowSize = 4;
  flags.members[0].missing = 0xffff;
  builder.add(run); // the first entry is complete already
  const std::uint32_t decoration = builder.add(flags);
  builder.setPresent(hits);
  addInts(builder, hits, {3, 4});
  const std::array<std::int16_t, 2> good{5, 6};
  std::memcpy(builder.append(decoration, 1), &good, sizeof good); // only for the first object
  builder.endEntry();
  const Batch batch = builder.batch(0);
  EXPECT_EQ(list(batch.values<std::int32_t>("run")), (std::vector{9, 9}));
  EXPECT_EQ(list(batch.values<std::int16_t>("Hits.flags.good")),
            (std::vector<std::int16_t>{-1, -1, -1, -1, 5, 6, -1, -1}));
}

TEST(BatchBuilder, startsAgainAfterClearWithTheSameTables) {
  detail::BatchBuilder builder;
  const std::uint32_t hits = builder.add(collection("Hits", {{"x", Scalar::Int32}}));
  builder.setPresent(hits);
  addInts(builder, hits, {1, 2});
  builder.endEntry();
  EXPECT_GT(builder.bytes(), 0U);
  builder.clear();
  EXPECT_EQ(builder.entries(), 0U);
  builder.endEntry();
  const Batch batch = builder.batch(1);
  EXPECT_EQ(batch.entries(), 1U);
  EXPECT_EQ(batch.table(hits).rows, 0U);
  EXPECT_EQ(list(batch.table(hits).present), (std::vector{std::byte{0}}));
  EXPECT_EQ(list(batch.offsets("Hits")), (Offsets{0, 0}));
}

TEST(BatchBuilder, takesTablesWithoutMembers) {
  detail::BatchBuilder builder;
  const std::uint32_t value = builder.add(values("nothing", TableKind::value, Scalar::Int8));
  TableDefinition bare = test::table("bare", TableKind::value, "Thing", {});
  const std::uint32_t empty = builder.add(bare);
  builder.endEntry();
  EXPECT_EQ(builder.batch(0).table(value).rows, 1U);
  EXPECT_EQ(builder.batch(0).table(empty).rows, 1U);
}

TEST(BatchBuilder, refusesATableThatDoesNotFit) {
  detail::BatchBuilder builder;
  builder.add(collection("Hits", {}));
  expectError(ErrorKind::usage, "two tables are called 'Hits'",
              [&] { builder.add(collection("Hits", {})); });
}

TEST(BatchBuilder, refusesMoreRowsThanCanBeCounted) {
  detail::BatchBuilder builder;
  const std::uint32_t bare = builder.add(collection("Bare", {}));
  builder.append(bare, 0xffffffffU);
  expectError(ErrorKind::usage, "'Bare' has more than 4294967295 rows in one batch",
              [&] { builder.append(bare, 1); });
}

TEST(Batch, givesValuesOnlyAsTheirType) {
  detail::BatchBuilder builder;
  builder.add(values("run", TableKind::value, Scalar::Int32));
  builder.endEntry();
  const Batch batch = builder.batch(0);
  expectError(ErrorKind::type, "'run' holds int32 values, not float32",
              [&] { (void)batch.values<float>("run"); });
  expectError(ErrorKind::name, "(did you mean 'run'?)",
              [&] { (void)batch.values<std::int32_t>("runs"); });
}

TEST(Batch, givesNoSpanOfValuesThatLieApart) {
  detail::BatchBuilder builder;
  const std::uint32_t hits =
      builder.add(collection("Hits", {{"x", Scalar::Int32}, {"y", Scalar::Int32}}));
  builder.append(hits, 2);
  builder.endEntry();
  expectError(ErrorKind::usage, "are not contiguous",
              [&] { (void)builder.batch(0).values<std::int32_t>("Hits.x"); });
}

TEST(Batch, hasNoOffsetsWhereThereIsOneRowForEach) {
  detail::BatchBuilder builder;
  builder.add(values("run", TableKind::value, Scalar::Int32));
  builder.endEntry();
  expectError(ErrorKind::usage, "'run' has one row for each entry",
              [&] { (void)builder.batch(0).offsets("run"); });
  expectError(ErrorKind::name, "(did you mean 'run'?)",
              [&] { (void)builder.batch(0).offsets("runn"); });
}

TEST(BatchBuilder, dropsAnEntryThatIsNotEnded) {
  detail::BatchBuilder builder;
  const std::uint32_t run = builder.add(values("run", TableKind::value, Scalar::Int32));
  const std::uint32_t hits = builder.add(collection("Hits", {{"x", Scalar::Int32}}));
  const std::uint32_t times =
      builder.add(values("Hits.times", TableKind::vectorMember, Scalar::Int32, hits));
  const auto addEntry = [&](std::int32_t number) {
    addInts(builder, run, {number});
    builder.setPresent(hits);
    addInts(builder, hits, {number, number + 1});
    addInts(builder, times, {number});
    builder.endRow(times, 1);
    builder.endRow(times, 0);
  };
  addEntry(10);
  builder.endEntry();
  addEntry(20);
  const std::uint32_t late = builder.add(values("late", TableKind::value, Scalar::Int32));
  const std::uint32_t quality =
      builder.add(values("Hits.quality", TableKind::decoration, Scalar::Int32, hits));
  addInts(builder, late, {21});
  builder.dropEntry();
  EXPECT_EQ(builder.entries(), 1U);
  builder.endEntry(); // an empty entry
  addEntry(30);
  addInts(builder, quality, {31, 32});
  builder.endEntry();
  const Batch batch = builder.batch(0);
  EXPECT_EQ(list(batch.values<std::int32_t>("run")), (std::vector{10, 0, 30}));
  EXPECT_EQ(list(batch.values<std::int32_t>("late")), (std::vector{0, 0, 0}));
  EXPECT_EQ(list(batch.table(hits).present),
            (std::vector{std::byte{1}, std::byte{0}, std::byte{1}}));
  EXPECT_EQ(list(batch.offsets("Hits")), (Offsets{0, 2, 2, 4}));
  std::vector<std::int32_t> x;
  for (std::size_t row = 0; row < batch.table(hits).rows; ++row)
    x.push_back(detail::loadAs<std::int32_t>(batch.table(hits).members[0].at(row)));
  EXPECT_EQ(x, (std::vector{10, 11, 30, 31}));
  EXPECT_EQ(list(batch.offsets("Hits.times")), (Offsets{0, 1, 1, 2, 2}));
  EXPECT_EQ(list(batch.values<std::int32_t>("Hits.times")), (std::vector{10, 30}));
  EXPECT_EQ(list(batch.values<std::int32_t>("Hits.quality")), (std::vector{0, 0, 31, 32}));
}

} // namespace
} // namespace kaon
