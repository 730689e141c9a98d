#include "support/Errors.h"
#include "support/LinkedEvents.h"

#include <kaon/formats/kaonfile/Verify.h>

#include <gtest/gtest.h>

#include <concepts>
#include <sstream>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

namespace {

using kaon::ErrorKind;
using kaon::Frame;
using kaon::Layout;
using kaon::test::expectError;
using linked::Hit;
using linked::Pixel;
using linked::PixelCollection;
using linked::Strip;
using linked::StripCollection;
using linked::TrackCollection;

static_assert(sizeof(Hit) == sizeof(Pixel));
static_assert(std::convertible_to<Pixel, Hit> && std::convertible_to<linked::MutableStrip, Hit>);
static_assert(!std::convertible_to<linked::Track, Hit> && !std::convertible_to<Hit, Pixel>);
static_assert(!std::is_assignable_v<Hit, Hit> && std::is_nothrow_copy_assignable_v<Hit>);

class Interface : public kaon::test::LinkedObjects {};

TEST_F(Interface, readsTheMembersOfItsObject) {
  const std::vector<Hit> hits{pixels[0], strips[0]};
  EXPECT_EQ(hits[0].getTime(), 3.F);
  EXPECT_EQ(hits[1].getTime(), 8.F);
  EXPECT_EQ(hits[0].getPosition(), (linked::Point{1, 2}));
  EXPECT_EQ(hits[1].getPosition(), (linked::Point{9, 10}));
  EXPECT_EQ(hits[0].getAddress(), (std::array{4, 5}));
  EXPECT_EQ(hits[1].getAddress(1), 7);
}

TEST_F(Interface, callsFunctionsOfItsObject) {
  const std::vector<Hit> hits{pixels[0], strips[0]};
  EXPECT_EQ(hits[0].getLength(), 0.1);
  EXPECT_EQ(hits[1].getLength(), 0.5);
  EXPECT_EQ(hits[0].getX(), 1.F);
  EXPECT_EQ(hits[1].getX(), 9.F);
}

TEST_F(Interface, knowsTheTypeOfItsObject) {
  const Hit hit = strips[0];
  EXPECT_TRUE(hit.isA<Strip>());
  EXPECT_FALSE(hit.isA<Pixel>());
  EXPECT_EQ(hit.as<Strip>().getLength(), 0.5);
  expectError(ErrorKind::type, "an interface stands for linked::Strip, not for linked::Pixel",
              [&] { (void)hit.as<Pixel>(); });
}

TEST_F(Interface, isVisitedAsItsObject) {
  const auto name = [](const auto& object) { return object.datatype().name; };
  EXPECT_EQ(Hit(pixels[0]).visit(name), "linked::Pixel");
  EXPECT_EQ(Hit(strips[0]).visit(name), "linked::Strip");
}

TEST_F(Interface, isTheObjectThatItStandsFor) {
  const Hit pixel = pixels[0], same = pixels[0], strip = strips[0];
  EXPECT_EQ(pixel, same);
  EXPECT_EQ(pixel, pixels[0]);
  EXPECT_NE(pixel, strip);
  EXPECT_NE(pixel < strip, strip < pixel);
  EXPECT_EQ((std::unordered_set<Hit>{pixel, same, strip}.size()), 2U);
  const Frame frame = [this] {
    Frame made;
    made.put(std::move(strips), "Strips");
    made.put(std::move(pixels), "Pixels");
    return made;
  }();
  EXPECT_EQ(pixel.id(), frame.get<PixelCollection>("Pixels")[0].id());
  std::ostringstream out;
  out << pixel;
  EXPECT_NE(out.str().find("linked::Pixel"), std::string::npos) << out.str();
}

TEST_F(Interface, canStandForNothing) {
  Hit hit = Hit::makeEmpty();
  EXPECT_FALSE(hit.isAvailable());
  EXPECT_TRUE(hit.isA<Pixel>()); // its first type
  EXPECT_FALSE(hit.as<Pixel>().isAvailable());
  EXPECT_FALSE(hit.isA<Strip>());
  EXPECT_EQ(hit.id().index, kaon::ObjectID::invalid);
  expectError(ErrorKind::type, "stands for no object, not for linked::Strip",
              [&] { (void)hit.as<Strip>(); });
  expectError(ErrorKind::usage, "stands for no object", [&] { (void)hit.getTime(); });
  expectError(ErrorKind::usage, "stands for no object", [&] { hit.visit([](const auto&) {}); });
  hit = pixels[0];
  EXPECT_TRUE(hit.isAvailable());
  hit.unlink();
  EXPECT_FALSE(hit.isAvailable());
}

TEST_F(Interface, keepsALooseObject) {
  Hit hit = Hit::makeEmpty();
  {
    linked::MutablePixel loose;
    loose.setTime(5.F);
    hit = loose;
  }
  EXPECT_EQ(hit.getTime(), 5.F);
}

TEST_F(Interface, isWhereRelationsLeadTo) {
  auto track = tracks.create();
  EXPECT_FALSE(track.getFirst().isAvailable());
  track.setFirst(strips[0]);
  track.addToHits(strips[0]);
  track.addToHits(pixels[0]);
  pixels[0].setNeighbour(strips[0]);
  EXPECT_EQ(track.getFirst(), strips[0]);
  EXPECT_TRUE(track.getHits(1).isA<Pixel>());
  EXPECT_EQ(track.getHits(1).as<Pixel>().getNeighbour().as<Strip>().getLength(), 0.5);
  EXPECT_EQ(track.clone().getHits(0), strips[0]);
}

/// Returns an event with a track through two pixels and a strip.
Frame event() {
  PixelCollection pixels;
  StripCollection strips;
  TrackCollection tracks;
  auto first = pixels.create(linked::Point{1, 2}, 1.F, std::array{1, 1});
  auto second = pixels.create(linked::Point{3, 4}, 2.F, std::array{2, 2});
  auto strip = strips.create(std::array{3, 3}, 0.5, 3.F, linked::Point{5, 6});
  strip.addToSamples(7.F);
  first.setNeighbour(second);
  second.setNeighbour(strip);
  auto track = tracks.create(10.F);
  track.setFirst(first);
  for (const Hit& hit : std::vector<Hit>{first, strip, second})
    track.addToHits(hit);
  tracks.create(20.F).setParent(track);
  Frame frame;
  frame.put(std::move(tracks), "Tracks");
  frame.put(std::move(strips), "Strips");
  frame.put(std::move(pixels), "Pixels");
  return frame;
}

void expectEvent(const Frame& frame) {
  const auto& tracks = frame.get<TrackCollection>("Tracks");
  const auto& pixels = frame.get<PixelCollection>("Pixels");
  ASSERT_EQ(tracks.size(), 2U);
  EXPECT_EQ(tracks[0].getFirst(), pixels[0]);
  EXPECT_FALSE(tracks[1].getFirst().isAvailable());
  std::vector<float> times;
  for (const auto hit : tracks[1].getParent().getHits())
    times.push_back(hit.getTime());
  EXPECT_EQ(times, (std::vector{1.F, 3.F, 2.F}));
  const auto strip = tracks[0].getHits(1);
  ASSERT_TRUE(strip.isA<Strip>());
  EXPECT_EQ(strip.as<Strip>().getSamples(0), 7.F);
  EXPECT_EQ(strip.getPosition(), (linked::Point{5, 6}));
  EXPECT_EQ(pixels[0].getNeighbour().as<Pixel>().getNeighbour(), strip);
}

class InterfaceFile : public kaon::test::StoredEvent {};
INSTANTIATE_TEST_SUITE_P(Layouts, InterfaceFile, testing::Values(Layout::split, Layout::row));

TEST_P(InterfaceFile, isReadAsItWasWritten) { expectEvent(stored(event())); }

TEST_P(InterfaceFile, isCopiedWithItsFrame) { expectEvent(copied(event())); }

TEST(InterfaceInAFile, isSound) {
  const auto bytes = event().toBytes();
  const auto found = kaon::kaonfile::verify(*kaon::io::memorySource("memory.kaon", bytes.bytes()));
  EXPECT_TRUE(found.isSound()) << found.findings[0].what;
}

TEST(InterfaceInAFile, isTheTypeOfRelations) {
  const auto bytes = event().toBytes();
  const auto file = kaon::test::openBytes(bytes.bytes());
  const kaon::Schema& schema = file->category("frame").schema();
  EXPECT_EQ(schema.table(schema.find("Tracks.hits")).type, "linked::Hit");
}

/// Returns a frame with a track whose first hit and parent are the same object, of this type.
Frame trackTo(kaon::test::Writing& writing, const std::string& type) {
  return kaon::test::eventOfTwo(writing, "linked::Track", "momentum", {"first", "parent"}, type);
}

TEST(InterfaceInAFile, leadsToAnyOfItsTypes) {
  for (const char* type : {"linked::Pixel", "linked::Strip"}) {
    kaon::test::Writing writing;
    const Frame frame = trackTo(writing, type);
    const auto first = frame.get<TrackCollection>("Things")[0].getFirst();
    EXPECT_EQ(first.visit([](const auto& hit) { return hit.datatype().name; }), type);
    EXPECT_EQ(first.getTime(), 5.F);
  }
}

TEST(InterfaceInAFile, leadsToNoOtherType) {
  kaon::test::Writing writing;
  const Frame frame = trackTo(writing, "linked::Cluster");
  const auto track = frame.get<TrackCollection>("Things")[0];
  expectError(ErrorKind::type,
              "'Others' is a collection of linked::Cluster, not of linked::Hit, which is any of "
              "linked::Pixel, linked::Strip",
              [&] { (void)track.getFirst(); });
}

// A type that is valid for one relation is not accepted for another, whichever is followed first.
TEST(InterfaceInAFile, doesNotOpenTheWayForOtherRelations) {
  kaon::test::Writing writing;
  const Frame frame = trackTo(writing, "linked::Pixel");
  const auto track = frame.get<TrackCollection>("Things")[0];
  EXPECT_EQ(track.getFirst().getTime(), 5.F);
  expectError(ErrorKind::type, "'Others' is a collection of linked::Pixel, not of linked::Track",
              [&] { (void)track.getParent(); });
}

} // namespace
