#include "support/Errors.h"
#include "testmodel/testmodel.h"

#include <kaon/event/Frame.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using test::BareCollection;
using test::HitCollection;
using test::ParticleCollection;
using test::TrackCollection;

TEST(Relation, leadsToAnObjectOfAnotherCollection) {
  ParticleCollection particles;
  HitCollection hits;
  particles.create();
  const auto second = particles.create();
  hits.create().setParticle(second);
  EXPECT_EQ(hits[0].getParticle(), second);
}

TEST(Relation, leadsToNothingUntilItIsSet) {
  HitCollection hits;
  EXPECT_FALSE(hits.create().getParticle().isAvailable());
}

TEST(Relation, thatIsUnsetHasNoMembersToRead) {
  HitCollection hits;
  hits.create();
  const test::Particle particle = hits[0].getParticle();
  const auto track = test::Track::makeEmpty();
  const auto expectNone = [](const auto& read) {
    kaon::test::expectError(kaon::ErrorKind::usage, "there is no object", read);
  };
  expectNone([&] { (void)particle.getEnergy(); });
  expectNone([&] { (void)particle.getVertex(); });
  expectNone([&] { (void)particle.getDaughters(); });
  expectNone([&] { (void)track.getResiduals(); });
  expectNone([&] { (void)track.getParticle(); });
}

TEST(Relation, canBeSetAgainAndUnset) {
  ParticleCollection particles;
  const auto first = particles.create(), second = particles.create();
  HitCollection hits;
  auto hit = hits.create();
  hit.setParticle(first);
  hit.setParticle(second);
  EXPECT_EQ(hit.getParticle(), second);
  hit.setParticle(test::Particle::makeEmpty());
  EXPECT_FALSE(hit.getParticle().isAvailable());
}

TEST(Relation, leadsToObjectsOfSeveralCollectionsOfOneType) {
  HitCollection inner, outer;
  TrackCollection tracks;
  auto track = tracks.create();
  track.addToHits(inner.create());
  track.addToHits(outer.create());
  track.addToHits(inner.create());
  ASSERT_EQ(track.hits_size(), 3U);
  EXPECT_EQ(track.getHits(0), inner[0]);
  EXPECT_EQ(track.getHits(1), outer[0]);
  EXPECT_EQ(track.getHits(2), inner[1]);
}

TEST(Relation, leadsRoundInCycles) {
  ParticleCollection particles;
  auto mother = particles.create(), daughter = particles.create();
  mother.addToDaughters(daughter);
  daughter.addToParents(mother);
  EXPECT_EQ(particles[0].getDaughters(0).getParents(0).getDaughters(0), particles[1]);
}

TEST(Relation, leadsToTheObjectItself) {
  TrackCollection tracks;
  auto track = tracks.create();
  track.addToSegments(track);
  EXPECT_EQ(track.getSegments(0), track);
}

TEST(Relation, toManyGrowsWhileThoseOfOthersDo) {
  ParticleCollection particles;
  for (int i = 0; i < 20; ++i)
    particles.create();
  for (std::size_t round = 0; round < 20; ++round)
    for (std::size_t i = 0; i < 20; ++i)
      if (round % (i + 1) == 0)
        particles[i].addToDaughters(particles[round]);
  for (std::size_t i = 0; i < 20; ++i) {
    std::size_t round = 0;
    for (const auto daughter : particles[i].getDaughters()) {
      EXPECT_EQ(daughter, particles[round]);
      round += i + 1;
    }
    EXPECT_GE(round, 20U);
  }
}

TEST(Relation, toManyIsARange) {
  HitCollection hits;
  TrackCollection tracks;
  auto track = tracks.create();
  EXPECT_TRUE(track.getHits().empty());
  EXPECT_FALSE(track.getHits());
  for (std::uint64_t i = 0; i < 4; ++i) {
    auto hit = hits.create();
    hit.setCell(i);
    track.addToHits(hit);
  }
  const auto range = track.getHits();
  EXPECT_EQ(range.size(), 4U);
  EXPECT_EQ(range.front(), hits[0]);
  EXPECT_EQ(range.back(), hits[3]);
  EXPECT_EQ(range[2], hits[2]);
  EXPECT_EQ(range.at(3), hits[3]);
  EXPECT_THROW((void)range.at(4), std::out_of_range);
  EXPECT_THROW((void)track.getHits(4), std::out_of_range);
  EXPECT_TRUE(std::ranges::equal(range, hits));
  EXPECT_EQ(track.hits_end() - track.hits_begin(), 4);
  EXPECT_EQ(std::ranges::max(range, {}, &test::Hit::getCell), hits[3]);
}

