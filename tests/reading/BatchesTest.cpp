#include <kaon/reading/Batches.h>
#include <kaon/writing/BatchBuilder.h>

#include <kaon/formats/kaonfile/FileWriter.h>

#include "support/Contents.h"
#include "support/Errors.h"
#include "support/MemorySink.h"
#include "support/RandomEvents.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::Contents;
using test::contentsOf;
using test::expectError;
using test::openBytes;
using test::Random;

/// A file in memory with one category.
struct Stored {
  std::shared_ptr<Buffer> bytes;
  std::unique_ptr<File> file;
  [[nodiscard]] const Source& source() const { return file->category("events"); }
};

/// Writes clusters; `fill` fills the builder of each.
template <class Fill>
Stored store(std::size_t clusters, std::size_t pageBytes, Fill fill) {
  Stored stored{std::make_shared<Buffer>(), nullptr};
  kaonfile::FileWriter writer(std::make_unique<test::MemorySink>(stored.bytes),
                              {uncompressed(), pageBytes});
  detail::BatchBuilder builder;
  std::uint64_t first = 0;
  for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
    fill(builder, cluster);
    writer.write("events", builder.batch(first));
    first += builder.entries();
    builder.clear();
  }
  writer.finish();
  stored.file = openBytes(stored.bytes->bytes());
  return stored;
}

void addInts(detail::BatchBuilder& builder, std::uint32_t table, std::size_t rows,
             std::int32_t value) {
  for (std::size_t i = 0; i < rows; ++i)
    std::memcpy(builder.append(table, 1), &value, sizeof value);
}

/// Returns 40 entries with one large track, ten clusters and 100 hits each; values are the entry
/// number.
Stored differentMultiplicities() {
  return store(2, 256, [](detail::BatchBuilder& builder, std::size_t cluster) {
    if (builder.schema().tables().empty())
      for (const char* name : {"Tracks", "Clusters", "Hits"}) {
        TableDefinition table = test::collection(name, {{"entry", Scalar::Int32}});
        table.rowSize = 4;
        builder.add(table);
      }
    for (int i = 0; i < 20; ++i) {
      const auto entry = static_cast<std::int32_t>(cluster) * 20 + i;
      for (const auto& [table, rows] : {std::pair{0U, 1U}, {1U, 10U}, {2U, 100U}}) {
        builder.setPresent(table);
        addInts(builder, table, rows, entry);
      }
      builder.endEntry();
    }
  });
}

TEST(Batches, goThroughAllEntriesOnceInOrder) {
  const Stored stored = differentMultiplicities();
  std::uint64_t next = 0;
  for (const Batch& batch : Batches(stored.source(), {"Hits.entry"})) {
    EXPECT_EQ(batch.firstEntry(), next);
    EXPECT_GT(batch.entries(), 0U);
    next += batch.entries();
  }
  EXPECT_EQ(next, 40U);
}

TEST(Batches, agreeOnEntriesWhereCollectionsHavePagesOfTheirOwn) {
  const Stored stored = differentMultiplicities();
  std::size_t batches = 0;
  for (const Batch& batch :
       Batches(stored.source(), {"Tracks.entry", "Clusters.entry", "Hits.entry"})) {
    ++batches;
    for (const auto& [name, rows] : {std::pair{"Tracks", 1U}, {"Clusters", 10U}, {"Hits", 100U}}) {
      const auto offsets = batch.offsets(name);
      const auto values = batch.values<std::int32_t>(std::string(name) + ".entry");
      ASSERT_EQ(offsets.size(), batch.entries() + 1);
      ASSERT_EQ(values.size(), batch.entries() * rows);
      for (std::size_t i = 0; i < batch.entries(); ++i) {
        EXPECT_EQ(offsets[i], i * rows); // offsets count from the batch's first row
        for (std::size_t row = offsets[i]; row < offsets[i + 1]; ++row)
          ASSERT_EQ(static_cast<std::uint64_t>(values[row]), batch.firstEntry() + i);
      }
    }
  }
  EXPECT_GE(batches, 20U); // a page of hits has one or two entries
}

TEST(Batches, areLongerWhereOnlySmallCollectionsAreAskedFor) {
  const Stored stored = differentMultiplicities();
  std::size_t batches = 0;
  for ([[maybe_unused]] const Batch& batch : Batches(stored.source(), {"Tracks.entry"}))
    ++batches;
  EXPECT_EQ(batches, 2U); // one per cluster
}

