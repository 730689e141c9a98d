#include <kaon/tools/Merge.h>

#include <kaon/dataset/Dataframe.h>
#include <kaon/files/Files.h>

#include "support/CollisionEvents.h"
#include "support/Errors.h"
#include "support/Files.h"

#include <gtest/gtest.h>

#include <cstdint>
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

/// Keys keep their bounds in the index.
TEST_F(MergeTest, EncodesWhatHasTagsOrSortedKeys) {
  events.write(first, {.tags = {"run"}});
  more.write(second, {.tags = {"run"}});
  EXPECT_EQ(merge({first, second}, out)[0].copiedEntries, 0U);
  expectBoth({first, second});
  events.write(first, {.keys = {"run"}});
  more.write(second, {.keys = {"run"}});
  EXPECT_EQ(merge({first, second}, out)[0].copiedEntries, 0U);
  expectBoth({first, second});
  EXPECT_TRUE(open(out)->category("events").sortedKeys());
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
