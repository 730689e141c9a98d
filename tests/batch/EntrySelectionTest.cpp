#include <kaon/batch/EntrySelection.h>
#include <kaon/writing/BatchBuilder.h>

#include <kaon/formats/memory/MemoryFile.h>
#include <kaon/reading/Batches.h>
#include <kaon/reading/Each.h>
#include <kaon/writing/BatchWriter.h>

#include "support/Contents.h"
#include "support/Errors.h"
#include "support/Random.h"
#include "support/RandomEvents.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace kaon {
namespace {

using test::Contents;
using test::expectError;
using test::Random;
using Runs = std::vector<EntryRange>;

Runs runsOf(const EntrySelection& entries) {
  return {entries.runs().begin(), entries.runs().end()};
}

TEST(EntrySelection, isAllEntriesByDefault) {
  EXPECT_EQ(runsOf({}), (Runs{EntryRange{}}));
  EXPECT_EQ(runsOf(EntryRange{3, 9}), (Runs{{3, 9}}));
  EXPECT_EQ(runsOf(EntryRange{9, 3}), Runs{});
}

TEST(EntrySelection, ofAListHasItsRuns) {
  const EntrySelection entries =
      EntrySelection::ofList(std::vector<std::uint64_t>{1, 2, 3, 7, 9, 10});
  EXPECT_EQ(runsOf(entries), (Runs{{1, 4}, {7, 8}, {9, 11}}));
  EXPECT_EQ(entries.size(), 6U);
  EXPECT_EQ(entries.hull(), (EntryRange{1, 11}));
  EXPECT_EQ(EntrySelection::ofList({}).size(), 0U);
}

TEST(EntrySelection, refusesAListThatIsNotSortedOrHasAnEntryTwice) {
  expectError(ErrorKind::usage, "entry 2 follows entry 5", [] {
    (void)EntrySelection::ofList(std::vector<std::uint64_t>{5, 2});
  });
  expectError(ErrorKind::usage, "must ascend", [] {
    (void)EntrySelection::ofList(std::vector<std::uint64_t>{5, 5});
  });
  expectError(ErrorKind::usage, "there is no entry 18446744073709551615",
              [] { (void)EntrySelection::ofList(std::vector{~std::uint64_t{0}}); });
  expectError(ErrorKind::usage, "begins before the end of the previous run", [] {
    (void)EntrySelection(Runs{{0, 5}, {4, 6}});
  });
  expectError(ErrorKind::usage, "is empty", [] { (void)EntrySelection(Runs{{5, 5}}); });
}

TEST(EntrySelection, ofAMaskHasTheTrueEntries) {
  const bool mask[] = {true, false, true, true, false, false, true};
  EXPECT_EQ(runsOf(EntrySelection::ofMask(mask)), (Runs{{0, 1}, {2, 4}, {6, 7}}));
  EXPECT_EQ(runsOf(EntrySelection::ofMask(mask, 100)), (Runs{{100, 101}, {102, 104}, {106, 107}}));
  EXPECT_EQ(runsOf(EntrySelection::ofMask({})), Runs{});
}

TEST(EntrySelection, joinsClustersThatFollowEachOther) {
  EXPECT_EQ(runsOf(EntrySelection(Runs{{0, 5}, {5, 8}, {9, 10}})), (Runs{{0, 8}, {9, 10}}));
}

TEST(EntrySelection, isCutAndMoved) {
  const EntrySelection entries(Runs{{1, 4}, {7, 8}, {9, 11}});
  EXPECT_EQ(runsOf(entries.within({2, 10})), (Runs{{2, 4}, {7, 8}, {9, 10}}));
  EXPECT_EQ(runsOf(entries.within({4, 7})), Runs{});
  EXPECT_EQ(runsOf(entries.within({7, 11}).from(7)), (Runs{{0, 1}, {2, 4}}));
  EXPECT_EQ(entries.runFrom(2), (EntryRange{2, 4}));
  EXPECT_EQ(entries.runFrom(4), (EntryRange{7, 8}));
  EXPECT_EQ(entries.runFrom(11).size(), 0U);
  EXPECT_TRUE(entries.overlaps({3, 5}));
  EXPECT_FALSE(entries.overlaps({4, 7}));
  EXPECT_FALSE(entries.overlaps({11, 99}));
}

/// Writes entries with tables of all kinds, in clusters of 40 entries and pages of a few.
std::shared_ptr<Buffer> assorted(Layout layout, int clusters) {
  test::Writing writing({uncompressed(), 300});
  detail::BatchBuilder builder;
  for (const TableDefinition& table : test::assortedTables(layout))
    builder.add(table);
  test::RandomEvents events(7, 6);
  std::uint64_t written = 0;
  for (int cluster = 0; cluster < clusters; ++cluster) {
    for (int entry = 0; entry < 40; ++entry)
      events.addEntry(builder);
    writing.writer.write("events", builder.batch(written));
    written += builder.entries();
    builder.clear();
  }
  writing.writer.finish();
  return writing.bytes;
}

std::vector<std::uint64_t> entriesOf(const EntrySelection& entries, std::uint64_t most) {
  std::vector<std::uint64_t> numbers;
  for (const EntryRange& run : entries.runs())
    for (std::uint64_t entry = run.first; entry < std::min(run.last, most); ++entry)
      numbers.push_back(entry);
  return numbers;
}

/// Returns random entries, both single ones and long ranges.
EntrySelection randomEntries(Random& random, std::uint64_t entries) {
  std::vector<EntryRange> runs;
  const std::uint64_t longest = 1 + random.below(50);
  for (std::uint64_t entry = random.below(30); entry < entries;) {
    const std::uint64_t last = entry + 1 + random.below(longest);
    runs.push_back({entry, last});
    entry = last + 1 + random.below(40);
  }
  return EntrySelection(std::move(runs));
}

void expectSelected(const Source& source, const EntrySelection& entries) {
  Contents expected;
  const std::vector<std::uint64_t> numbers = entriesOf(entries, source.entries());
  for (const std::uint64_t entry : numbers)
    for (const Batch& batch : Batches::ofAll(source, {entry, entry + 1}))
      expected.append(batch);
  Contents selected;
  std::vector<std::uint64_t> given;
  for (const Batch& batch : Batches::ofAll(source, entries)) {
    selected.append(batch);
    for (const EntryRange& run : batch.runs())
      for (std::uint64_t entry = run.first; entry < run.last; ++entry)
        given.push_back(entry);
  }
  EXPECT_EQ(given, numbers);
  EXPECT_EQ(selected, expected);
}

TEST(Batches, haveTheSelectedEntriesOfAllTables) {
  Random random(3);
  for (const Layout layout : {Layout::split, Layout::member, Layout::row}) {
    const auto bytes = assorted(layout, 12);
    const auto file = test::openBytes(bytes->bytes());
    for (int i = 0; i < 10; ++i)
      expectSelected(file->category("events"), randomEntries(random, 480));
  }
}

TEST(Batches, haveTheSelectedEntriesOfTablesInMemory) {
  const auto bytes = assorted(Layout::split, 12);
  const auto stored = test::openBytes(bytes->bytes());
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(file->sink(), {.clusterEntries = 300});
  for (const Batch& batch : Batches::ofAll(stored->category("events")))
    writer.writeCopy("events", batch);
  writer.finish();
  Random random(4);
  for (int i = 0; i < 10; ++i)
    expectSelected(file->category("events"), randomEntries(random, 480));
}

TEST(Batches, ofSelectedEntriesCanBeWritten) {
  const auto bytes = assorted(Layout::row, 12);
  const std::shared_ptr<const File> stored = test::openBytes(bytes->bytes());
  const Source& source = stored->category("events");
  Random random(6);
  const EntrySelection entries = randomEntries(random, 480);
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(file->sink(), {.provenance = true});
  for (const Batch& batch : Batches::ofAll(source, entries, stored))
    writer.writeCopy("events", batch);
  writer.finish();
  const Source& written = file->category("events");
  EXPECT_EQ(test::valuesOf<std::uint64_t>(written, "provenance.entry"),
            entriesOf(entries, source.entries()));
  EXPECT_EQ(test::contentsOf(written).tables.at({"Hits.samples", "Sample"}),
            test::contentsOf(source, entries).tables.at({"Hits.samples", "Sample"}));
}

/// Writes entries with their numbers, in pages of 64 entries and clusters of 4096.
std::shared_ptr<Buffer> numbers(std::int32_t entries) {
  test::Writing writing({uncompressed(), 256});
  detail::BatchBuilder builder;
  builder.add(test::values("number", TableKind::value, Scalar::Int32));
  for (std::int32_t entry = 0; entry < entries; ++entry) {
    test::addRow(builder, 0, entry);
    builder.endEntry();
    if (builder.entries() == 4096 || entry + 1 == entries) {
      writing.writer.write("events", builder.batch(0));
      builder.clear();
    }
  }
  writing.writer.finish();
  return writing.bytes;
}

TEST(Batches, ofALongRunAreViews) {
  detail::BatchBuilder builder =
      test::entriesOf<std::int32_t>(test::values("number", TableKind::value, Scalar::Int32),
                                    std::vector<std::int32_t>(10'000, 5));
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(file->sink(), {});
  writer.write("events", builder.batch(0));
  writer.finish();
  const Source& source = file->category("events");
  Batches all(source, {"number"});
  ASSERT_TRUE(all.next());
  const auto whole = all.batch().values<std::int32_t>("number");
  const EntrySelection entries(Runs{{10, 12}, {100, 5000}, {5002, 5003}, {6000, 6001}});
  std::vector<std::size_t> sizes;
  for (const Batch& batch : Batches(source, {"number"}, entries)) {
    sizes.push_back(batch.entries());
    if (batch.entries() == 4900) {
      EXPECT_EQ(batch.values<std::int32_t>("number").data(), whole.data() + 100);
    }
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 4900, 2})); // short ranges are joined
}

TEST(Batches, sayWhichFileTheSelectedEntriesAreOf) {
  const auto bytes = numbers(300);
  const std::shared_ptr<const File> file = test::openBytes(bytes->bytes());
  Batches batches(file->category("events"), {"number"}, EntrySelection(Runs{{3, 5}, {9, 10}}),
                  file);
  ASSERT_TRUE(batches.next());
  const auto origins = batches.batch().origins(1, 3);
  ASSERT_EQ(origins.size(), 2U);
  EXPECT_EQ(origins[0].first, 4U);
  EXPECT_EQ(origins[0].count, 1U);
  EXPECT_EQ(origins[1].first, 9U);
  EXPECT_EQ(origins[1].file, file);
}

// Pages without a selected entry are neither requested nor prefetched.
TEST(Batches, readNoPageWithoutASelectedEntry) {
  const auto bytes = numbers(20'000);
  const test::Recorded recorded = test::openRecorded(bytes->bytes());
  const Source& source = recorded.file->category("events");
  const auto bytesRead = [&](const EntrySelection& entries) {
    recorded.logs->views.clear();
    recorded.logs->prefetches.clear();
    std::vector<std::int32_t> values;
    for (const Batch& batch : Batches(source, {"number"}, entries)) {
      const auto some = batch.values<std::int32_t>("number");
      values.insert(values.end(), some.begin(), some.end());
    }
    std::vector<std::int32_t> expected;
    for (const std::uint64_t entry : entriesOf(entries, source.entries()))
      expected.push_back(static_cast<std::int32_t>(entry));
    EXPECT_EQ(values, expected);
    std::uint64_t sum = 0;
    for (const auto& request : recorded.logs->views.requests())
      for (const io::ByteRange& range : request)
        sum += range.count;
    for (const auto& request : recorded.logs->prefetches.requests())
      for (const io::ByteRange& range : request)
        sum -= std::min(sum, range.count); // prefetched bytes are read later
    return sum;
  };
  (void)bytesRead({}); // reads the descriptions of the pages
  // Reads four pages of 256 bytes; those of the later cluster were prefetched.
  EXPECT_EQ(bytesRead(EntrySelection(Runs{{1, 2}, {700, 702}, {9'000, 9'065}})), 2U * 256);
  EXPECT_EQ(bytesRead(EntryRange{9'000, 9'001}), 256U);
}

TEST(Each, givesSelectedEntries) {
  const auto bytes = assorted(Layout::split, 12);
  const auto file = test::openBytes(bytes->bytes());
  const Source& source = file->category("events");
  Random random(5);
  for (int i = 0; i < 5; ++i) {
    const EntrySelection entries = randomEntries(random, source.entries());
    std::vector<std::int64_t> expected, numbersOfEntries;
    std::vector<std::uint32_t> expectedPositions, positions; // as bits
    for (const std::uint64_t entry : entriesOf(entries, source.entries()))
      for (const Batch& batch :
           Batches(source, {"number", "Hits.position.x"}, {entry, entry + 1})) {
        expected.push_back(batch.values<std::int64_t>("number")[0]);
        for (const float value : batch.values<float>("Hits.position.x"))
          expectedPositions.push_back(std::bit_cast<std::uint32_t>(value));
      }
    for (auto [number, position] :
         Each<std::int64_t, Array<Array<float>>>(source, {"number", "Hits.position.x"}, entries)) {
      numbersOfEntries.push_back(number);
      for (const float value : position.flat())
        positions.push_back(std::bit_cast<std::uint32_t>(value));
    }
    EXPECT_EQ(numbersOfEntries, expected);
    EXPECT_EQ(positions, expectedPositions);
  }
}

} // namespace
} // namespace kaon
