#include <kaon/tools/Merge.h>

#include <kaon/batch/Columns.h>
#include <kaon/batch/Window.h>
#include <kaon/dataset/Dataframe.h>
#include <kaon/event/Find.h>
#include <kaon/files/Files.h>

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
  /// What the two files have, by category and column.
  void expectBoth(const std::vector<std::string>& inputs) const {
    const Dataframe joined = dataset(out, "events"), expected = dataset(inputs, "events");
    EXPECT_EQ(*joined.take<Array<float>>("Muon.pt"), *expected.take<Array<float>>("Muon.pt"));
    EXPECT_EQ(*joined.take<std::int32_t>("run"), *expected.take<std::int32_t>("run"));
    EXPECT_TRUE(verify(out).isSound());
  }

  /// By sorted keys, and by what clusters say of their runs.
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
      EXPECT_EQ(findAll(joined, std::array{Key{"run", wanted}}), expected);
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
  CollisionEvents events{3000}, more{2000, 2};
};

TEST_F(MergeTest, CopiesWhatIsStored) {
  events.write(first, {.codec = lz4()});
  more.write(second, {.codec = uncompressed()});
  const std::vector<MergedCategory> merged = merge({first, second}, out);
  expectBoth({first, second});
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].entries, 5000U);
  EXPECT_EQ(merged[0].copiedEntries, 5000U);
  // Both are stored as they were, so that the joined file has their clusters and pages.
  EXPECT_EQ(open(out)->category("events").clusters().size(), 6U + 4U);
}

/// Tags of small clusters stand together in the joined file as well.
TEST_F(MergeTest, CopiesWhatHasTags) {
  events.write(first, {.tags = {"run"}});
  more.write(second, {.tags = {"run"}});
  EXPECT_EQ(merge({first, second}, out)[0].copiedEntries, 5000U);
  expectBoth({first, second});
  const auto file = open(out);
  const Source& joined = file->category("events");
  Window window(joined);
  EXPECT_EQ(window.pages(joined.schema().find("run"), 0).lastEntry, 5000U);
}

TEST_F(MergeTest, SortsTheKeysOfWhatIsCopied) {
  events.write(first, {.keys = {"run"}});
  more.write(second, {.keys = {"run"}});
  EXPECT_EQ(merge({first, second}, out)[0].copiedEntries, 5000U);
  expectBoth({first, second});
  expectKeys();
}

/// Of a file that was cut no index says where its keys lie: the pages do.
TEST_F(MergeTest, CopiesWhatIsLeftOfACutFile) {
  events.write(first, {.keys = {"run"}});
  more.write(second, {.keys = {"run"}});
  std::filesystem::resize_file(second, std::filesystem::file_size(second) - 8);
  const test::Warnings warnings;
  EXPECT_EQ(merge({second, first}, out)[0].copiedEntries, 5000U);
  expectBoth({second, first});
  expectKeys();
}

/// Tables that came later than what the earlier file has, be they keys.
TEST_F(MergeTest, CopiesWhatHasTheFirstTablesOnly) {
  const auto write = [](const std::string& path, std::size_t entries, bool hasAll) {
    const std::vector<std::int32_t> run(entries, 7), late(entries, 5);
    Columns columns(entries);
    columns.add("run", run);
    if (hasAll)
      columns.add("late", late);
    BatchWriter writer = batchWriter(path, {.clusterEntries = 100});
    writer.write("events", columns.batch());
    writer.finish();
  };
  write(first, 300, false);
  write(second, 200, true);
  EXPECT_EQ(merge({first, second, first}, out)[0].copiedEntries, 800U);
  std::vector<std::int32_t> expected(800, 0);
  std::fill_n(expected.begin() + 300, 200, 5);
  EXPECT_EQ(*dataset(out, "events").take<std::int32_t>("late"), expected);
  EXPECT_EQ(*dataset(out, "events").take<std::int32_t>("run"), std::vector<std::int32_t>(800, 7));
  EXPECT_TRUE(verify(out).isSound());
}

TEST_F(MergeTest, EncodesWhatLiesOtherwise) {
  events.write(first);
  more.write(second, {.layout = Layout::row});
  EXPECT_EQ(merge({first, second}, out)[0].copiedEntries, 3000U);
  expectBoth({first, second});
}

TEST_F(MergeTest, RefusesWhatDoesNotFit) {
  events.write(first);
  expectError(ErrorKind::usage, "is one of the files", [&] { (void)merge({first}, first); });
  expectError(ErrorKind::usage, "to a .kaon file",
              [&] { (void)merge({first}, directory / "out.root"); });
}

} // namespace
} // namespace kaon
