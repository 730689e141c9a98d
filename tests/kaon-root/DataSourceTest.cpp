#include <kaon/root/DataSource.h>
#include <kaon/writing/BatchBuilder.h>

#include <kaon/kaon.h>

#include "kaon-root/ColumnValues.h"
#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/OptionalHits.h"
#include "support/RandomEvents.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <set>
#include <string>
#include <typeinfo>
#include <vector>

namespace kaon {
namespace {

using root::DataSource;
using test::dataFile;
using test::expectError;

/// Writes clusters of 15 random events with a table of each kind, in small pages.
std::string writeEvents(const std::string& path, Layout layout, int clusters) {
  const auto sink = create(path, {.codec = uncompressed(), .pageBytes = 128});
  test::RandomEvents events(11, 9);
  detail::BatchBuilder builder;
  for (const TableDefinition& table : test::assortedTables(layout))
    builder.add(table);
  for (int cluster = 0; cluster < clusters; ++cluster) {
    for (int i = 0; i < 15; ++i)
      events.addEntry(builder);
    sink->write("events", builder.batch(static_cast<std::uint64_t>(cluster) * 15));
    builder.clear();
  }
  sink->finish();
  return path;
}

using Ranges = std::vector<std::pair<ULong64_t, ULong64_t>>;

/// Starts a loop and returns all its ranges.
Ranges begin(DataSource& source, unsigned int slots) {
  source.SetNSlots(slots);
  source.Initialize();
  Ranges all;
  for (Ranges some = source.GetEntryRanges(); !some.empty(); some = source.GetEntryRanges())
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

/// Expects that all values of all columns equal those of kaon's own reader.
void expectValues(const std::string& path, const std::string& category) {
  SCOPED_TRACE(path + ":" + category);
  const auto file = open(path);
  const Source& source = file->category(category);
  test::ColumnsAsJson expected(source);
  DataSource columns(path, category);
  const auto ranges = begin(columns, 1);
  std::vector<test::EntryAsJson> readers;
  for (const std::string& name : columns.GetColumnNames())
    readers.push_back(test::entriesOf(columns, 0, name));
  std::uint64_t entries = 0;
  columns.InitSlot(0, 0);
  for (const auto& [first, last] : ranges)
    for (std::uint64_t entry = first; entry < last; ++entry, ++entries) {
      ASSERT_TRUE(columns.SetEntry(0, entry));
      for (std::size_t i = 0; i < readers.size(); ++i) {
        const std::string& name = columns.GetColumnNames()[i];
        ASSERT_EQ(readers[i](entry), expected.entry(name, columns.GetTypeName(name), entry))
            << name << " in entry " << entry;
      }
    }
  EXPECT_EQ(entries, source.entries());
}

TEST(DataSource, equalsTheDataThatKaonReads) {
  const test::TemporaryDirectory directory;
  for (const Layout layout : {Layout::split, Layout::member, Layout::row})
    expectValues(writeEvents(directory / "events.kaon", layout, 3), "events");
}

TEST(DataSource, equalsTheDataThatKaonReadsFromRootFiles) {
  expectValues(dataFile("root/rntuple_extended.root"),
               open(dataFile("root/rntuple_extended.root"))->categories()[0]);
  expectValues(dataFile("root/rntuple_dirs.root"), "a/inside");
  expectValues(dataFile("root/rntuple_dirs.root"), "ntpl");
  expectValues(dataFile("root/ttree_dirs.root"), "a/b/t");
  expectValues(dataFile("root/ttree_dirs.root"), "empty");
  expectValues(dataFile("root/ttree_two_cycles.root"), "t");
  expectValues(dataFile("root/ttree_offsetmap.root"),
               open(dataFile("root/ttree_offsetmap.root"))->categories()[0]);
}

TEST(DataSource, namesAndTypesOfColumns) {
  const test::TemporaryDirectory directory;
  const DataSource columns(writeEvents(directory / "events.kaon", Layout::split, 1), "events");
  const std::vector<std::pair<std::string, std::string>> some{
      {"run", "std::int32_t"},
      {"beam.on", "bool"},
      {"beam.profile", "ROOT::VecOps::RVec<std::uint16_t>"},
      {"title", "ROOT::VecOps::RVec<std::string>"},
      {"Hits.energy", "ROOT::VecOps::RVec<float>"},
      {"Hits.label", "ROOT::VecOps::RVec<std::string>"},
      {"Hits.position.x", "ROOT::VecOps::RVec<ROOT::VecOps::RVec<float>>"},
      {"Hits.particle.index", "ROOT::VecOps::RVec<std::int32_t>"},
      {"Hits.neighbours.index", "ROOT::VecOps::RVec<ROOT::VecOps::RVec<std::int32_t>>"},
      {"R_rdf_sizeof_Hits", "std::size_t"},
      {"R_rdf_sizeof_Hits.neighbours", "ROOT::VecOps::RVec<std::size_t>"}};
  for (const auto& [name, type] : some) {
    EXPECT_TRUE(columns.HasColumn(name)) << name;
    EXPECT_EQ(columns.GetTypeName(name), type);
  }
  const auto& names = columns.GetColumnNames();
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
}

/// Returns the values of a column in all entries.
test::Json entriesOf(DataSource& columns, const std::string& name) {
  begin(columns, 1);
  const test::EntryAsJson read = test::entriesOf(columns, 0, name);
  columns.InitSlot(0, 0);
  test::Json entries = test::Json::array();
  for (ULong64_t entry = 0; entry < 3; ++entry) {
    columns.SetEntry(0, entry);
    entries.push_back(read(entry));
  }
  return entries;
}

// Files store 0 for missing values.
TEST(DataSource, missingValuesAreEmptyOptionals) {
  const std::vector<std::array<std::string, 3>> expected{
      {"Hits.time", "RVec<std::optional<float>>", "[[1.5, null], [], [0.0]]"},
      {"Hits.range", "RVec<std::optional<ROOT::VecOps::RVec<std::int16_t>>>",
       "[[[1, 2], null], [], [null]]"},
      {"Hits.at.x", "RVec<std::optional<float>>", "[[3.0, null], [], [5.0]]"},
      {"Hits.at.z", "RVec<std::optional<float>>", "[[null, null], [], [6.0]]"},
      {"Hits.late", "RVec<std::optional<double>>", "[[1.25, null], [], [3.25]]"},
      {"Hits.place.x", "RVec<std::optional<float>>", "[[3.0, null], [], [5.0]]"},
      {"Hits.times", "RVec<ROOT::VecOps::RVec<std::optional<float>>>",
       "[[[1.0, null], [2.0, null]], [], [[3.0, null]]]"},
      {"Hits.one", "RVec<ROOT::VecOps::RVec<float>>", "[[[7.0], [8.0]], [], [[9.0]]]"},
      {"Hits.energy", "RVec<float>", "[[1.0, 2.0], [], [3.0]]"},
      {"Hits.time.has_value", "RVec<bool>", "[[true, false], [], [true]]"}};
  for (const Layout layout : {Layout::split, Layout::member, Layout::row}) {
    const test::TemporaryDirectory directory;
    const auto sink = create(directory / "hits.kaon", {});
    test::writeOptionalHits(*sink, layout, true);
    sink->finish();
    DataSource columns(directory / "hits.kaon", "events");
    for (const auto& [name, type, entries] : expected) {
      ASSERT_TRUE(columns.HasColumn(name)) << name;
      EXPECT_EQ(columns.GetTypeName(name), "ROOT::VecOps::" + type);
      EXPECT_EQ(entriesOf(columns, name), test::Json::parse(entries)) << name;
    }
    EXPECT_FALSE(columns.HasColumn("Hits.time.value"));
    EXPECT_FALSE(columns.HasColumn("Hits.late.value"));
  }
}

TEST(DataSource, vectorsAreViewsOfPages) {
  const test::TemporaryDirectory directory;
  DataSource columns(writeEvents(directory / "events.kaon", Layout::split, 1), "events");
  const auto ranges = begin(columns, 1);
  const auto reader = columns.GetColumnReaders(0, "Jets.pt", typeid(ROOT::RVecF));
  columns.InitSlot(0, 0);
  const float* end = nullptr;
  int together = 0;
  for (Long64_t entry = 0; entry < 15; ++entry) {
    columns.SetEntry(0, static_cast<ULong64_t>(entry));
    const auto& pt = *reader->TryGet<ROOT::RVecF>(entry);
    EXPECT_TRUE(ROOT::Detail::VecOps::IsAdopting(pt));
    if (!pt.empty() && pt.data() == end)
      ++together;
    end = pt.data() + pt.size();
  }
  EXPECT_GT(together, 0); // consecutive events of a page share memory
}

TEST(DataSource, bothTypesOf64BitsAreRead) {
  const test::TemporaryDirectory directory;
  DataSource columns(writeEvents(directory / "events.kaon", Layout::split, 1), "events");
  begin(columns, 1);
  const auto asLong = columns.GetColumnReaders(0, "number", typeid(long));
  const auto asLong64 = columns.GetColumnReaders(0, "number", typeid(Long64_t));
  columns.InitSlot(0, 0);
  columns.SetEntry(0, 3);
  EXPECT_EQ(*asLong->TryGet<long>(3), *asLong64->TryGet<Long64_t>(3));
}

TEST(DataSource, rangesAreClusters) {
  const test::TemporaryDirectory directory;
  const std::string path = writeEvents(directory / "events.kaon", Layout::split, 3);
  DataSource one(path, "events");
  EXPECT_EQ(begin(one, 1), (Ranges{{0, 45}}));
  EXPECT_EQ(one.GetEntryRanges(), Ranges{}); // all ranges were returned before
  DataSource two({path, path}, "events");
  EXPECT_EQ(begin(two, 2), (Ranges{{0, 15}, {15, 30}, {30, 45}, {45, 60}, {60, 75}, {75, 90}}));
  two.SetGlobalEntryRange({20, 50});
  two.Initialize();
  EXPECT_EQ(two.GetEntryRanges(), (Ranges{{20, 30}, {30, 45}, {45, 50}}));
}

// RDataFrame asks for the sample of a file between two calls.
TEST(DataSource, oneSlotGetsFileByFile) {
  const test::TemporaryDirectory directory;
  const std::string path = writeEvents(directory / "events.kaon", Layout::split, 3);
  DataSource two({path, path}, "events");
  two.SetNSlots(1);
  for (int loop = 0; loop < 2; ++loop) {
    two.Initialize();
    EXPECT_EQ(two.GetEntryRanges(), (Ranges{{0, 45}}));
    EXPECT_EQ(two.GetEntryRanges(), (Ranges{{45, 90}}));
    EXPECT_EQ(two.GetEntryRanges(), Ranges{});
  }
  two.SetGlobalEntryRange({50, 60});
  two.Initialize();
  EXPECT_EQ(two.GetEntryRanges(), (Ranges{{50, 60}})); // skips the first file but does not end
  EXPECT_EQ(two.GetEntryRanges(), Ranges{});
}

// Another column may have moved the window to pages of later entries. Two tasks can share these
// pages.
TEST(DataSource, slotsGoBackToEarlierEntries) {
  const test::TemporaryDirectory directory;
  const std::string path = writeEvents(directory / "events.kaon", Layout::split, 1);
  const auto file = open(path);
  test::ColumnsAsJson expected(file->category("events"));
  DataSource columns(path, "events");
  begin(columns, 1);
  const std::string type = columns.GetTypeName("Hits.charge");
  const auto charge = test::entriesOf(columns, 0, "Hits.charge");
  const auto energy = test::entriesOf(columns, 0, "Hits.energy");
  for (std::uint64_t entry = 0; entry < 14; ++entry) {
    columns.InitSlot(0, entry);
    columns.SetEntry(0, entry);
    static_cast<void>(charge(entry));
    columns.SetEntry(0, 14);
    static_cast<void>(energy(14));
    columns.InitSlot(0, entry);
    columns.SetEntry(0, entry);
    EXPECT_EQ(charge(entry), expected.entry("Hits.charge", type, entry));
  }
}

TEST(DataSource, columnsThatCameLate) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "events.kaon";
  const std::vector<std::int32_t> values{1, 2, 3};
  const std::vector<std::uint32_t> begins{0, 2, 2, 3};
  BatchWriter writer = batchWriter(path);
  for (const bool isLate : {false, true}) {
    Columns columns(values.size());
    columns.add("early", values);
    if (isLate) {
      columns.add("late", values);
      columns.add("Late", begins, {{"x", values}});
    }
    writer.write("events", columns.batch());
  }
  writer.finish();
  ASSERT_EQ(open(path)->category("events").entries(), 6U);
  expectValues(path, "events");
}

TEST(DataSource, smallClustersAreReadTogether) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "events.kaon";
  BatchWriter writer = batchWriter(path, {.clusterEntries = 10});
  const std::vector<std::int32_t> numbers(10'000, 1);
  Columns columns(numbers.size());
  columns.add("number", numbers);
  writer.write("events", columns.batch());
  writer.finish();
  ASSERT_EQ(open(path)->category("events").clusters().size(), 1'000U);
  DataSource source(path, "events");
  const auto ranges = begin(source, 2);
  EXPECT_GE(ranges.size(), 20U);
  EXPECT_LE(ranges.size(), 32U);
  EXPECT_EQ(ranges.back().second, 10'000U);
}

TEST(DataSource, entriesOfFilesFollowEachOther) {
  const test::TemporaryDirectory directory;
  const std::string first = writeEvents(directory / "first.kaon", Layout::split, 1);
  const std::string second = writeEvents(directory / "second.kaon", Layout::row, 2);
  DataSource both({first, second}, "events");
  const auto ranges = begin(both, 1);
  EXPECT_EQ(ranges.back().second, 45U);
  const auto file = open(second);
  test::ColumnsAsJson expected(file->category("events"));
  for (const std::string name : {"Hits.energy", "beam.profile"}) {
    const auto reader = test::entriesOf(both, 0, name);
    both.InitSlot(0, 0);
    both.SetEntry(0, 3);
    static_cast<void>(reader(3)); // from the first file
    for (std::uint64_t entry = 0; entry < 30; ++entry) {
      both.SetEntry(0, 15 + entry);
      EXPECT_EQ(reader(15 + entry), expected.entry(name, both.GetTypeName(name), entry));
    }
  }
}

/// Writes a file with one value per entry.
template <class T>
std::string writeValues(const std::string& path, const std::string& name) {
  BatchWriter writer = batchWriter(path);
  const std::vector<T> values{1, 2, 3};
  Columns columns(values.size());
  columns.add(name, values);
  writer.write("events", columns.batch());
  writer.finish();
  return path;
}

TEST(DataSource, sayWhichFileDiffers) {
  const test::TemporaryDirectory directory;
  const std::string first = writeValues<std::int32_t>(directory / "first.kaon", "a");
  for (const auto& [second, kind, message] :
       {std::tuple{
            writeValues<double>(directory / "second.kaon", "a"), ErrorKind::type,
            "second.kaon:events: 'a' is double, but std::int32_t in the first file that has it"},
        std::tuple{writeValues<double>(directory / "third.kaon", "b"), ErrorKind::name,
                   "third.kaon:events: has no column 'a', which another file has"}}) {
    DataSource both({first, second}, "events");
    begin(both, 1);
    const auto reader = both.GetColumnReaders(0, "a", typeid(std::int32_t));
    both.InitSlot(0, 0);
    EXPECT_TRUE(both.SetEntry(0, 2));
    for (const Long64_t entry : {3, 4}) // the error repeats
      expectError(kind, message, [&] {
        both.SetEntry(0, static_cast<ULong64_t>(entry));
        static_cast<void>(reader->TryGet<std::int32_t>(entry));
      });
  }
}

TEST(DataSource, reportsMistakes) {
  const test::TemporaryDirectory directory;
  const std::string path = writeEvents(directory / "events.kaon", Layout::split, 1);
  expectError(ErrorKind::missing, "absent.kaon",
              [&] { DataSource(directory / "absent.kaon", "events"); });
  expectError(ErrorKind::name, "did you mean 'events'?", [&] { DataSource(path, "event"); });
  expectError(ErrorKind::usage, "at least one file",
              [] { DataSource(std::vector<std::string>{}, "events"); });
  DataSource columns(path, "events");
  columns.SetNSlots(1);
  expectError(ErrorKind::name, "events.kaon:events: has no column 'Hits.enrgy' (did you mean",
              [&] { static_cast<void>(columns.GetTypeName("Hits.enrgy")); });
  expectError(ErrorKind::type,
              "events.kaon:events: 'Hits.energy' is ROOT::VecOps::RVec<float>, not",
              [&] { columns.GetColumnReaders(0, "Hits.energy", typeid(std::vector<double>)); });
}

} // namespace
} // namespace kaon