TEST(Batches, giveAnyRangeOfEntries) {
  const Stored stored = differentMultiplicities();
  for (std::uint64_t first = 0; first <= 40; ++first)
    for (std::uint64_t last = first; last <= 41; last += 3) {
      std::vector<std::int32_t> expected, found;
      for (std::uint64_t entry = first; entry < std::min<std::uint64_t>(last, 40); ++entry)
        expected.insert(expected.end(), 10, static_cast<std::int32_t>(entry));
      for (const Batch& batch : Batches(stored.source(), {"Clusters"}, {first, last})) {
        EXPECT_EQ(batch.offsets("Clusters")[0], 0U);
        const auto values = batch.values<std::int32_t>("Clusters.entry");
        found.insert(found.end(), values.begin(), values.end());
      }
      ASSERT_EQ(found, expected) << first << " to " << last;
    }
}

TEST(Batches, areEmptyForARangeOutsideOrEmpty) {
  const Stored stored = differentMultiplicities();
  for (const EntryRange range : {EntryRange{40, 50}, {1000, 2000}, {5, 5}, {6, 5}})
    EXPECT_FALSE(Batches(stored.source(), {"Hits"}, range).next());
}

TEST(Batches, areEmptyForACategoryWithoutEntries) {
  const Stored stored = store(1, 64, [](detail::BatchBuilder& builder, std::size_t) {
    builder.add(test::collection("Hits", {{"x", Scalar::Int32}}));
  });
  EXPECT_EQ(stored.source().entries(), 0U);
  EXPECT_FALSE(Batches(stored.source(), {"Hits.x"}).next());
}

TEST(Batches, holdOnlyRequestedColumns) {
  const Stored stored = differentMultiplicities();
  Batches batches(stored.source(), {"Hits.entry"});
  ASSERT_TRUE(batches.next());
  const Batch& batch = batches.batch();
  expectError(ErrorKind::usage, "'Tracks.entry' was not asked for",
              [&] { (void)batch.values<std::int32_t>("Tracks.entry"); });
  expectError(ErrorKind::usage, "no column of 'Tracks' was asked for",
              [&] { (void)batch.offsets("Tracks"); });
}

TEST(Batches, takeANameThatIsRepeatedOrPartOfAnother) {
  const Stored stored = differentMultiplicities();
  Batches batches(stored.source(), {"Hits.entry", "Hits", "Hits.entry"});
  ASSERT_TRUE(batches.next());
  EXPECT_EQ(batches.batch().values<std::int32_t>("Hits.entry").size(),
            batches.batch().offsets("Hits").back());
}

TEST(Batches, withoutNamesStillSayWhichEntries) {
  const Stored stored = differentMultiplicities();
  std::uint64_t entries = 0;
  for (const Batch& batch : Batches(stored.source(), {}))
    entries += batch.entries();
  EXPECT_EQ(entries, 40U);
}

TEST(Batches, sayWhereAnUnknownNameIsNotAndSuggestAnother) {
  const Stored stored = differentMultiplicities();
  expectError(ErrorKind::name,
              stored.source().name() +
                  ": no column is called 'Hits.entri' (did you mean 'Hits.entry'?)",
              [&] { Batches(stored.source(), {"Hits.entri"}); });
}

TEST(Batches, gatherMembersThatLieInRows) {
  const Stored stored = store(1, 64, [](detail::BatchBuilder& builder, std::size_t) {
    const std::uint32_t table = builder.add(test::collection(
        "Hits", {{"a", Scalar::Int8}, {"b", Scalar::Float64}, {"c", Scalar::Int16, 2}},
        Layout::row));
    for (int entry = 0; entry < 10; ++entry) {
      builder.setPresent(table);
      for (int i = 0; i < entry; ++i) {
        std::byte* const row = builder.append(table, 1);
        const auto a = static_cast<std::int8_t>(i);
        const double b = entry + i / 16.;
        const std::int16_t c[] = {static_cast<std::int16_t>(entry), static_cast<std::int16_t>(-i)};
        std::memcpy(row, &a, sizeof a);
        std::memcpy(row + 8, &b, sizeof b);
        std::memcpy(row + 16, &c, sizeof c);
      }
      builder.endEntry();
    }
  });
  std::size_t rows = 0;
  for (const Batch& batch : Batches(stored.source(), {"Hits"}, {3, 9})) {
    const auto a = batch.values<std::int8_t>("Hits.a");
    const auto b = batch.values<double>("Hits.b");
    const auto c = batch.values<std::int16_t>("Hits.c");
    const auto offsets = batch.offsets("Hits");
    ASSERT_EQ(c.size(), 2 * a.size());
    for (std::size_t entry = 0; entry < batch.entries(); ++entry)
      for (std::size_t row = offsets[entry]; row < offsets[entry + 1]; ++row) {
        const auto number = static_cast<int>(batch.firstEntry() + entry);
        const auto i = static_cast<int>(row - offsets[entry]);
        EXPECT_EQ(a[row], i);
        EXPECT_EQ(b[row], number + i / 16.);
        EXPECT_EQ(c[2 * row], number);
        EXPECT_EQ(c[2 * row + 1], -i);
        ++rows;
      }
  }
  EXPECT_EQ(rows, 3U + 4U + 5U + 6U + 7U + 8U);
}

