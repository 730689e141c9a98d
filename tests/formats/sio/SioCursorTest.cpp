#include <kaon/formats/sio/SioFile.h>

#include <kaon/detail/io/FetchedRanges.h>
#include <kaon/reading/Batches.h>

#include "support/RecordingSource.h"
#include "support/SioBytes.h"

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kaon::sio {
namespace {

/// Returns two runs with events of 40 kB.
std::string bytesOfRuns() {
  constexpr std::int32_t values = 10'000;
  const std::string list =
      test::sioNumbers(1, values) + std::string(4 * values, '\1') + test::sioNumbers(~0U);
  std::string bytes;
  for (const int run : {7, 8}) {
    bytes += test::lcioRun(run);
    for (int event = 0; event < 3; ++event)
      bytes += test::lcioEvent(event, {{"Values", "LCIntVec", 0, list}});
  }
  return bytes;
}

/// Returns the requests of reading a whole category.
std::vector<std::vector<io::ByteRange>> requestsFor(const std::string& category) {
  const std::string bytes = bytesOfRuns();
  const auto logs = std::make_shared<test::RecordingSource::Logs>();
  const auto file =
      openSioFile(std::make_unique<test::RecordingSource>(
                      io::memorySource("f.slcio", std::as_bytes(std::span(bytes))), logs),
                  {});
  const Source& source = file->category(category);
  logs->views.clear();
  std::uint64_t entries = 0;
  for (const Batch& batch : Batches::ofAll(source))
    entries += batch.entries();
  EXPECT_EQ(entries, source.entries());
  return logs->views.requests();
}

TEST(SioCursor, fetchesRecordsInOneRequestWithTheirHeaders) {
  const auto requests = requestsFor("events");
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests[0].size(), 2U); // one range for the events of each run
}

// Large files have few runs, with all events between them.
TEST(SioCursor, fetchesOnlyTheRecordsOfItsCategory) {
  const auto requests = requestsFor("runs");
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_LT(io::bytesIn(requests[0]), 1000U);
}

} // namespace
} // namespace kaon::sio
