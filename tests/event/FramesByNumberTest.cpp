#include "support/Errors.h"
#include "support/Files.h"
#include "support/RecordingSource.h"
#include "support/TestEvents.h"

#include <kaon/event/Reader.h>
#include <kaon/files/Files.h>
#include <kaon/io/ByteSource.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// Frames that a program requests by number.

namespace {

using kaon::Category;
using kaon::Frame;
using kaon::Layout;
using kaon::Reader;
using kaon::test::expectEvent;
using kaon::test::RecordingSource;
using kaon::test::TemporaryDirectory;
using kaon::test::writeEvents;
using test::HitCollection;

constexpr int events = 60;

class FramesByNumber : public testing::TestWithParam<Layout> {
protected:
  void SetUp() override {
    writeEvents(m_path, events, {.layout = GetParam(), .clusterBytes = 20'000, .pageBytes = 500});
  }
  /// Opens the file again, so that each read of its bytes is counted.
  [[nodiscard]] Category open() {
    return Reader(kaon::open(
        std::make_unique<RecordingSource>(kaon::io::fileSource(m_path), m_logs)))["events"];
  }
  [[nodiscard]] std::size_t countReads() const { return m_logs->views.requests().size(); }
  /// Visits all events in order, each in a frame that is then dropped. Returns the number of reads,
  /// and counts from 0 again.
  [[nodiscard]] std::size_t countReadsInOrder() {
    const Category category = open();
    for (int event = 0; event < events; ++event)
      expectEvent(category.at(static_cast<std::uint64_t>(event)), event);
    const std::size_t reads = countReads();
    m_logs->views.clear();
    return reads;
  }

  TemporaryDirectory m_folder;
  std::string m_path = m_folder / "events.kaon";
  std::shared_ptr<RecordingSource::Logs> m_logs = std::make_shared<RecordingSource::Logs>();
};
INSTANTIATE_TEST_SUITE_P(Layouts, FramesByNumber,
                         testing::Values(Layout::split, Layout::row, Layout::member),
                         [](const auto& test) { return std::string(layoutName(test.param)); });

TEST_P(FramesByNumber, readPagesOnceInOrder) {
  const std::size_t reads = countReadsInOrder();

  // Further frames read only descriptions of pages again.
  const Category replaced = open();
  std::optional<Frame> frame; // exists while the next one is made
  for (int event = 0; event < events; ++event) {
    frame = replaced.at(static_cast<std::uint64_t>(event));
    expectEvent(*frame, event);
  }
  EXPECT_LE(countReads(), reads + reads / 5);

  m_logs->views.clear();
  const Category kept = open();
  std::vector<Frame> frames;
  for (int event = 0; event < events; ++event) {
    frames.push_back(kept.at(static_cast<std::uint64_t>(event)));
    expectEvent(frames.back(), event);
  }
  EXPECT_LE(countReads(), reads + reads / 5);
}

TEST_P(FramesByNumber, readPagesOnceInThreadsTogether) {
  const std::size_t reads = countReadsInOrder();
  const Category shared = open();
  std::atomic<int> next = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int event = next++; event < events; event = next++)
        expectEvent(shared.at(static_cast<std::uint64_t>(event)), event);
    });
  threads.clear();
  // Each thread may read the descriptions of pages, and few threads fall behind by two pages.
  EXPECT_LT(countReads(), 4 * reads);
}

TEST_P(FramesByNumber, keepTheirEntriesWhileTheyExist) {
  const Category category = open();
  std::vector<Frame> frames;
  for (const int event : {50, 3, 4, 51, 3, 59, 0})
    frames.push_back(category.at(static_cast<std::uint64_t>(event)));
  for (std::size_t i = 0; const int event : {50, 3, 4, 51, 3, 59, 0})
    expectEvent(frames[i++], event);
}

TEST_P(FramesByNumber, haveNothingOfDroppedFrames) {
  const Category category = open();
  {
    Frame changed = category.at(7);
    changed.put(HitCollection(), "more");
    changed.putParameter("more", 0.5);
    changed.remove("Hits");
    (void)changed.take<test::TrackCollection>("Tracks");
  }
  const Frame next = category.at(8);
  EXPECT_EQ(next.getIfPresent<HitCollection>("more"), nullptr);
  EXPECT_FALSE(next.getParameter<double>("more"));
  expectEvent(next, 8);
}

TEST_P(FramesByNumber, outliveTheirReader) {
  std::optional<Frame> frame;
  {
    const Category category = open();
    expectEvent(category.at(3), 3);
    frame = category.at(4);
  }
  expectEvent(*frame, 4);
}

TEST_P(FramesByNumber, releaseTheirFile) {
  std::shared_ptr<const kaon::File> file = kaon::open(m_path);
  const std::weak_ptr<const kaon::File> watched = file;
  std::optional<Frame> last;
  {
    const Category category = Reader(std::move(file))["events"];
    std::vector<Frame> frames;
    for (int event = 0; event < 3; ++event)
      frames.push_back(category.at(static_cast<std::uint64_t>(event)));
    last = std::move(frames[1]);
  }
  EXPECT_FALSE(watched.expired());
  expectEvent(*last, 1);
  last.reset();
  EXPECT_TRUE(watched.expired());
}

TEST_P(FramesByNumber, existForEachEntryOnly) {
  const Category category = open();
  expectEvent(category.at(events - 1), events - 1);
  kaon::test::expectError(kaon::ErrorKind::usage, "has no entry 60, only 60",
                          [&] { (void)category.at(events); });
}

TEST_P(FramesByNumber, replaceFramesThatALoopGaveAway) {
  std::vector<Frame> frames;
  for (Frame& frame : open())
    frames.push_back(std::move(frame));
  ASSERT_EQ(frames.size(), events);
  for (int event = 0; event < events; ++event)
    expectEvent(frames[static_cast<std::size_t>(event)], event);
}

} // namespace
