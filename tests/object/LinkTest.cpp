#include "support/Errors.h"
#include "support/LinkedEvents.h"

#include <kaon/object/LinkNavigator.h>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using kaon::ErrorKind;
using kaon::Frame;
using kaon::Layout;
using kaon::LinkNavigator;
using kaon::test::expectError;
using linked::HitTrackLinkCollection;
using linked::Pixel;
using linked::PixelCollection;
using linked::StripCollection;
using linked::Track;
using linked::TrackCollection;
using linked::TrackPixelLinkCollection;
using linked::TrackTrackLinkCollection;
using StripTrackLinks = kaon::LinkCollection<linked::Strip, Track>; // not in any model

class Link : public kaon::test::LinkedObjects {};

TEST_F(Link, connectsTwoObjects) {
  TrackPixelLinkCollection links;
  auto link = links.create();
  EXPECT_FALSE(link.getFrom().isAvailable());
  EXPECT_FALSE(link.getTo().isAvailable());
  EXPECT_EQ(link.getWeight(), 1.F);
  link.setFrom(tracks[1]);
  link.setTo(pixels[2]);
  link.setWeight(0.5F);
  EXPECT_EQ(links[0].getFrom(), tracks[1]);
  EXPECT_EQ(links[0].getTo(), pixels[2]);
  EXPECT_EQ(links[0].getWeight(), 0.5F);
}

TEST_F(Link, isMadeOfItsParts) {
  TrackPixelLinkCollection links;
  links.create(tracks[0], pixels[1], 0.25F);
  const auto [from, to, weight] = links[0];
  EXPECT_EQ(from, tracks[0]);
  EXPECT_EQ(to, pixels[1]);
  EXPECT_EQ(weight, 0.25F);
  for (const auto& [track, pixel, w] : std::as_const(links))
    EXPECT_EQ(w, 0.25F);
}

TEST_F(Link, findsItsEndsByTheirTypes) {
  TrackPixelLinkCollection links;
  auto link = links.create();
  link.set(pixels[2]);
  link.set(tracks[1]);
  EXPECT_EQ(link.get<Track>(), tracks[1]);
  EXPECT_EQ(link.get<Pixel>(), pixels[2]);
  HitTrackLinkCollection hitLinks;
  auto hitLink = hitLinks.create();
  hitLink.set(strips[1]); // a strip is a Hit
  hitLink.set(tracks[2]);
  EXPECT_EQ(hitLink.getFrom(), strips[1]);
  EXPECT_EQ(hitLink.get<Track>(), tracks[2]);
}

TEST_F(Link, isAHandleLikeOthers) {
  TrackPixelLinkCollection links;
  const auto link = links.create(tracks[0], pixels[1], 0.25F);
  EXPECT_EQ(link, links[0]);
  auto copy = link.clone();
  EXPECT_NE(copy, link);
  EXPECT_EQ(copy.id().index, kaon::ObjectID::untracked);
  EXPECT_EQ(copy.getTo(), pixels[1]);
  EXPECT_EQ(copy.getWeight(), 0.25F);
  EXPECT_FALSE(link.clone(false).getTo().isAvailable());
  links.push_back(copy);
  EXPECT_EQ(links[1], copy);
  EXPECT_FALSE(linked::TrackPixelLink::makeEmpty().isAvailable());
}

TEST_F(Link, isDescribedByItsModel) {
  const kaon::Datatype& type = linked::TrackPixelLink::datatype();
  EXPECT_EQ(type.name, "linked::TrackPixelLink");
  EXPECT_EQ(type.description, "Which pixels a track has lit");
  EXPECT_EQ(type.model, Track::datatype().model);
  EXPECT_EQ(linked::HitTrackLink::datatype().relations[0].target, "linked::Hit");
}

TEST_F(Link, needsNoModel) {
  EXPECT_EQ(StripTrackLinks::datatype().name, "kaon::Link<linked::Strip,linked::Track>");
  EXPECT_EQ((kaon::Link<linked::Hit, Track>::datatype().name), "linked::HitTrackLink");
  EXPECT_EQ((kaon::Link<Track, linked::Hit>::datatype().name),
            "kaon::Link<linked::Track,linked::Hit>");
}

template <class T>
std::vector<std::pair<T, float>> listed(const kaon::detail::LinkedRange<T>& range) {
  std::vector<std::pair<T, float>> all;
  for (const auto& [object, weight] : range)
    all.emplace_back(object, weight);
  return all;
}

