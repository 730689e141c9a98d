#include <kaon/formats/root/RootFile.h>

#include <kaon/reading/Batches.h>

#include "support/DataFiles.h"
#include "support/Files.h"
#include "support/RecordingSource.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// The number of requests of an RNTuple's reader. Each request to a remote file takes time.

namespace kaon::root {
namespace {

/// A file that is not in memory, and its requests.
struct FarFile {
  explicit FarFile(const OpenOptions& options = {})
      : file(openRootFile(
            std::make_unique<test::RecordingSource>(
                io::fileSource(test::dataFile("root/rntuple_extended.root"), MapUse::never), logs),
            options)) {}
  std::shared_ptr<test::RecordingSource::Logs> logs =
      std::make_shared<test::RecordingSource::Logs>();
  std::unique_ptr<File> file;
  [[nodiscard]] std::size_t requests() const { return logs->views.requests().size(); }
};

std::size_t rowsIn(const Source& source, const std::vector<std::string>& columns) {
  std::size_t rows = 0;
  for (const Batch& batch : Batches(source, columns))
    rows += batch.entries();
  return rows;
}

TEST(NTupleRequests, toOpenAreTwoForTheFileAndThreeForTheNTuple) {
  const FarFile far;
  EXPECT_EQ(far.requests(), 2U); // the first bytes; the keys
  EXPECT_EQ(far.file->category("ntpl").entries(), 150U);
  EXPECT_EQ(far.requests(), 5U); // the anchor; header and footer; all page lists
}

TEST(NTupleRequests, areOneForTheWantedPagesOfACluster) {
  const FarFile far;
  const Source& source = far.file->category("ntpl");
  far.logs->views.clear();
  EXPECT_EQ(rowsIn(source, {"i32", "v_f32", "late"}), 150U);
  EXPECT_EQ(far.requests(), source.clusters().size());
}

TEST(NTupleRequests, areOneForEachPageWithoutABudget) {
  const FarFile far({.memoryBudget = 0});
  const Source& source = far.file->category("ntpl");
  far.logs->views.clear();
  EXPECT_EQ(rowsIn(source, {"i32"}), 150U);
  EXPECT_EQ(far.requests(), source.clusters().size()); // one page per cluster
}

} // namespace
} // namespace kaon::root
