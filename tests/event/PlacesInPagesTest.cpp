#include "support/Errors.h"
#include "support/Files.h"
#include "support/TestEvents.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/object/GenericCollection.h>
#include <kaon/object/ReverseRelation.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

// Objects of many events are in one page. The position of an object always refers to its event.

namespace {

using kaon::Frame;
using test::HitCollection;
using test::Particle;
using test::ParticleCollection;
using test::TrackCollection;

constexpr int events = 30;

class PlacesInPages : public testing::TestWithParam<kaon::Layout> {
protected:
  PlacesInPages() {
    kaon::Writer writer(m_path, {.layout = GetParam(), .pageBytes = 400}); // a few events each
    for (int event = 0; event < events; ++event) {
      m_events.push_back(kaon::test::makeEvent(event));
      writer.write(m_events.back(), "events");
    }
    writer.finish();
  }
  /// Calls `check(frame, event)` in a loop, and for events picked from the last to the first.
  template <class Check>
  void forEachEvent(const Check& check) const {
    const kaon::Reader reader(m_path);
    std::size_t number = 0;
    for (const Frame& frame : reader["events"]) {
      SCOPED_TRACE(number);
      check(frame, m_events[number++]);
    }
    while (number-- > 0) {
      SCOPED_TRACE(number);
      check(reader["events"].at(number), m_events[number]);
    }
  }

  kaon::test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
  std::vector<Frame> m_events;
};

template <class T>
std::string printed(const T& objects) {
  std::ostringstream text;
  text << objects;
  return text.str();
}

TEST_P(PlacesInPages, objectsAreNumberedFromZero) {
  forEachEvent([](const Frame& read, const Frame&) {
    const auto& hits = read.get<HitCollection>("Hits");
    int index = 0;
    for (const auto hit : hits) {
      EXPECT_EQ(hit.id().index, index);
      EXPECT_EQ(hit, hits[static_cast<std::size_t>(index)]);
      EXPECT_EQ(hit, hits.at(static_cast<std::size_t>(index++)));
    }
    EXPECT_EQ(index, static_cast<int>(hits.size()));
    EXPECT_EQ(hits.end() - hits.begin(), index);
    EXPECT_EQ(std::ranges::find(hits, hits.size() ? hits[hits.size() - 1] : test::Hit()),
              hits.size() ? hits.end() - 1 : hits.end());
  });
}

TEST_P(PlacesInPages, readCollectionsEqualWrittenCollections) {
  forEachEvent([](const Frame& read, const Frame& written) {
    EXPECT_EQ(read.get<ParticleCollection>("Particles"),
              written.get<ParticleCollection>("Particles"));
    EXPECT_EQ(read.get<TrackCollection>("Tracks"), written.get<TrackCollection>("Tracks"));
    EXPECT_EQ(read.get<TrackCollection>("Tracks").toCollection(),
              written.get<TrackCollection>("Tracks"));
  });
}

TEST_P(PlacesInPages, relationsLeadBack) {
  forEachEvent([](const Frame& read, const Frame&) {
    const auto& hits = read.get<HitCollection>("Hits");
    const kaon::ReverseRelation hitsOf(hits, &test::Hit::getParticle);
    std::size_t found = 0;
    for (const Particle particle : read.get<ParticleCollection>("Particles"))
      for (const auto hit : hitsOf.of(particle)) {
        EXPECT_EQ(hit.getParticle(), particle);
        ++found;
      }
    EXPECT_EQ(found, static_cast<std::size_t>(std::ranges::count_if(
                         hits, [](const auto& hit) { return hit.getParticle().isAvailable(); })));
  });
}

TEST_P(PlacesInPages, copiesSubsetsAndTextsAreOfTheEvent) {
  forEachEvent([](const Frame& read, const Frame& written) {
    const auto& particles = read.get<ParticleCollection>("Particles");
    const auto& originals = written.get<ParticleCollection>("Particles");
    const auto isStable = [](const Particle& particle) { return particle.getStable(); };
    EXPECT_EQ(particles.filter(isStable).toCollection(), originals.filter(isStable).toCollection());
    for (std::size_t i = 0; i < particles.size(); ++i)
      EXPECT_EQ(particles[i].clone(false).getPDG(), originals[i].getPDG());
    const auto& hits = read.get<HitCollection>("Hits");
    if (!hits.empty()) {
      kaon::test::expectContains(printed(hits[hits.size() - 1]),
                                 std::to_string(hits[hits.size() - 1].getCell()));
      kaon::test::expectContains(printed(hits), std::to_string(hits[hits.size() - 1].getCell()));
    }
  });
}

TEST_P(PlacesInPages, newObjectsAreRelatedToThem) {
  forEachEvent([](const Frame& read, const Frame&) {
    const auto& particles = read.get<ParticleCollection>("Particles");
    HitCollection hits;
    for (const auto particle : particles)
      hits.create().setParticle(particle);
    for (std::size_t i = 0; i < particles.size(); ++i)
      EXPECT_EQ(hits[i].getParticle(), particles[i]);
  });
}

TEST_P(PlacesInPages, columnsAndObjectsWithoutClassesAreOfTheEvent) {
  forEachEvent([](const Frame& read, const Frame& written) {
    const auto& hits = read.get<HitCollection>("Hits");
    const auto& originals = written.get<HitCollection>("Hits");
    const auto cells = hits.column(&test::Hit::getCell);
    const kaon::GenericCollection generic(hits);
    ASSERT_EQ(hits.size(), originals.size());
    for (std::size_t i = 0; i < hits.size(); ++i) {
      EXPECT_EQ(cells[i], originals[i].getCell());
      EXPECT_EQ(generic[i].get<std::uint64_t>("cell"), originals[i].getCell());
      EXPECT_EQ(generic[i].relatedOne("particle").id().index,
                originals[i].getParticle().id().index);
    }
  });
}

TEST_P(PlacesInPages, decorationsOfReadObjectsBelongToThem) {
  forEachEvent([](const Frame& read, const Frame&) {
    const auto& hits = read.get<HitCollection>("Hits");
    const auto twice = hits.decorate<float>("twice");
    for (const auto hit : hits)
      twice[hit] = 2 * hit.getEnergy();
    const auto values = hits.decoration<float>("twice");
    for (std::size_t i = 0; i < hits.size(); ++i)
      EXPECT_EQ(values[i], 2 * hits[i].getEnergy());
  });
}

INSTANTIATE_TEST_SUITE_P(Layouts, PlacesInPages,
                         testing::Values(kaon::Layout::split, kaon::Layout::member,
                                         kaon::Layout::row));

} // namespace