TEST(Batches, tellAbsentFromEmpty) {
  const Stored stored = store(1, 64, [](detail::BatchBuilder& builder, std::size_t) {
    const std::uint32_t table = builder.add(test::collection("Hits", {{"x", Scalar::Int32}}));
    builder.endEntry();
    builder.setPresent(table);
    builder.endEntry();
  });
  Batches batches(stored.source(), {"Hits.x"}, {1, 2});
  ASSERT_TRUE(batches.next());
  EXPECT_EQ(batches.batch().table(0).present[0], std::byte{1});
  EXPECT_TRUE(batches.batch().values<std::int32_t>("Hits.x").empty());
  Batches both(stored.source(), {"Hits.x"});
  ASSERT_TRUE(both.next());
  EXPECT_EQ(both.batch().table(0).present[0], std::byte{0});
  EXPECT_EQ(both.batch().table(0).present[1], std::byte{1});
}

TEST(Batches, readLateTablesAsAbsentInEarlierClusters) {
  const Stored stored = store(3, 64, [](detail::BatchBuilder& builder, std::size_t cluster) {
    if (cluster == 1) {
      builder.add(test::collection("Hits", {{"x", Scalar::Int32}}));
      builder.add(test::values("Hits.times", TableKind::vectorMember, Scalar::Float32, 0));
      builder.add(test::values("run", TableKind::value, Scalar::Int32));
    }
    if (cluster >= 1) {
      builder.setPresent(0);
      addInts(builder, 0, 1, 5);
      builder.append(1, 0);
      builder.endRow(1);
      addInts(builder, 2, 1, 9);
    }
    builder.endEntry();
  });
  const Contents contents = contentsOf(stored.source());
  const auto& hits = contents.tables.at({"Hits", "Thing"});
  EXPECT_EQ(hits.present, (std::vector{std::byte{0}, std::byte{1}, std::byte{1}}));
  EXPECT_EQ(hits.counts, (std::vector<std::uint32_t>{0, 1, 1}));
  std::vector<std::int32_t> runs;
  for (const Batch& batch : Batches(stored.source(), {"run"}))
    runs.push_back(batch.values<std::int32_t>("run")[0]);
  EXPECT_EQ(runs, (std::vector{0, 9, 9}));
}

// Any columns, alone or together, from any entry: the values must be equal.
TEST(Batches, giveTheSameHoweverTheyAreAskedFor) {
  for (const Layout layout : {Layout::split, Layout::row}) {
    test::RandomEvents events(11, 9);
    Contents written;
    const Stored stored = store(3, 128, [&](detail::BatchBuilder& builder, std::size_t cluster) {
      if (cluster == 0)
        for (const TableDefinition& table : test::assortedTables(layout))
          builder.add(table);
      for (int i = 0; i < 15; ++i)
        events.addEntry(builder);
      written.append(builder.batch(0));
    });
    EXPECT_EQ(contentsOf(stored.source()), written);
    Contents inParts;
    Random random(5);
    for (std::uint64_t first = 0; first < 45;) {
      const std::uint64_t last = std::min<std::uint64_t>(45, first + 1 + random.below(7));
      for (const Batch& batch :
           Batches(stored.source(), test::tableNames(stored.source().schema()), {first, last}))
        inParts.append(batch);
      first = last;
    }
    EXPECT_EQ(inParts, written);
    const auto& samples = written.tables.at({"Hits.samples", "Sample"});
    std::vector<std::byte> times;
    for (const Batch& batch : Batches(stored.source(), {"Hits.samples.time"})) {
      const auto values = std::as_bytes(batch.values<double>("Hits.samples.time"));
      times.insert(times.end(), values.begin(), values.end());
    }
    EXPECT_EQ(times, samples.values[0]);
  }
}

TEST(Window, goesToAnyEntryInAnyOrder) {
  const Stored stored = differentMultiplicities();
  detail::Window window(stored.source());
  const std::uint32_t column = stored.source().schema().place(1, 0).column;
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t entry = random.below(40);
    const auto [first, last] = window.rows(1, entry);
    ASSERT_EQ(last - first, 10U);
    std::int32_t value = -1;
    std::memcpy(&value, window.page(column, entry).data + first * 4, sizeof value);
    ASSERT_EQ(static_cast<std::uint64_t>(value), entry);
    EXPECT_TRUE(window.isPresent(1, entry));
  }
}

TEST(Window, hasNoEntryAfterTheLast) {
  const Stored stored = differentMultiplicities();
  detail::Window window(stored.source());
  expectError(ErrorKind::usage, "memory.kaon:events: has no entry 40, only 40",
              [&] { (void)window.pages(0, 40); });
}

} // namespace
} // namespace kaon
