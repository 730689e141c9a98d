#include "support/Errors.h"
#include "support/Files.h"
#include "support/Random.h"
#include "support/TestEvents.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/object/Link.h>
#include <kaon/object/ReverseRelation.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using kaon::ErrorKind;
using kaon::ReverseRelation;
using kaon::test::expectError;
using test::HitCollection;
using test::ParticleCollection;

TEST(ReverseRelation, givesThoseThatReferToAnObject) {
  kaon::test::Random random(1);
  for (int round = 0; round < 20; ++round) {
    const std::size_t count = 1 + random.below(30);
    ParticleCollection particles;
    particles.resize(count);
    std::vector<std::vector<std::size_t>> mothers(count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = random.below(4); k > 0; --k) {
        const std::size_t daughter = random.below(count);
        particles[i].addToDaughters(particles[daughter]);
        mothers[daughter].push_back(i);
      }
    const ReverseRelation mothersOf(particles, &test::Particle::getDaughters);
    for (std::size_t i = 0; i < count; ++i) {
      const auto found = mothersOf.of(particles[i]);
      ASSERT_EQ(found.size(), mothers[i].size());
      for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_EQ(found[k], particles[mothers[i][k]]);
    }
  }
}

TEST(ReverseRelation, tellsTheCollectionsOfTargetsApart) {
  ParticleCollection first, second;
  first.resize(2), second.resize(5);
  HitCollection hits;
  for (int i = 0; i < 3; ++i)
    hits.create().setParticle(second[4]);
  hits.create().setParticle(first[0]);
  hits.create();
  const ReverseRelation hitsOf(hits, &test::Hit::getParticle);
  EXPECT_EQ(hitsOf.of(second[4]).size(), 3U);
  EXPECT_EQ(hitsOf.of(first[0]).front(), hits[3]);
  EXPECT_EQ(hitsOf.of(first[0]).back(), hits[3]);
  EXPECT_TRUE(hitsOf.of(first[1]).empty());
  EXPECT_TRUE(hitsOf.of(second[0]).empty());
  EXPECT_TRUE(hitsOf.of(ParticleCollection().create()).empty());
  EXPECT_TRUE(hitsOf.of(test::Particle::makeEmpty()).empty());
  EXPECT_THROW((void)hitsOf.of(first[0]).at(1), std::out_of_range);
}

TEST(ReverseRelation, isOfLinksToo) {
  using Links = kaon::LinkCollection<test::Particle, test::Particle>;
  ParticleCollection particles;
  particles.resize(2);
  Links links;
  links.create(particles[0], particles[1]);
  const ReverseRelation from(links, &Links::value_type::getFrom);
  const ReverseRelation to(links, &Links::value_type::getTo);
  EXPECT_EQ(from.of(particles[0]).size(), 1U);
  EXPECT_TRUE(from.of(particles[1]).empty());
  EXPECT_TRUE(to.of(particles[0]).empty());
  EXPECT_EQ(to.of(particles[1]).front(), links[0]);
}

TEST(ReverseRelation, worksForReadObjects) {
  const kaon::test::TemporaryDirectory directory;
  const std::string path = directory / "events.kaon";
  kaon::Writer(path).write(kaon::test::makeEvent(13), "events");
  const kaon::Frame frame = kaon::Reader(path)["events"].at(0);
  const auto& hits = frame.get<HitCollection>("Hits");
  const auto& particles = frame.get<ParticleCollection>("Particles");
  const ReverseRelation<test::Hit, test::Particle> hitsOf(hits, "particle");
  std::size_t all = 0;
  for (const auto particle : particles)
    for (const auto hit : hitsOf.of(particle)) {
      EXPECT_EQ(hit.getParticle(), particle);
      ++all;
    }
  EXPECT_EQ(all, static_cast<std::size_t>(std::ranges::count_if(
                     hits, [](auto hit) { return hit.getParticle().isAvailable(); })));
  EXPECT_GT(all, 0U);
}

TEST(ReverseRelation, isOfARelation) {
  const HitCollection hits;
  using Hits = ReverseRelation<test::Hit, test::Particle>;
  expectError(ErrorKind::name, "test::Hit has no relation 'particel' (did you mean 'particle'?)",
              [&] { Hits(hits, "particel"); });
  expectError(ErrorKind::usage, "needs a collection with objects of its own",
              [&] { Hits(hits.slice(0, 0), "particle"); });
}

} // namespace
