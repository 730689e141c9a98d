#pragma once

#include "testmodel/testmodel.h"

#include <kaon/event/Frame.h>
#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Events with objects of all kinds. Their numbers change from event to event, and every value
// follows from the number of the event.

namespace kaon::test {

[[nodiscard]] inline std::size_t particlesOf(int event) {
  return static_cast<std::size_t>(event * 7 % 11);
}
[[nodiscard]] inline std::size_t hitsOf(int event) {
  return static_cast<std::size_t>(event * 5 % 17);
}
[[nodiscard]] inline std::size_t tracksOf(int event) { return static_cast<std::size_t>(event % 4); }
/// Only every third event has the collection "Bares".
[[nodiscard]] inline bool hasBares(int event) { return event % 3 == 2; }

[[nodiscard]] inline ::test::Fit fitOf(int event, std::size_t i) {
  const auto x = static_cast<float>(event) + static_cast<float>(i) / 16;
  return {i % 2 == 0, {x, -x, 2 * x}, {x, x / 4}, static_cast<std::int8_t>(i)};
}

/// Particles form a chain from parent to daughter; the last one is the parent of the first.
[[nodiscard]] inline ::test::ParticleCollection makeParticles(int event) {
  ::test::ParticleCollection particles;
  for (std::size_t i = 0; i < particlesOf(event); ++i) {
    const auto x = static_cast<float>(i);
    particles.create(100 * event + static_cast<int>(i), event + x / 8., ::test::Vector3f{x, 0, -x},
                     static_cast<std::int16_t>(i), i % 2 == 0);
  }
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const std::size_t next = (i + 1) % particles.size();
    particles[i].addToDaughters(particles[next]);
    particles[next].addToParents(particles[i]);
  }
  return particles;
}

[[nodiscard]] inline ::test::HitCollection makeHits(int event,
                                                    const ::test::ParticleCollection& particles) {
  ::test::HitCollection hits;
  for (std::size_t i = 0; i < hitsOf(event); ++i) {
    auto hit =
        hits.create(static_cast<std::uint64_t>(event) * 1000 + i, 0.5F * static_cast<float>(i),
                    std::array{1.F, static_cast<float>(event), static_cast<float>(i)});
    if (i % 3 != 0 && !particles.empty())
      hit.setParticle(particles[i % particles.size()]);
  }
  return hits;
}

/// Track i has i residuals, states and hits, and all tracks before it as segments.
[[nodiscard]] inline ::test::TrackCollection makeTracks(int event,
                                                        const ::test::ParticleCollection& particles,
                                                        const ::test::HitCollection& hits) {
  ::test::TrackCollection tracks;
  for (std::size_t i = 0; i < tracksOf(event); ++i) {
    auto track = tracks.create();
    track.setFit(fitOf(event, i));
    if (!particles.empty())
      track.setParticle(particles[particles.size() - 1]);
    for (std::size_t k = 0; k < i; ++k) {
      track.addToResiduals(static_cast<float>(event) + static_cast<float>(k));
      track.addToStates(fitOf(event + 1, k));
      track.addToSegments(tracks[k]);
      if (!hits.empty())
        track.addToHits(hits[k % hits.size()]);
    }
  }
  return tracks;
}

[[nodiscard]] inline Frame makeEvent(int event) {
  Frame frame;
  auto particles = makeParticles(event);
  auto hits = makeHits(event, particles);
  auto tracks = makeTracks(event, particles, hits);
  if (hasBares(event)) {
    ::test::BareCollection bares;
    auto bare = bares.create();
    for (const auto track : tracks)
      bare.addToTracks(track);
    frame.put(std::move(bares), "Bares");
  }
  frame.put(std::move(tracks), "Tracks");
  frame.put(std::move(hits), "Hits");
  frame.put(std::move(particles), "Particles");
  frame.putParameter("number", event);
  frame.putParameter("weight", event / 4.);
  frame.putParameter("title", "event " + std::to_string(event));
  frame.putParameter("flags", std::vector<bool>(static_cast<std::size_t>(event % 3), true));
  return frame;
}