template <class T>
using Listed = std::vector<std::pair<T, float>>;

TEST_F(Link, isFollowedFromEitherEnd) {
  TrackPixelLinkCollection links;
  links.create(tracks[2], pixels[1], 0.1F);
  links.create(tracks[0], pixels[1], 0.2F);
  links.create(tracks[2], pixels[0], 0.3F);
  const LinkNavigator navigator(links);
  EXPECT_EQ(listed(navigator.getLinked(tracks[2])),
            (Listed<Pixel>{{pixels[1], 0.1F}, {pixels[0], 0.3F}}));
  EXPECT_EQ(listed(navigator.getLinked(pixels[1])),
            (Listed<Track>{{tracks[2], 0.1F}, {tracks[0], 0.2F}}));
  EXPECT_EQ(listed(navigator.getLinkedTo(tracks[0])), (Listed<Pixel>{{pixels[1], 0.2F}}));
  EXPECT_EQ(listed(navigator.getLinkedFrom(pixels[0])), (Listed<Track>{{tracks[2], 0.3F}}));
  EXPECT_TRUE(navigator.getLinked(tracks[1]).empty());
  EXPECT_TRUE(navigator.getLinked(Track::makeEmpty()).empty());
}

TEST_F(Link, givesRangesLikeContainers) {
  TrackPixelLinkCollection links;
  links.create(tracks[0], pixels[2]);
  links.create(tracks[0], pixels[1], 0.5F);
  const LinkNavigator navigator(links);
  const auto linked = navigator.getLinked(tracks[0]);
  ASSERT_EQ(linked.size(), 2U);
  EXPECT_EQ(linked[1].weight, 0.5F);
  EXPECT_EQ(linked.front().o, pixels[2]);
  EXPECT_EQ(linked.back().o, pixels[1]);
  EXPECT_EQ(linked.begin()[1].o, pixels[1]);
  EXPECT_THROW((void)linked.at(2), std::out_of_range);
}

TEST_F(Link, isFollowedBetweenObjectsOfOneType) {
  TrackTrackLinkCollection links;
  links.create(tracks[0], tracks[1], 0.1F);
  links.create(tracks[1], tracks[2], 0.2F);
  const LinkNavigator navigator(links);
  EXPECT_EQ(listed(navigator.getLinked(tracks[1], kaon::returnTo)),
            (Listed<Track>{{tracks[2], 0.2F}}));
  EXPECT_EQ(listed(navigator.getLinked(tracks[1], kaon::returnFrom)),
            (Listed<Track>{{tracks[0], 0.1F}}));
}

TEST_F(Link, isFollowedToAndFromInterfaces) {
  HitTrackLinkCollection links;
  links.create(strips[0], tracks[0]);
  links.create(pixels[0], tracks[0]);
  const LinkNavigator navigator(links);
  const auto hits = navigator.getLinked(tracks[0]);
  ASSERT_EQ(hits.size(), 2U);
  EXPECT_TRUE(hits[0].o.isA<linked::Strip>());
  EXPECT_EQ(hits[1].o, pixels[0]);
  EXPECT_EQ(navigator.getLinked(strips[0]).front().o, tracks[0]);
  EXPECT_EQ(navigator.getLinked(linked::Hit(pixels[0])).size(), 1U);
  EXPECT_TRUE(navigator.getLinked(pixels[1]).empty());
}

TEST_F(Link, thatLacksAnEndLeadsToNoObject) {
  TrackPixelLinkCollection links;
  links.create().setFrom(tracks[0]);
  links.create().setTo(pixels[0]);
  const LinkNavigator navigator(links);
  EXPECT_FALSE(navigator.getLinked(tracks[0]).at(0).o.isAvailable());
  EXPECT_FALSE(navigator.getLinked(pixels[0]).at(0).o.isAvailable());
}

