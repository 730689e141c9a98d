#include <kaon/formats/root/RootFile.h>

#include "support/DataFiles.h"
#include "support/RecordingSource.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

// How often a tree asks for bytes: where these are far away, every request counts.

namespace kaon::root {
namespace {

std::size_t requestsToOpen(const std::string& tree, const OpenOptions& options = {}) {
  const auto logs = std::make_shared<test::RecordingSource::Logs>();
  const auto file =
      openRootFile(std::make_unique<test::RecordingSource>(
                       io::readSource(test::dataFile("root/ttree_objects.root")), logs),
                   options);
  (void)file->documents(); // looked for before
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
