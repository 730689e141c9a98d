#include <kaon/formats/root/RootFile.h>

#include "support/DataFiles.h"
#include "support/RecordingSource.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

// The number of requests for a tree. Each request to a remote file takes time.

namespace kaon::root {
namespace {

std::size_t requestsToOpen(const std::string& tree, const OpenOptions& options = {}) {
  const auto logs = std::make_shared<test::RecordingSource::Logs>();
  const auto file = openRootFile(
      std::make_unique<test::RecordingSource>(
          io::fileSource(test::dataFile("root/ttree_objects.root"), MapUse::never), logs),
      options);
  (void)file->documents(); // searches documents before counting
  logs->views.clear();
  EXPECT_EQ(file->category(tree).entries(), 6U);
  return logs->views.requests().size();
}

TEST(TreeRequests, toOpenAreTheClassesTheTreeAndFirstEntriesOfObjects) {
  EXPECT_EQ(requestsToOpen("twice"), 3U);
}

TEST(TreeRequests, forAllFirstEntriesAreOne) {
  EXPECT_EQ(requestsToOpen("split"), 3U);
  EXPECT_GT(requestsToOpen("split", {.memoryBudget = 0}), 3U); // one branch after another
}

} // namespace
} // namespace kaon::root
