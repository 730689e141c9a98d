#include <kaon/tools/Convert.h>

#include <kaon/batch/Columns.h>
#include <kaon/batch/StoredClusters.h>
#include <kaon/dataset/Dataframe.h>
#include <kaon/detail/event/Find.h>
#include <kaon/detail/reading/Window.h>
#include <kaon/files/Files.h>
#include <kaon/tools/PrecisionTrial.h>

#include "support/CollisionEvents.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::CollisionEvents;
using test::expectError;

/// Files of collisions that are joined.
class MergeTest : public testing::Test {
protected:
  /// Expects the contents of both files, by category and column.
  void expectBoth(const std::vector<std::string>& inputs) const {
    const Dataframe joined = dataset(out, "events"), expected = dataset(inputs, "events");
    EXPECT_EQ(*joined.take<Array<float>>("Muon.pt"), *expected.take<Array<float>>("Muon.pt"));
    EXPECT_EQ(*joined.take<std::int32_t>("run"), *expected.take<std::int32_t>("run"));
    EXPECT_TRUE(verify(out).isSound());
  }

  /// Expects sorted keys, and the extremes of runs in clusters.
  void expectKeys() const {
    const std::shared_ptr<const File> file = open(out);
    const Source& joined = file->category("events");
    ASSERT_TRUE(joined.sortedKeys());
    EXPECT_EQ(joined.sortedKeys()->entries(), joined.entries());
    const auto run = dataset(out, "events").take<std::int32_t>("run");
    for (const std::int32_t wanted : {0, 17, 199, 250, 299}) {
      std::vector<std::uint64_t> expected;
      for (std::uint64_t entry = 0; entry < run->size(); ++entry)
        if ((*run)[entry] == wanted)
          expected.push_back(entry);
      EXPECT_EQ(detail::findAll(joined, std::array{detail::Key{"run", wanted}}), expected);
    }
    const std::vector<EntryRange> clusters = joined.clusters();
    const auto extremes = joined.extremesOfClusters(joined.schema().find("run"), 0);
    ASSERT_EQ(extremes.size(), clusters.size());
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      EXPECT_EQ(static_cast<std::int32_t>(extremes[i].least), (*run)[clusters[i].first]);
      EXPECT_EQ(static_cast<std::int32_t>(extremes[i].greatest), (*run)[clusters[i].last - 1]);
    }
  }

  test::TemporaryDirectory directory;
  std::string first = directory / "1.kaon", second = directory / "2.kaon";
  std::string out = directory / "out.kaon";
  CollisionEvents events{180'000}, more{120'000, 2};
  std::uint32_t largeCluster = 60'000; // entries
};

TEST_F(MergeTest, copiesStoredPages) {
  events.write(first, {.codec = lz4(), .clusterEntries = largeCluster});
  more.write(second, {.codec = uncompressed(), .clusterEntries = largeCluster});
  const std::vector<MergedCategory> merged = merge({first, second}, out).categories;
  expectBoth({first, second});
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].entries, 300'000U);
  EXPECT_EQ(merged[0].copiedEntries, 300'000U);
  EXPECT_EQ(merged[0].joinedEntries, 0U);
  // Both are copied unchanged, so the joined file has their clusters and pages.
  EXPECT_EQ(open(out)->category("events").clusters().size(), 3U + 2U);
}

/// Small clusters are slow to read; they are joined into larger ones with the same codec.
TEST_F(MergeTest, joinsSmallClusters) {
  for (const Compression codec : {lz4(), uncompressed()}) {
    std::vector<std::string> inputs;
    for (std::uint64_t i = 0; i < 30; ++i) {
      inputs.push_back(directory / (std::to_string(i) + ".kaon"));
      CollisionEvents(200 + i, i).write(inputs.back(), {.codec = codec, .keys = {"run"}});
    }
    const MergedCategory merged = merge(inputs, out).categories[0];
    expectBoth(inputs);
    EXPECT_EQ(merged.copiedEntries, 0U);
    EXPECT_EQ(merged.joinedEntries, merged.entries);
    EXPECT_EQ(open(out)->category("events").clusters().size(), 1U);
    EXPECT_EQ(codecOf(open(out)->category("events")).codec, codec.codec);
  }
}

/// Pages too small to be compressed do not reveal the file's codec.
TEST_F(MergeTest, compressesSmallClustersThatItJoins) {
  std::vector<std::string> inputs;
  for (std::uint64_t i = 0; i < 30; ++i) {
    inputs.push_back(directory / (std::to_string(i) + ".kaon"));
    CollisionEvents(20, i).write(inputs.back());
    const std::shared_ptr<const File> small = open(inputs.back());
    ASSERT_EQ(dynamic_cast<const StoredClusters&>(small->category("events")).codecOfCluster(0),
              Codec::none);
  }
  merge(inputs, out);
  expectBoth(inputs);
  EXPECT_EQ(codecOf(open(out)->category("events")).codec, Codec::zstd);
}

