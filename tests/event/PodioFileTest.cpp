#include "support/DataFiles.h"
#include "toymodel/toymodel.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/object/UserDataCollection.h>

#include "support/Files.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

// Files that podio wrote with ROOT, read with the classes of its model: tests/data/podio.

namespace {

using kaon::Frame;

class PodioFile : public testing::TestWithParam<std::string> {
protected:
  const std::string path = kaon::test::dataFile("podio/toy" + GetParam() + ".root");
  kaon::Category events = kaon::Reader(path)["events"];
};

/// Returns the objects of a frame and their relations as text.
std::string described(const Frame& frame) {
  std::ostringstream out;
  for (const auto particle : frame.get<toy::ParticleCollection>("Particles")) {
    out << particle.getPDG() << ' ' << particle.getVertex().y << ' ' << particle.getSpin()[1];
    for (const auto daughter : particle.getDaughters())
      out << " > " << daughter.getPDG();
  }
  for (const auto hit : frame.get<toy::HitCollection>("Hits"))
    out << '\n' << hit.getEnds()[1].z << ' ' << hit.getParticle().isAvailable();
  for (const auto track : frame.get<toy::TrackCollection>("Tracks")) {
    for (const auto hit : track.getHits())
      out << '\n' << hit.getCellID();
    for (const std::uint16_t count : track.getCounts())
      out << ' ' << count;
    for (const auto state : track.getStates())
      out << ' ' << state.covariance[2];
  }
  for (const auto link : frame.get<toy::HitParticleLinkCollection>("Links"))
    out << '\n' << link.getWeight() << (link.getTo().isAvailable() ? link.getTo().getPDG() : 0);
  for (const float noise : frame.get<kaon::UserDataCollection<float>>("noise"))
    out << '\n' << noise;
  for (const std::string& key : frame.getParameterKeys<std::string>())
    out << '\n' << key << ' ' << *frame.getParameter<std::string>(key);
  return out.str();
}

TEST_P(PodioFile, hasCollectionsOfItsClasses) {
  std::size_t unset = 0, states = 0, strips = 0;
  for (const Frame& frame : events) {
    const auto& particles = frame.get<toy::ParticleCollection>("Particles");
    for (const auto track : frame.get<toy::TrackCollection>("Tracks")) {
      unset += track.getOther().isAvailable() ? 0 : 1;
      for (const auto state : track.getStates())
        states += state.covariance.size() == 3 ? 1 : 0;
      if (track.getParticle().isAvailable()) {
        EXPECT_EQ(track.getParticle(),
                  particles[static_cast<std::size_t>(track.getParticle().getObjectID().index)]);
      }
    }
    for (const auto link : frame.get<toy::HitParticleLinkCollection>("Links"))
      strips += link.getFrom().isAvailable() && link.getFrom().isA<toy::Strip>() ? 1 : 0;
    for (const auto particle : frame.get<toy::ParticleCollection>("Selected"))
      EXPECT_EQ(particle.getPDG(),
                particles[static_cast<std::size_t>(particle.getObjectID().index)].getPDG());
  }
  EXPECT_GT(unset, 0U);
  EXPECT_EQ(states, 32U);
  EXPECT_GT(strips, 0U);
}

TEST_P(PodioFile, hasParametersOfEachType) {
  const Frame frame = events.at(3);
  EXPECT_EQ(frame.getParameter<int>("number"), 3);
  EXPECT_EQ(frame.getParameter<std::vector<int>>("same"), (std::vector{1, 2, -3}));
  EXPECT_EQ(frame.getParameter<std::string>("same"), "text");
  EXPECT_EQ(frame.getParameter<std::vector<float>>("fractions")->size(), 3U);
  EXPECT_TRUE(frame.getParameter<std::vector<int>>("none")->empty());
  EXPECT_EQ(frame.getParameter<int>("odd"), 3);
  EXPECT_FALSE(events.at(2).getParameter<int>("odd"));
}

TEST_P(PodioFile, isReadInAnyOrder) {
  std::vector<std::string> inOrder;
  for (const Frame& frame : events)
    inOrder.push_back(described(frame));
  for (std::uint64_t entry = events.size(); entry > 0; --entry)
    EXPECT_EQ(described(events.at(entry - 1)), inOrder[entry - 1]);
}

TEST_P(PodioFile, isCopiedFrameByFrame) {
  const kaon::test::TemporaryDirectory directory;
  for (const std::string format : {"kaon", "podio"}) {
    kaon::Writer writer(directory / format, {.format = format});
    for (const Frame& frame : events)
      writer.write(frame, "events");
    writer.finish();
    const kaon::Category copies = kaon::Reader(directory / format)["events"];
    ASSERT_EQ(copies.size(), events.size());
    for (std::uint64_t entry = 0; entry < events.size(); ++entry)
      EXPECT_EQ(described(copies.at(entry)), described(events.at(entry)));
  }
}

TEST_P(PodioFile, isWrittenWithNewObjects) {
  const kaon::test::TemporaryDirectory directory;
  kaon::Writer writer(directory / "new.root", {.format = "podio"});
  for (int entry = 0; entry < 3; ++entry) {
    toy::ParticleCollection particles;
    toy::HitCollection hits;
    for (int i = 0; i < entry; ++i) {
      auto hit = hits.create();
      hit.setEnds({toy::Point{1, 2, 3}, toy::Point{4, 5, static_cast<float>(i)}});
      hit.setParticle(particles.create());
      particles[0].addToDaughters(hit.getParticle());
    }
    Frame frame;
    frame.put(std::move(particles), "Particles");
    frame.put(std::move(hits), "Hits");
    frame.putParameter("number", entry);
    writer.write(frame, "events");
  }
  writer.finish();
  const kaon::Category written = kaon::Reader(directory / "new.root")["events"];
  const Frame frame = written.at(2);
  const auto& hits = frame.get<toy::HitCollection>("Hits");
  ASSERT_EQ(hits.size(), 2U);
  EXPECT_EQ(hits[1].getEnds()[0].y, 2);
  EXPECT_EQ(hits[1].getEnds()[1].z, 1);
  EXPECT_EQ(hits[1].getParticle(), frame.get<toy::ParticleCollection>("Particles")[1]);
  EXPECT_EQ(frame.get<toy::ParticleCollection>("Particles")[0].getDaughters().size(), 2U);
  EXPECT_EQ(frame.getParameter<int>("number"), 2);
}

INSTANTIATE_TEST_SUITE_P(Forms, PodioFile, testing::Values(".ttree", ".rntuple"),
                         [](const auto& form) { return form.param.substr(1); });

} // namespace
