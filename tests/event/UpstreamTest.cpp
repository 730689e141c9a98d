#include "last/last.h"
#include "middle/middle.h"
#include "richmodel/richmodel.h"
#include "support/Errors.h"
#include "support/Files.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

// Models that use the types of other models.

namespace {

TEST(Upstream, relatesObjectsOfSeveralModels) {
  const kaon::test::TemporaryDirectory directory;
  const std::string path = directory / "events.kaon";
  {
    kaon::Frame event;
    rich::inner::ParticleCollection particles;
    particles.create().setStatus(3);
    middle::SegmentCollection segments;
    auto segment = segments.create();
    segment.particle(particles[0]);
    segment.helix({{1, 2, 3}, rich::Origin::generator});
    segment.addpoints({4, 5, 6});
    last::TrackCollection tracks;
    auto track = tracks.create();
    track.setParticle(particles[0]);
    track.addToSegments(segments[0]);
    track.setPoint(other::Point{7, 8});
    event.put(std::move(tracks), "Tracks");
    event.put(std::move(segments), "Segments");
    event.put(std::move(particles), "Particles");
    kaon::Writer writer(path);
    writer.write(event, "events");
    writer.finish();
  }
  const kaon::Frame event = kaon::Reader(path)["events"].at(0);
  const auto track = event.get<last::TrackCollection>("Tracks")[0];
  const middle::Segment segment = track.getSegments(0);
  EXPECT_EQ(track.getParticle().getStatus(), 3);
  EXPECT_EQ(segment.particle(), track.getParticle());
  EXPECT_EQ(segment.helix(), (middle::Helix{{1, 2, 3}, rich::Origin::generator}));
  EXPECT_EQ(segment.origin(), rich::Origin::simulation);
  EXPECT_EQ(segment.points(0), rich::Vector3f(4, 5, 6));
  EXPECT_EQ(track.getPoint(), (other::Point{7, 8}));
  EXPECT_EQ(track.getHelix().origin, kaon::Optional<rich::Origin>());
}

TEST(Upstream, interfacesAndLinksTakeObjectsOfSeveralModels) {
  const kaon::test::TemporaryDirectory directory;
  const std::string path = directory / "events.kaon";
  {
    kaon::Frame event;
    rich::inner::ParticleCollection particles;
    particles.create().setOrigin(rich::Origin::unknown);
    middle::SegmentCollection segments;
    segments.create();
    last::TrackCollection tracks;
    auto track = tracks.create();
    track.setSource(segments[0]);
    last::TrackParticleLinkCollection made;
    auto link = made.create();
    link.setFrom(track);
    link.setTo(particles[0]);
    last::SourceAnyLinkCollection pairs;
    auto pair = pairs.create();
    pair.setFrom(middle::Source(particles[0]));
    pair.setTo(last::Any(track));
    event.put(std::move(tracks), "Tracks");
    event.put(std::move(segments), "Segments");
    event.put(std::move(particles), "Particles");
    event.put(std::move(made), "Made");
    event.put(std::move(pairs), "Pairs");
    kaon::Writer writer(path);
    writer.write(event, "events");
    writer.finish();
  }
  const kaon::Frame event = kaon::Reader(path)["events"].at(0);
  const auto track = event.get<last::TrackCollection>("Tracks")[0];
  EXPECT_TRUE(track.getSource().isA<middle::Segment>());
  EXPECT_EQ(track.getSource().origin(), rich::Origin::simulation);
  const auto link = event.get<last::TrackParticleLinkCollection>("Made")[0];
  EXPECT_EQ(link.getFrom(), track);
  const auto pair = event.get<last::SourceAnyLinkCollection>("Pairs")[0];
  EXPECT_EQ(pair.getFrom().origin(), rich::Origin::unknown);
  EXPECT_EQ(pair.getFrom().as<rich::inner::Particle>(), link.getTo());
  EXPECT_EQ(pair.getTo().as<last::Track>(), track);
}

TEST(Upstream, filesCarryTheWholeModel) {
  const std::string_view json = last::Track::datatype().model->json;
  kaon::test::expectContains(json, R"("version":"v1.2.3")");
  kaon::test::expectContains(json, R"("name":"rich::inner::Particle")");
  kaon::test::expectContains(json, R"("name":"other::Point")");
  EXPECT_EQ(rich::inner::Particle::datatype().model->name, "richmodel");
}

} // namespace