inline void expectParticles(const ::test::ParticleCollection& particles, int event) {
  ASSERT_EQ(particles.size(), particlesOf(event));
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const auto particle = particles[i];
    const auto x = static_cast<float>(i);
    EXPECT_EQ(particle.getPDG(), 100 * event + static_cast<int>(i));
    EXPECT_EQ(particle.getEnergy(), event + x / 8.);
    EXPECT_EQ(particle.getVertex(), (::test::Vector3f{x, 0, -x}));
    EXPECT_EQ(particle.getCharge(), static_cast<std::int16_t>(i));
    EXPECT_EQ(particle.getStable(), i % 2 == 0);
    const std::size_t next = (i + 1) % particles.size();
    ASSERT_EQ(particle.daughters_size(), 1U);
    EXPECT_TRUE(particle.getDaughters(0) == particles[next]);
    EXPECT_TRUE(particles[next].getParents(0) == particle);
  }
}

inline void expectHits(const ::test::HitCollection& hits,
                       const ::test::ParticleCollection& particles, int event) {
  ASSERT_EQ(hits.size(), hitsOf(event));
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const auto hit = hits[i];
    EXPECT_EQ(hit.getCell(), static_cast<std::uint64_t>(event) * 1000 + i);
    EXPECT_EQ(hit.getEnergy(), 0.5F * static_cast<float>(i));
    EXPECT_EQ(hit.getMomentum(1), static_cast<float>(event));
    EXPECT_EQ(hit.getMomentum(2), static_cast<float>(i));
    const bool isRelated = i % 3 != 0 && !particles.empty();
    EXPECT_EQ(hit.getParticle().isAvailable(), isRelated);
    if (isRelated) {
      EXPECT_TRUE(hit.getParticle() == particles[i % particles.size()]);
    }
  }
}

inline void expectTracks(const ::test::TrackCollection& tracks,
                         const ::test::ParticleCollection& particles,
                         const ::test::HitCollection& hits, int event) {
  ASSERT_EQ(tracks.size(), tracksOf(event));
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const auto track = tracks[i];
    EXPECT_EQ(track.getFit(), fitOf(event, i));
    EXPECT_EQ(track.getParticle().isAvailable(), !particles.empty());
    if (!particles.empty()) {
      EXPECT_TRUE(track.getParticle() == particles[particles.size() - 1]);
    }
    ASSERT_EQ(track.residuals_size(), i);
    ASSERT_EQ(track.states_size(), i);
    ASSERT_EQ(track.segments_size(), i);
    ASSERT_EQ(track.hits_size(), hits.empty() ? 0 : i);
    for (std::size_t k = 0; k < i; ++k) {
      EXPECT_EQ(track.getResiduals(k), static_cast<float>(event) + static_cast<float>(k));
      EXPECT_EQ(track.getStates(k), fitOf(event + 1, k));
      EXPECT_TRUE(track.getSegments(k) == tracks[k]);
      if (!hits.empty()) {
        EXPECT_TRUE(track.getHits(k) == hits[k % hits.size()]);
      }
    }
  }
}

/// Expects that the frame has all contents of makeEvent(event).
inline void expectEvent(const Frame& frame, int event) {
  SCOPED_TRACE("event " + std::to_string(event));
  const auto& particles = frame.get<::test::ParticleCollection>("Particles");
  const auto& hits = frame.get<::test::HitCollection>("Hits");
  const auto& tracks = frame.get<::test::TrackCollection>("Tracks");
  expectParticles(particles, event);
  expectHits(hits, particles, event);
  expectTracks(tracks, particles, hits, event);
  const auto* const bares = frame.getIfPresent<::test::BareCollection>("Bares");
  ASSERT_EQ(bares != nullptr, hasBares(event));
  if (bares) {
    EXPECT_TRUE(std::ranges::equal((*bares)[0].getTracks(), tracks));
  }
  EXPECT_EQ(frame.getParameter<int>("number"), event);
  EXPECT_EQ(frame.getParameter<double>("weight"), event / 4.);
  EXPECT_EQ(frame.getParameter<std::string>("title"), "event " + std::to_string(event));
  EXPECT_EQ(frame.getParameter<std::vector<bool>>("flags"),
            std::vector<bool>(static_cast<std::size_t>(event % 3), true));
}

/// Makes a file of the events 0, 1, ...
inline void writeEvents(const std::string& path, int events, const WriterOptions& options = {}) {
  Writer writer(path, options);
  for (int event = 0; event < events; ++event)
    writer.write(makeEvent(event), "events");
  writer.finish();
}

/// Expects that the category has the events of writeEvents().
inline void expectEvents(const Category& category, int events) {
  int event = 0;
  for (const Frame& frame : category)
    expectEvent(frame, event++);
  EXPECT_EQ(event, events);
}

} // namespace kaon::test