TEST(Relation, isAllThatAnObjectMayHave) {
  TrackCollection tracks;
  BareCollection bares;
  bares.create().addToTracks(tracks.create());
  EXPECT_EQ(bares[0].getTracks(0), tracks[0]);
}

TEST(Relation, staysWhenTheCollectionMovesIntoAFrame) {
  ParticleCollection particles;
  HitCollection hits;
  hits.create().setParticle(particles.create());
  kaon::Frame frame;
  const auto& kept = frame.put(std::move(hits), "Hits");
  const auto& targets = frame.put(std::move(particles), "Particles");
  EXPECT_EQ(kept[0].getParticle(), targets[0]);
}

TEST(Relation, leadsToNothingWhereTheCollectionIsGone) {
  HitCollection hits;
  {
    ParticleCollection particles;
    hits.create().setParticle(particles.create());
  }
  EXPECT_FALSE(hits[0].getParticle().isAvailable());
  EXPECT_FALSE(hits[0].clone().getParticle().isAvailable());
}

TEST(Relation, followsALooseObjectIntoItsCollection) {
  ParticleCollection particles;
  HitCollection hits;
  test::MutableParticle particle;
  hits.create().setParticle(particle);
  EXPECT_EQ(hits[0].getParticle(), particle);
  particle.setPDG(11);
  particles.create();
  particles.push_back(particle);
  EXPECT_EQ(hits[0].getParticle(), particles[1]);
  EXPECT_EQ(hits[0].getParticle().getPDG(), 11);
  EXPECT_EQ(hits[0].getParticle().id().index, 1);
}

TEST(Relation, keepsALooseObjectAlive) {
  HitCollection hits;
  {
    test::MutableParticle particle;
    particle.setPDG(13);
    hits.create().setParticle(particle);
  }
  EXPECT_EQ(hits[0].getParticle().getPDG(), 13);
  const test::Particle kept = hits[0].getParticle();
  hits.clear();
  EXPECT_EQ(kept.getPDG(), 13);
}

TEST(Relation, leadsToNothingWhereTheCollectionOfAPushedObjectIsGone) {
  HitCollection hits;
  {
    const test::MutableParticle particle;
    hits.create().setParticle(particle);
    ParticleCollection particles;
    particles.push_back(particle);
  }
  EXPECT_FALSE(hits[0].getParticle().isAvailable());
}

TEST(Relation, ofALooseObjectComesWithIt) {
  ParticleCollection particles;
  HitCollection hits;
  TrackCollection tracks;
  test::MutableTrack track;
  track.setParticle(particles.create());
  track.addToHits(hits.create());
  track.addToSegments(track);
  tracks.push_back(track);
  EXPECT_EQ(tracks[0].getParticle(), particles[0]);
  EXPECT_EQ(tracks[0].getHits(0), hits[0]);
  EXPECT_EQ(tracks[0].getSegments(0), tracks[0]);
  track.addToHits(hits.create());
  EXPECT_EQ(tracks[0].getHits(1), hits[1]);
}

TEST(Relation, betweenLooseObjectsThatArePushedLaterHolds) {
  test::MutableParticle mother, daughter;
  mother.addToDaughters(daughter);
  daughter.addToParents(mother);
  ParticleCollection particles;
  particles.push_back(mother);
  particles.push_back(daughter);
  EXPECT_EQ(particles[0].getDaughters(0), particles[1]);
  EXPECT_EQ(particles[1].getParents(0), particles[0]);
}

TEST(Relation, toAPushedObjectIsToTheOneInTheCollection) {
  test::MutableParticle particle;
  ParticleCollection particles;
  particles.push_back(particle);
  HitCollection hits;
  hits.create().setParticle(particle);
  EXPECT_EQ(hits[0].getParticle(), particles[0]);
}

} // namespace
