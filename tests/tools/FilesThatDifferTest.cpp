#include <kaon/dataset/Dataframe.h>
#include <kaon/event/Reader.h>
#include <kaon/loop/EventLoop.h>
#include <kaon/tools/Convert.h>
#include <kaon/train/Train.h>

#include "support/Files.h"
#include "support/RelatedEvents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// All tools for several files work with files that have a model's collections in different orders,
// or lack some of them.

namespace kaon {
namespace {

using test::ChannelCollection;

/// Returns an event as text; an event without channels is treated as one with no channels.
std::string textOf(Frame event) {
  if (!event.getIfPresent<ChannelCollection>("Channels"))
    event.put(ChannelCollection(), "Channels");
  return test::textOf(event);
}

class FilesThatDifferTest : public testing::Test {
protected:
  static constexpr int eventsOfFile = 40;

  FilesThatDifferTest() {
    write({"Tracks", "Pixels", "Late", "Strips", "Links"});
    write({"Pixels", "Strips", "Tracks", "Channels", "Links", "Late"});
    write({"Late", "Links", "Channels", "Tracks", "Strips", "Pixels"});
  }
  /// Writes the next events, with these collections in this order.
  void write(const std::vector<std::string>& collections) {
    const int first = static_cast<int>(texts.size());
    paths.push_back(directory / (std::to_string(first) + ".kaon"));
    test::writeRelatedEvents(paths.back(), first, first + eventsOfFile, collections);
    for (int number = first; number < first + eventsOfFile; ++number) {
      Frame event = test::makeRelatedEvent(number);
      if (std::ranges::find(collections, "Channels") == collections.end())
        (void)event.take<ChannelCollection>("Channels");
      texts.push_back(textOf(std::move(event)));
    }
  }
  void expectEvents(const std::string& path, const std::vector<std::string>& expected) const {
    const Reader written(path);
    ASSERT_EQ(written["events"].size(), expected.size());
    for (std::uint64_t entry = 0; entry < expected.size(); ++entry)
      ASSERT_EQ(textOf(written["events"].at(entry)), expected[entry]) << entry;
  }

  test::TemporaryDirectory directory;
  std::string out = directory / "out.kaon";
  std::vector<std::string> paths;
  std::vector<std::string> texts; // of the events of all files
};

TEST_F(FilesThatDifferTest, areJoined) {
  (void)merge(paths, out);
  expectEvents(out, texts);
  const std::string other = directory / "out.root";
  convert(paths, other);
  expectEvents(other, texts);
}

TEST_F(FilesThatDifferTest, goThroughTrains) {
  const char* const isLate = "any(Links.to.time > 700)";
  const auto entries = dataset(paths, "events").filter(isLate).take<std::uint64_t>("dataset.entry");
  std::vector<std::string> late;
  for (const std::uint64_t entry : *entries)
    late.push_back(texts[entry]);
  ASSERT_GT(late.size(), 10U);
  ASSERT_LT(late.size(), texts.size() - 10);
  Train train(dataset(paths, "events"));
  train.add({.path = out, .selection = isLate});
  train.add({.path = directory / "all.kaon"});
  (void)train.run();
  expectEvents(out, late);
  expectEvents(directory / "all.kaon", texts);
}

TEST_F(FilesThatDifferTest, goThroughEventLoops) {
  std::atomic<int> linked = 0, withoutChannels = 0;
  EventLoop loop;
  loop.add("look",
           [&](const test::TrackPixelLinkCollection& links, const ChannelCollection* channels,
               Array<float> times) {
             for (const auto link : links)
               linked += link.getTo().getTime() == times[link.getTo().id().index] ? 1 : 1000;
             withoutChannels += channels ? 0 : 1;
           },
           {"Links", "Channels", "Pixels.time"});
  loop.write({.path = out, .keep = {"*"}});
  std::vector<Category> categories;
  for (const std::string& path : paths)
    categories.push_back(Reader(path)["events"]);
  (void)loop.run(categories);
  int expected = 0;
  for (std::size_t number = 0; number < texts.size(); ++number)
    expected += static_cast<int>(test::makeRelatedEvent(static_cast<int>(number))
                                     .get<test::TrackPixelLinkCollection>("Links")
                                     .size());
  EXPECT_EQ(linked, expected);
  EXPECT_EQ(withoutChannels, eventsOfFile);
  expectEvents(out, texts);
}

} // namespace
} // namespace kaon