/// Returns an event with tracks that are linked with pixels, strips and each other.
Frame event() {
  PixelCollection pixels;
  StripCollection strips;
  TrackCollection tracks;
  for (int i = 0; i < 3; ++i) {
    pixels.create();
    strips.create();
    tracks.create(static_cast<float>(i));
  }
  TrackPixelLinkCollection pixelLinks;
  pixelLinks.create(tracks[0], pixels[2], 0.5F);
  pixelLinks.create(tracks[0], pixels[1], 0.25F);
  pixelLinks.create();
  TrackTrackLinkCollection trackLinks;
  trackLinks.create(tracks[2], tracks[0]);
  HitTrackLinkCollection hitLinks;
  hitLinks.create(strips[1], tracks[1]);
  hitLinks.create(pixels[1], tracks[1]);
  StripTrackLinks stripLinks;
  stripLinks.create(strips[2], tracks[2], 2.F);
  Frame frame;
  frame.put(std::move(pixelLinks), "PixelLinks");
  frame.put(std::move(hitLinks), "HitLinks");
  frame.put(std::move(trackLinks), "TrackLinks");
  frame.put(std::move(stripLinks), "StripLinks");
  frame.put(std::move(tracks), "Tracks");
  frame.put(std::move(pixels), "Pixels");
  frame.put(std::move(strips), "Strips");
  return frame;
}

void expectEvent(const Frame& frame) {
  const auto& tracks = frame.get<TrackCollection>("Tracks");
  const auto& pixels = frame.get<PixelCollection>("Pixels");
  const auto& strips = frame.get<StripCollection>("Strips");
  const auto& pixelLinks = frame.get<TrackPixelLinkCollection>("PixelLinks");
  ASSERT_EQ(pixelLinks.size(), 3U);
  EXPECT_FALSE(pixelLinks[2].getFrom().isAvailable());
  EXPECT_EQ(pixelLinks[2].getWeight(), 1.F);
  EXPECT_EQ(listed(LinkNavigator(pixelLinks).getLinked(tracks[0])),
            (Listed<Pixel>{{pixels[2], 0.5F}, {pixels[1], 0.25F}}));
  const auto& trackLinks = frame.get<TrackTrackLinkCollection>("TrackLinks");
  EXPECT_EQ(listed(LinkNavigator(trackLinks).getLinkedFrom(tracks[0])),
            (Listed<Track>{{tracks[2], 1.F}}));
  const auto& hitLinks = frame.get<HitTrackLinkCollection>("HitLinks");
  EXPECT_EQ(hitLinks[0].getFrom(), strips[1]);
  EXPECT_EQ(hitLinks[1].getFrom(), pixels[1]);
  const auto [strip, track, weight] = frame.get<StripTrackLinks>("StripLinks")[0];
  EXPECT_EQ(strip, strips[2]);
  EXPECT_EQ(track, tracks[2]);
  EXPECT_EQ(weight, 2.F);
}

TEST(LinkInAFile, isStoredAsItsModelSays) {
  const auto bytes = event().toBytes();
  const auto file = kaon::test::openBytes(bytes.bytes());
  const kaon::Schema& schema = file->category("frame").schema();
  const auto links = schema.table(schema.tableNamed("PixelLinks"));
  EXPECT_EQ(links.layout, Layout::member);
  EXPECT_EQ(links.group, "tracks");
  EXPECT_EQ(links.members[0].precision.bits, 10);
  EXPECT_EQ(schema.table(schema.tableNamed("HitLinks")).layout, Layout::split);
}

class LinkFile : public kaon::test::StoredEvent {};
INSTANTIATE_TEST_SUITE_P(Layouts, LinkFile, testing::Values(Layout::split, Layout::row));

TEST_P(LinkFile, isReadAsItWasWritten) { expectEvent(stored(event())); }

TEST_P(LinkFile, isCopiedWithItsFrame) { expectEvent(copied(event())); }

TEST_P(LinkFile, isOfTheKindThatItIs) {
  const Frame frame = stored(event());
  expectError(ErrorKind::type,
              "'TrackLinks' is a collection of linked::TrackTrackLink, not of "
              "linked::TrackPixelLink",
              [&] { (void)frame.get<TrackPixelLinkCollection>("TrackLinks"); });
}

TEST(LinkInAFile, leadsToNoOtherType) {
  kaon::test::Writing writing;
  const Frame frame = kaon::test::eventOfTwo(writing, "linked::TrackPixelLink", "weight",
                                             {"from", "to"}, "linked::Strip");
  const auto& found = frame.get<TrackPixelLinkCollection>("Things");
  expectError(ErrorKind::type, "'Others' is a collection of linked::Strip, not of linked::Pixel",
              [&] { (void)found[0].getTo(); });
  expectError(ErrorKind::type, "'Others' is a collection of linked::Strip, not of linked::Track",
              [&] { (void)LinkNavigator(found); });
}

} // namespace
