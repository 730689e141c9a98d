#include "support/Errors.h"
#include "support/Files.h"
#include "support/TestEvents.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

// Collections that are requested repeatedly while a frame moves through a file.

namespace {

using kaon::ErrorKind;
using kaon::Frame;
using kaon::test::expectError;
using kaon::test::makeEvent;
using test::HitCollection;
using test::ParticleCollection;
using test::TrackCollection;

class CollectionViews : public testing::Test {
protected:
  CollectionViews() {
    kaon::Writer writer(m_path, {.pageBytes = 500});
    for (int event = 0; event < events; ++event) {
      Frame frame = makeEvent(event);
      if (event % 3 == 0 && frame.getIfPresent<TrackCollection>("Tracks"))
        frame.remove("Tracks");
      HitCollection more;
      more.create();
      frame.put(std::move(more), "More");
      writer.write(frame, "events");
    }
    writer.finish();
  }
  static constexpr int events = 30;
  kaon::test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
};

TEST_F(CollectionViews, areFoundByTheirNamesWhereverTheseLie) {
  std::string name;
  for (const Frame& frame : kaon::Reader(m_path)["events"]) {
    name = "Hits"; // the characters are at the address of the other name
    EXPECT_EQ(frame.getName(frame.get<HitCollection>(name)), name);
    name = "More";
    EXPECT_EQ(frame.getName(frame.get<HitCollection>(name)), name);
    EXPECT_EQ(&frame.get<HitCollection>("More"), &frame.get<HitCollection>(name));
  }
}

TEST_F(CollectionViews, areThoseOfTheEntry) {
  const auto category = kaon::Reader(m_path)["events"];
  std::uint64_t entry = 0;
  for (const Frame& frame : category) {
    const Frame same = category.at(entry++);
    const auto* const tracks = frame.getIfPresent<TrackCollection>("Tracks");
    const auto* const expected = same.getIfPresent<TrackCollection>("Tracks");
    ASSERT_EQ(tracks != nullptr, expected != nullptr) << entry;
    EXPECT_FALSE(tracks && entry % 3 == 1);
    if (tracks) {
      EXPECT_EQ(tracks->size(), expected->size());
    }
    EXPECT_EQ(frame.get<HitCollection>("Hits").size(), same.get<HitCollection>("Hits").size());
  }
}

TEST_F(CollectionViews, areOfTheirClassOnly) {
  for (const Frame& frame : kaon::Reader(m_path)["events"]) {
    (void)frame.get<HitCollection>("Hits");
    expectError(ErrorKind::type, "", [&] { (void)frame.get<ParticleCollection>("Hits"); });
  }
}

TEST_F(CollectionViews, areGoneOnceTheyWereTakenOut) {
  for (Frame& frame : kaon::Reader(m_path)["events"]) {
    ASSERT_NE(frame.getIfPresent<HitCollection>("Hits"), nullptr);
    frame.remove("Hits");
    EXPECT_EQ(frame.getIfPresent<HitCollection>("Hits"), nullptr);
    (void)frame.take<ParticleCollection>("Particles");
    EXPECT_EQ(frame.getIfPresent<ParticleCollection>("Particles"), nullptr);
  }
}

} // namespace
