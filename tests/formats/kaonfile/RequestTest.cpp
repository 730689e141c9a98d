#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/formats/kaonfile/FileWriter.h>

#include <kaon/reading/ColumnReader.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Contents.h"
#include "support/Records.h"
#include "support/Writing.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

// The number of requests of a reader and their bytes. Each request to a remote file takes time.

namespace kaon::kaonfile {
namespace {

using test::Recorded;
using test::Writing;

using Requests = std::vector<std::vector<io::ByteRange>>;

/// Writes clusters of 100 entries with hits of four members; values are the entry number.
std::shared_ptr<Buffer> hits(std::size_t clusters) {
  Writing writing({uncompressed(), 256});
  detail::BatchBuilder builder;
  using enum Scalar;
  builder.add(test::collection("Hits", {{"a", Int32}, {"b", Int32}, {"c", Int32}, {"d", Int32}}));
  builder.add(test::values("number", TableKind::value, Int32));
  std::int32_t entry = 0;
  for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
    for (std::size_t i = 0; i < 100; ++i, ++entry) {
      builder.setPresent(0);
      for (std::int32_t row = 0; row < entry % 3; ++row)
        test::addRow(builder, 0, std::array{entry, row, -row, -entry});
      test::addRow(builder, 1, entry);
      builder.endEntry();
    }
    writing.writer.write("events", builder.batch(100 * cluster));
    builder.clear();
  }
  writing.writer.finish();
  return writing.bytes;
}

TEST(Requests, toOpenASmallFileAreOne) {
  const auto bytes = hits(3);
  const Recorded recorded = test::openRecorded(bytes->bytes());
  EXPECT_EQ(recorded.file->category("events").entries(), 300U);
  EXPECT_EQ(recorded.logs->views.requests().size(), 1U);
  EXPECT_TRUE(recorded.logs->prefetches.requests().empty());
}

TEST(Requests, toOpenAFileOfManyColumnsAreTwo) {
  Writing writing({uncompressed(), 64 * 1024});
  detail::BatchBuilder builder;
  for (int i = 0; i < 10'000; ++i)
    builder.add(test::values("column" + std::to_string(i), TableKind::value, Scalar::Float32));
  builder.endEntry();
  writing.writer.write("events", builder.batch(0));
  writing.writer.finish();
  const Recorded recorded = test::openRecorded(writing.bytes->bytes());
  const Source& source = recorded.file->category("events");
  EXPECT_EQ(source.schema().columns().size(), 10'000U);
  EXPECT_EQ(recorded.logs->views.requests().size(), 2U);
  EXPECT_EQ(test::valuesOf<float>(source, "column9999"), std::vector{0.F});
}

TEST(Requests, forAClusterAreItsMetaBytesAndOneForAllPages) {
  const auto bytes = hits(1);
  const Recorded recorded = test::openRecorded(bytes->bytes());
  const test::Record cluster = test::recordsOf(bytes->bytes(), RecordKind::cluster).at(0);
  recorded.logs->views.clear();
  Batches batches(recorded.file->category("events"), {"Hits.b", "Hits.d"});
  EXPECT_TRUE(recorded.logs->views.requests().empty()); // needs no bytes before the first cluster
  while (batches.next()) {
  }
  const Requests views = recorded.logs->views.requests();
  ASSERT_EQ(views.size(), 2U);
  EXPECT_EQ(views[0], (std::vector<io::ByteRange>{
                          {cluster.begin, sizeof(RecordHeader) + cluster.header.metaSize}}));
  EXPECT_EQ(views[1].size(), 3U); // counts, b and d: one range per column
  EXPECT_TRUE(recorded.logs->prefetches.requests().empty()); // there is no further cluster
}

TEST(Requests, areOneForEachFurtherCluster) {
  const auto bytes = hits(5);
  const Recorded recorded = test::openRecorded(bytes->bytes());
  recorded.logs->views.clear();
  EXPECT_EQ(test::valuesOf<std::int32_t>(recorded.file->category("events"), "Hits.a").size(), 499U);
  EXPECT_EQ(recorded.logs->views.requests().size(), 1U + 5U); // with the next metadata
}

// Each thread makes these requests for its part of the entries.
TEST(Requests, forWholeColumnsAreOneForTheCountsAndOneForTheValuesOfACluster) {
  const auto bytes = hits(5);
  const Recorded recorded = test::openRecorded(bytes->bytes());
  recorded.logs->views.clear();
  tbb::task_arena(1).execute([&] {
    ColumnReader reader(recorded.file->category("events"), {"Hits.a", "Hits.b", "Hits.d"});
    EXPECT_EQ(recorded.logs->views.requests().size(), 1U + 5U); // with the first metadata
    std::vector<std::int32_t> a(reader.rows("Hits")), b(a.size()), d(a.size());
    reader.setValues("Hits.a", std::span(a));
    reader.setValues("Hits.b", std::span(b));
    reader.setValues("Hits.d", std::span(d));
    recorded.logs->views.clear();
    reader.read();
    EXPECT_EQ(recorded.logs->views.requests().size(), 5U);
    EXPECT_EQ(d.back(), -499);
  });
}

// The bytes read for one column do not depend on the other columns.
TEST(Requests, forOneOfManyColumnsAreForFewBytes) {
  constexpr std::size_t columns = 5'000, clusters = 4, entries = 400;
  Writing writing({uncompressed(), 64 * 1024});
  detail::BatchBuilder builder;
  for (std::size_t i = 0; i < columns; ++i)
    builder.add(test::values("column" + std::to_string(i), TableKind::value, Scalar::Float32));
  float value = 0;
  for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
    for (std::size_t entry = 0; entry < entries; ++entry) {
      for (std::uint32_t column = 0; column < columns; ++column)
        test::addRow(builder, column, value += 0.37F);
      builder.endEntry();
    }
    writing.writer.write("events", builder.batch(entries * cluster));
    builder.clear();
  }
  writing.writer.finish();
  const Recorded recorded = test::openRecorded(writing.bytes->bytes());
  const Source& source = recorded.file->category("events");
  recorded.logs->views.clear();
  EXPECT_EQ(test::valuesOf<float>(source, "column4321").size(), clusters * entries);
  std::uint64_t read = 0;
  for (const auto& request : recorded.logs->views.requests())
    for (const io::ByteRange& range : request)
      read += range.count;
  EXPECT_LT(read, 2 * clusters * entries * sizeof(float));
}

TEST(Requests, fetchNoMoreThanTheMemoryBudget) {
  const auto bytes = hits(1);
  const auto logs = std::make_shared<test::RecordingSource::Logs>();
  const std::uint64_t budget = 600; // bytes; the column has about 1200
  const auto file = openFile(std::make_unique<test::RecordingSource>(
                                 io::memorySource("memory.kaon", bytes->bytes()), logs),
                             {.memoryBudget = budget});
  logs->views.clear();
  const auto values = test::valuesOf<std::int32_t>(file->category("events"), "Hits.a");
  EXPECT_EQ(values.size(), 99U);
  const Requests views = logs->views.requests();
  EXPECT_GT(views.size(), 2U); // for metadata, then several portions
  for (std::size_t i = 1; i < views.size(); ++i) {
    std::uint64_t fetched = 0;
    for (const io::ByteRange& range : views[i])
      fetched += range.count;
    EXPECT_LE(fetched, budget + 256); // at most one page more
  }
}

TEST(Requests, neverIncludeColumnsThatAreNotWanted) {
  const auto bytes = hits(2);
  const Recorded recorded = test::openRecorded(bytes->bytes());
  EXPECT_EQ(test::valuesOf<std::int32_t>(recorded.file->category("events"), "number").size(), 200U);
  std::uint64_t prefetched = 0;
  for (const auto& request : recorded.logs->prefetches.requests())
    for (const io::ByteRange& range : request)
      prefetched += range.count;
  EXPECT_EQ(prefetched, 100 * sizeof(std::int32_t)); // of the second cluster
}

TEST(Requests, forTheNextClusterAreMadeWhileThisOneIsRead) {
  const auto bytes = hits(4);
  const Recorded recorded = test::openRecorded(bytes->bytes());
  const auto clusters = test::recordsOf(bytes->bytes(), RecordKind::cluster);
  Batches batches(recorded.file->category("events"), {"Hits.a"});
  while (batches.next()) {
    const std::size_t current = batches.batch().firstEntry() / 100;
    const Requests prefetches = recorded.logs->prefetches.requests();
    ASSERT_EQ(prefetches.size(), std::min<std::size_t>(current + 1, 3));
    const io::ByteRange ahead = prefetches.back().front();
    const test::Record& next = clusters[prefetches.size()];
    EXPECT_TRUE(ahead.offset >= next.pages() && ahead.offset + ahead.count <= next.end);
  }
}

TEST(Requests, getTheDescriptionsOfAllPlannedClustersAtOnce) {
  const auto bytes = hits(6);
  const Recorded recorded = test::openRecorded(bytes->bytes());
  const Source& source = recorded.file->category("events");
  const auto cursor = source.cursor();
  recorded.logs->views.clear();
  cursor->fetch({}, {100, 500});
  for (const std::uint64_t entry : {150, 250, 350, 450})
    EXPECT_TRUE(cursor->pages(0, entry).contains(entry));
  EXPECT_EQ(recorded.logs->views.requests().size(), 1U);
  (void)cursor->pages(0, 550); // not planned
  EXPECT_EQ(recorded.logs->views.requests().size(), 2U);
}

TEST(Requests, areOnlyForClustersOfTheRange) {
  const auto bytes = hits(6);
  const Recorded recorded = test::openRecorded(bytes->bytes());
  const auto clusters = test::recordsOf(bytes->bytes(), RecordKind::cluster);
  recorded.logs->views.clear();
  EXPECT_EQ(test::valuesOf<std::int32_t>(recorded.file->category("events"), "number", {250, 350}),
            [] {
              std::vector<std::int32_t> numbers(100);
              std::ranges::generate(numbers, [n = 250]() mutable { return n++; });
              return numbers;
            }());
  EXPECT_EQ(recorded.logs->prefetches.requests().size(), 1U);
  for (const auto& request : recorded.logs->views.requests())
    for (const io::ByteRange& range : request)
      EXPECT_TRUE(range.offset >= clusters[2].begin &&
                  range.offset + range.count <= clusters[3].end)
          << range.offset;
}

} // namespace
} // namespace kaon::kaonfile
