#include "support/Errors.h"
#include "support/Files.h"
#include "support/RelatedEvents.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/train/Train.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

// Relations, lists, links and subsets in files of a train that keep only some of the objects.

namespace kaon {
namespace {

using test::expectError;
using test::Least;
using test::makeRelatedEvent;
using test::textOf;

constexpr int eventCount = 300;

class ThinningTest : public testing::Test {
protected:
  ThinningTest() {
    Writer writer(in, {.clusterEntries = 70});
    for (int event = 0; event < eventCount; ++event)
      writer.write(makeRelatedEvent(event), "events");
    writer.finish();
  }
  /// Writes an output of a train to `out`.
  void write(TrainOutput output) const {
    output.path = out;
    Train train(dataset(in, "events"));
    train.add(std::move(output));
    (void)train.run();
  }
  void expectDropRefused(const std::string& message, const std::string& name) const {
    expectError(ErrorKind::usage, message, [&] { write({.path = {}, .drop = {name}}); });
  }
  void expectThinned(const std::map<std::string, std::string>& thin, const Least& least) const {
    write({.path = {}, .thin = thin});
    const Reader reader(out);
    ASSERT_EQ(reader["events"].size(), static_cast<std::uint64_t>(eventCount));
    int event = 0;
    for (const Frame& frame : reader["events"]) {
      ASSERT_EQ(textOf(frame), textOf(makeRelatedEvent(event), least)) << "event " << event;
      ++event;
    }
  }

  test::TemporaryDirectory directory;
  std::string in = directory / "events.kaon", out = directory / "out.kaon";
};

TEST_F(ThinningTest, leavesAllWhereAllIsTaken) {
  expectThinned({{"Pixels", "Pixels.time >= 0"}, {"Tracks", "Tracks.momentum >= 0"}}, {});
}

/// Relations to one and to many, relations of an interface, links and subsets refer to the pixels
/// that are left.
TEST_F(ThinningTest, leadsRelationsToTheObjectsThatAreLeft) {
  expectThinned({{"Pixels", "Pixels.time >= 500"}}, {.pixels = 500});
}

/// The tracks that are left keep their relations to each other and to others, and their links.
TEST_F(ThinningTest, takesRelationsOfTheObjectsThatAreLeft) {
  expectThinned({{"Tracks", "Tracks.momentum >= 400"}}, {.tracks = 400});
}

TEST_F(ThinningTest, takesListsInLists) {
  expectThinned({{"Channels", "Channels.number >= 350"}}, {.channels = 350});
}

TEST_F(ThinningTest, thinsSeveralCollections) {
  expectThinned({{"Channels", "Channels.number >= 350"},
                 {"Pixels", "Pixels.time >= 600"},
                 {"Tracks", "Tracks.momentum >= 200"}},
                {.pixels = 600, .tracks = 200, .channels = 350});
}

TEST_F(ThinningTest, takesNoObjectsIfNonePass) {
  expectThinned({{"Pixels", "Pixels.time > 5000"}}, {.pixels = 5000});
}

/// Objects may be dropped strictly if no reference to them is written: the selection excludes
/// events in which a pixel would be lost.
TEST_F(ThinningTest, refusesToLoseObjectsWhereThatIsDeclared) {
  expectError(ErrorKind::usage, "out.kaon: 'Tracks.first' refers to an object of entry", [&] {
    write({.path = {}, .thin = {{"Pixels", "Pixels.time >= 500"}}, .lost = LostReference::isError});
  });
  write({.path = {},
         .selection = "min(Pixels.time) >= 500",
         .thin = {{"Pixels", "Pixels.time >= 500"}},
         .lost = LostReference::isError});
  std::vector<std::string> expected;
  for (int number = 0; number < eventCount; ++number) {
    const Frame event = makeRelatedEvent(number);
    if (textOf(event) == textOf(event, {.pixels = 500}))
      expected.push_back(textOf(event));
  }
  std::vector<std::string> written;
  for (const Frame& frame : Reader(out)["events"])
    written.push_back(textOf(frame));
  EXPECT_EQ(written, expected);
}

/// Objects need all parts of a member, and lists need their values.
TEST_F(ThinningTest, dropsMembersAsWholes) {
  expectDropRefused("'Pixels.position.x' is only a part of 'Pixels.position'", "Pixels.position.x");
  expectDropRefused("'Tracks.first.index' is only a part of 'Tracks.first'", "Tracks.first.index");
  expectDropRefused("nothing is left of 'Channels.labels.' without 'Channels.labels..text'",
                    "Channels.labels..text");
  write({.path = {}, .drop = {"Pixels.position", "Channels.labels", "Links.weight"}});
  const Reader reader(out);
  for (const Frame& frame : reader["events"]) {
    for (const auto& pixel : frame.get<linked::PixelCollection>("Pixels"))
      EXPECT_EQ(pixel.getPosition().x, 0);
    for (const auto& link : frame.get<linked::TrackPixelLinkCollection>("Links"))
      EXPECT_EQ(link.getWeight(), 1);
  }
}

} // namespace
} // namespace kaon
