#include <kaon/batch/Columns.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/files/Files.h>
#include <kaon/reading/Batches.h>
#include <kaon/tools/Convert.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Contents.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/RandomEvents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

// Lists of lists in columns, in files, in copies of frames and in other layouts.

namespace kaon {
namespace {

using test::Contents;
using test::contentsOf;
using test::expectError;
using Offsets = std::vector<std::uint32_t>;

template <class T>
std::vector<T> list(std::span<const T> values) {
  return {values.begin(), values.end()};
}

std::string findingsOf(const std::string& path) {
  std::string text;
  for (const Finding& finding : verify(path).findings)
    text += finding.column + ": " + finding.what + "\n";
  return text;
}

/// Returns the contents of a file, which must pass verification.
Contents contentsOf(const std::string& path) {
  EXPECT_EQ(findingsOf(path), "");
  return contentsOf(open(path)->category("events"));
}

/// A file of events with lists of all kinds.
class NestedLists : public testing::Test {
protected:
  void SetUp() override {
    BatchWriter writer = batchWriter(m_in, {.clusterEntries = 25, .pageBytes = 256});
    detail::BatchBuilder builder;
    for (const TableDefinition& table : test::assortedTables(Layout::split))
      if (table.kind != TableKind::oneRelation && table.kind != TableKind::manyRelation)
        add(builder, table);
    test::RandomEvents random(4, 8);
    for (int event = 0; event < 60; ++event)
      random.addEntry(builder);
    m_written.append(builder.batch(0));
    writer.write("events", builder.batch(0));
    writer.finish();
  }

  test::TemporaryDirectory m_directory;
  std::string m_in = m_directory / "in.kaon";
  std::string m_out = m_directory / "out.kaon";
  Contents m_written;

private:
  /// Adds a table. Its caller omits relations, because their random references would be invalid.
  void add(detail::BatchBuilder& builder, TableDefinition table) {
    if (table.parent != Table::none)
      table.parent = builder.schema().find(m_names.at(table.parent));
    builder.add(table);
  }
  std::vector<std::string> m_names = [] {
    std::vector<std::string> names;
    for (const TableDefinition& table : test::assortedTables(Layout::split))
      names.push_back(table.name);
    return names;
  }();
};

TEST(Columns, haveListsInLists) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "lists.kaon";
  const std::vector<float> pt{1, 2, 3}, samples{.1F, .2F, .3F, .4F};
  const std::vector<int> cells{7, 8, 9};
  const Offsets muons{0, 2, 3}, hits{0, 2, 2, 3}, ofHits{0, 1, 3, 4};
  const Offsets waveforms{0, 1, 3}, ofWaveforms{0, 2, 2, 4};
  {
    Columns columns(2);
    columns.add("Muon", muons, {{"pt", pt}});
    columns.add("Muon.hits", hits, {{"cell", cells}});
    columns.add("Muon.hits.samples", ofHits, {{"", samples}});
    columns.addLists("waveforms", waveforms);
    columns.add("waveforms.", ofWaveforms, {{"", samples}});
    BatchWriter writer = batchWriter(path);
    writer.write("events", columns.batch());
    writer.finish();
  }
  EXPECT_EQ(findingsOf(path), "");
  const auto file = open(path);
  Batches batches(file->category("events"), {"Muon", "waveforms"}, {1, 2});
  ASSERT_TRUE(batches.next());
  const Batch& second = batches.batch();
  EXPECT_EQ(list(second.values<float>("Muon.pt")), (std::vector{3.F}));
  EXPECT_EQ(list(second.offsets("Muon.hits")), (Offsets{0, 1}));
  EXPECT_EQ(list(second.values<int>("Muon.hits.cell")), (std::vector{9}));
  EXPECT_EQ(list(second.offsets("Muon.hits.samples")), (Offsets{0, 1}));
  EXPECT_EQ(list(second.values<float>("Muon.hits.samples")), (std::vector{.4F}));
  EXPECT_EQ(list(second.offsets("waveforms")), (Offsets{0, 2}));
  EXPECT_EQ(list(second.offsets("waveforms.")), (Offsets{0, 0, 2}));
  EXPECT_EQ(list(second.values<float>("waveforms.")), (std::vector{.3F, .4F}));
}

TEST(Columns, haveAsManyListsAsRowsAbove) {
  Columns columns(1);
  const Offsets two{0, 2};
  columns.addLists("lists", two);
  expectError(ErrorKind::usage, "'lists.' needs 3 offsets",
              [&] { columns.addLists("lists.", two); });
}

TEST_F(NestedLists, areReadAsTheyWereWritten) {
  EXPECT_EQ(contentsOf(m_in), m_written);
  const auto file = open(m_in);
  const Source& events = file->category("events");
  Contents inParts;
  for (std::uint64_t first = 0; first < 60; first += 7)
    for (const Batch& batch : Batches::ofAll(events, {first, first + 7}))
      inParts.append(batch);
  EXPECT_EQ(inParts, m_written);
}

TEST_F(NestedLists, areCutWithTheirEntries) {
  const auto file = open(m_in);
  const Schema& schema = file->category("events").schema();
  Contents slices;
  for (const Batch& batch : Batches::ofAll(file->category("events")))
    for (std::size_t first = 0; first < batch.entries(); first += 3) {
      const detail::BatchSlice slice(batch, first, std::min(batch.entries(), first + 3), schema);
      slices.append(slice.batch());
    }
  EXPECT_EQ(slices, m_written);
}

TEST_F(NestedLists, areCopiedWithFrames) {
  {
    Writer writer(m_out, {.clusterEntries = 17});
    const Reader reader(m_in);
    for (const Frame& event : reader["events"])
      writer.write(event, "events");
    writer.finish();
  }
  EXPECT_EQ(contentsOf(m_out), m_written);
}

TEST_F(NestedLists, lieInEveryLayout) {
  for (const Layout layout : {Layout::row, Layout::member, Layout::split}) {
    convert({m_in}, m_out,
            {.writer = {.storage = {{"Hits", {.layout = layout, .group = "hits"}}}}});
    EXPECT_EQ(contentsOf(m_out), m_written);
  }
}

TEST(BatchBuilder, leavesListsEmptyThatItWasNotGiven) {
  detail::BatchBuilder builder;
  const auto beam = builder.add(test::values("beam", TableKind::value, Scalar::Int32));
  builder.endEntry();
  const auto bins =
      builder.add(test::values("beam.bins", TableKind::vectorMember, Scalar::Int32, beam));
  const auto inner =
      builder.add(test::values("beam.bins.", TableKind::vectorMember, Scalar::Int32, bins));
  builder.endEntry();
  std::memset(builder.append(bins, 2), 0, 8);
  builder.endEntry();
  const Batch batch = builder.batch(0);
  EXPECT_EQ(list(batch.offsets("beam.bins")), (Offsets{0, 0, 0, 2}));
  EXPECT_EQ(batch.table(inner).offsets.size(), 3U);
}

} // namespace
} // namespace kaon