/// The order of entries is kept. A small cluster between large ones cannot be joined.
TEST_F(MergeTest, joinsSmallClustersBetweenLargeOnes) {
  const std::string small = directory / "small.kaon";
  CollisionEvents(1100, 3).write(small, {.keys = {"run"}}); // three clusters
  events.write(first, {.clusterEntries = largeCluster, .keys = {"run"}});
  more.write(second, {.clusterEntries = 100'000, .keys = {"run"}}); // the last cluster is small
  const MergedCategory merged = merge({first, small, second, first}, out).categories[0];
  expectBoth({first, small, second, first});
  EXPECT_EQ(merged.copiedEntries, 480'000U);
  EXPECT_EQ(merged.joinedEntries, 1100U);
  const std::vector<EntryRange> clusters = open(out)->category("events").clusters();
  ASSERT_EQ(clusters.size(), 3U + 1U + 2U + 3U);
  EXPECT_EQ(clusters[3], (EntryRange{180'000, 181'100}));
}

/// The joined file stores the tags of small clusters together, too.
TEST_F(MergeTest, copiesFilesWithTags) {
  events.write(first, {.clusterEntries = largeCluster, .tags = {"run"}});
  more.write(second, {.clusterEntries = largeCluster, .tags = {"run"}});
  EXPECT_EQ(merge({first, second}, out).categories[0].copiedEntries, 300'000U);
  expectBoth({first, second});
}

TEST_F(MergeTest, sortsTheKeysOfCopiedFiles) {
  events.write(first, {.clusterEntries = largeCluster, .keys = {"run"}});
  more.write(second, {.clusterEntries = largeCluster, .keys = {"run"}});
  EXPECT_EQ(merge({first, second}, out).categories[0].copiedEntries, 300'000U);
  expectBoth({first, second});
  expectKeys();
}

/// A cut file has no index that states the positions of its keys, so they are read from the pages.
TEST_F(MergeTest, copiesTheRestOfACutFile) {
  events.write(first, {.clusterEntries = largeCluster, .keys = {"run"}});
  more.write(second, {.clusterEntries = largeCluster, .keys = {"run"}});
  std::filesystem::resize_file(second, std::filesystem::file_size(second) - 8);
  const test::Warnings warnings;
  EXPECT_EQ(merge({second, first}, out).categories[0].copiedEntries, 300'000U);
  expectBoth({second, first});
  expectKeys();
}

/// The second file has a further value, which becomes optional. The clusters of the others are
/// large when decoded, so they are copied.
TEST_F(MergeTest, copiesFilesWithOnlyTheFirstTables) {
  constexpr std::size_t entries = 1'100'000;
  const auto write = [](const std::string& path, bool hasAll) {
    const std::vector<std::int32_t> run(entries, 7), late(entries, 5);
    Columns columns(entries);
    columns.add("run", run);
    if (hasAll)
      columns.add("late", late);
    BatchWriter writer = batchWriter(path);
    writer.write("events", columns.batch());
    writer.finish();
  };
  write(first, false);
  write(second, true);
  EXPECT_EQ(merge({first, second, first}, out).categories[0].copiedEntries, 2 * entries);
  std::vector<std::int32_t> expected(3 * entries, -1);
  std::fill_n(expected.begin() + entries, entries, 5);
  const Dataframe joined = dataset(out, "events");
  EXPECT_EQ(*joined.take<std::int32_t>("default(late, -1)"), expected);
  EXPECT_EQ(*joined.take<std::int32_t>("run"), std::vector<std::int32_t>(3 * entries, 7));
  EXPECT_TRUE(verify(out).isSound());
}

TEST_F(MergeTest, encodesFilesOfAnotherLayout) {
  events.write(first, {.clusterEntries = largeCluster});
  more.write(second, {.layout = Layout::row});
  const MergedCategory merged = merge({first, second}, out).categories[0];
  EXPECT_EQ(merged.copiedEntries, 180'000U);
  EXPECT_EQ(merged.joinedEntries, 0U);
  expectBoth({first, second});
}

TEST_F(MergeTest, refusesFilesThatDoNotFit) {
  events.write(first);
  expectError(ErrorKind::usage, "is one of the files", [&] { (void)merge({first}, first); });
  expectError(ErrorKind::usage, "only .kaon files",
              [&] { (void)merge({first}, directory / "out.root"); });
}

} // namespace
} // namespace kaon
