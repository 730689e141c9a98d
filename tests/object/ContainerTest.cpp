#include "support/Errors.h"
#include "support/Random.h"
#include "testmodel/testmodel.h"

#include <kaon/event/Frame.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <utility>
#include <vector>

// Collections as containers. Operations on objects and relations are compared with the same
// operations on a vector of structs, whose relations are numbers.

namespace {

using kaon::ErrorKind;
using kaon::test::expectError;
using kaon::test::Random;
using test::HitCollection;
using test::ParticleCollection;
using test::TrackCollection;

/// A particle as a plain struct. Its number is its PDG code and never changes.
struct Plain {
  int number = 0;
  double energy = 0;
  std::vector<int> daughters;
};

/// The same particles as a collection and as structs, and a hit of each particle.
struct Sample {
  ParticleCollection particles;
  HitCollection hits;
  std::vector<Plain> plain;
};

Sample makeSample(Random& random, std::size_t count) {
  Sample made;
  for (std::size_t i = 0; i < count; ++i) {
    const double energy = static_cast<double>(random.below(5)); // many energies are equal
    made.particles.create(static_cast<int>(i), energy, test::Vector3f{}, std::int16_t{0}, true);
    made.plain.push_back({static_cast<int>(i), energy, {}});
  }
  for (std::size_t i = 0; i < count; ++i) {
    made.hits.create().setParticle(made.particles[i]);
    for (std::size_t k = random.below(4); k > 0; --k) {
      const std::size_t daughter = random.below(count);
      made.particles[i].addToDaughters(made.particles[daughter]);
      made.plain[i].daughters.push_back(static_cast<int>(daughter));
    }
  }
  const auto tenTimes = made.particles.decorate<int>("ten times"); // half of them have no value
  for (std::size_t i = 0; i < count / 2; ++i)
    tenTimes[i] = 10 * static_cast<int>(i);
  return made;
}

/// Removes erased particles from the daughters of plain particles.
void forgetErased(std::vector<Plain>& plain) {
  for (Plain& particle : plain)
    std::erase_if(particle.daughters, [&](int daughter) {
      return std::ranges::find(plain, daughter, &Plain::number) == plain.end();
    });
}

void expectSame(const ParticleCollection& particles, const std::vector<Plain>& plain,
                std::size_t decorated) {
  ASSERT_EQ(particles.size(), plain.size());
  const auto tenTimes = particles.decoration<int>("ten times");
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(particles[i].getPDG(), plain[i].number);
    EXPECT_EQ(particles[i].getEnergy(), plain[i].energy);
    const bool hasValue = plain[i].number < static_cast<int>(decorated);
    EXPECT_EQ(tenTimes[i], hasValue ? 10 * plain[i].number : 0);
    std::vector<int> daughters;
    for (const auto daughter : particles[i].getDaughters()) {
      ASSERT_TRUE(daughter.isAvailable());
      EXPECT_EQ(daughter, particles[daughter.place().index()]);
      daughters.push_back(daughter.getPDG());
    }
    EXPECT_EQ(daughters, plain[i].daughters);
  }
}

/// Expects that hit i refers to particle i, or to nothing if the particle was erased.
void expectFollowed(const HitCollection& hits, const ParticleCollection& particles) {
  for (int i = 0; i < static_cast<int>(hits.size()); ++i) {
    const auto found = std::ranges::find(particles, i, &test::Particle::getPDG);
    const test::Particle particle = hits[static_cast<std::size_t>(i)].getParticle();
    EXPECT_EQ(particle.isAvailable(), found != particles.end());
    if (particle.isAvailable()) {
      EXPECT_EQ(particle, *found);
    }
  }
}

TEST(Container, isMovedAboutAsAVectorIs) {
  Random random(1);
  for (std::size_t round = 0; round < 30; ++round) {
    const std::size_t count = random.below(40);
    Sample sample = makeSample(random, count);
    auto& [particles, hits, plain] = sample;
    for (int step = 0; step < 6; ++step) {
      const std::size_t last = random.below(plain.size() + 1), first = random.below(last + 1);
      const int divisor = 2 + static_cast<int>(random.below(5));
      switch (random.below(5)) {
      case 0:
        particles.sort(std::ranges::greater{}, &test::Particle::getEnergy);
        std::ranges::stable_sort(plain, std::ranges::greater{}, &Plain::energy);
        break;
      case 1:
        particles.sortBy(&test::Particle::getPDG);
        std::ranges::stable_sort(plain, {}, &Plain::number);
        break;
      case 2:
        particles.erase(particles.begin() + static_cast<std::ptrdiff_t>(first),
                        particles.begin() + static_cast<std::ptrdiff_t>(last));
        plain.erase(plain.begin() + static_cast<std::ptrdiff_t>(first),
                    plain.begin() + static_cast<std::ptrdiff_t>(last));
        break;
      case 3: {
        const auto erased = particles.eraseIf(
            [&](const test::Particle& particle) { return particle.getPDG() % divisor == 1; });
        EXPECT_EQ(erased,
                  std::erase_if(plain, [&](const Plain& p) { return p.number % divisor == 1; }));
        break;
      }
      default:
        if (!plain.empty()) {
          particles.pop_back();
          plain.pop_back();
        }
      }
      forgetErased(plain);
      expectSame(particles, plain, count / 2);
      expectFollowed(hits, particles);
    }
  }
}

TEST(Container, copiesRelateToEachOtherWhereTheOriginalsDo) {
  Random random(2);
  for (int round = 0; round < 20; ++round) {
    const std::size_t count = 1 + random.below(30);
    const auto [particles, hits, plain] = makeSample(random, count);
    const ParticleCollection copy = particles.clone();
    expectSame(copy, plain, count / 2);
    EXPECT_EQ(copy, particles);
    EXPECT_EQ(hits.clone(), hits);
    for (const auto hit : hits.clone())
      EXPECT_EQ(hit.getParticle(), particles[static_cast<std::size_t>(hit.place().index())]);

    const auto isEven = [](const test::Particle& p) { return p.getPDG() % 2 == 0; };
    const auto even = particles.filter(isEven);
    const ParticleCollection chosen = even.toCollection();
    ASSERT_EQ(chosen.size(), (count + 1) / 2);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      EXPECT_EQ(even[i], particles[2 * i]);
      EXPECT_EQ(chosen[i].getPDG(), static_cast<int>(2 * i));
      ASSERT_EQ(chosen[i].daughters_size(), plain[2 * i].daughters.size());
      for (std::size_t k = 0; k < chosen[i].daughters_size(); ++k) {
        const int daughter = plain[2 * i].daughters[k];
        const auto& in = daughter % 2 == 0 ? chosen : particles;
        const auto at = static_cast<std::size_t>(daughter % 2 == 0 ? daughter / 2 : daughter);
        EXPECT_EQ(chosen[i].getDaughters(k), in[at]);
      }
    }
  }
}

TEST(Container, appendsCopiesOrAllThatAnotherHas) {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    auto [first, firstHits, firstPlain] = makeSample(random, random.below(20));
    auto [second, secondHits, secondPlain] = makeSample(random, 1 + random.below(20));
    const auto before = static_cast<int>(first.size());
    second.sortBy([](const test::Particle& p) { return -p.getPDG(); }); // old handles are forwarded
    first.append(second);
    const std::size_t copied = first.size();
    ASSERT_EQ(copied, firstPlain.size() + secondPlain.size());
    EXPECT_EQ(secondHits[0].getParticle(), second[second.size() - 1]); // still the original
    first.append(std::move(second));
    ASSERT_EQ(first.size(), copied + secondPlain.size());
    EXPECT_TRUE(second.empty());
    for (std::size_t i = 0; i < secondHits.size(); ++i)
      EXPECT_EQ(secondHits[i].getParticle(), first[first.size() - 1 - i]);
    for (const std::size_t start : {static_cast<std::size_t>(before), copied})
      for (std::size_t i = 0; i < secondPlain.size(); ++i) {
        const auto particle = first[start + secondPlain.size() - 1 - i];
        EXPECT_EQ(particle.getPDG(), static_cast<int>(i));
        ASSERT_EQ(particle.daughters_size(), secondPlain[i].daughters.size());
        for (std::size_t k = 0; k < particle.daughters_size(); ++k)
          EXPECT_EQ(particle.getDaughters(k),
                    first[start + secondPlain.size() - 1 -
                          static_cast<std::size_t>(secondPlain[i].daughters[k])]);
      }
    EXPECT_EQ(second.create().getPDG(), 0); // the moved collection can be filled again
  }
}

TEST(Container, canBeAppendedToItself) {
  ParticleCollection particles;
  auto first = particles.create(), second = particles.create();
  first.addToDaughters(second);
  particles.append(particles);
  ASSERT_EQ(particles.size(), 4U);
  EXPECT_EQ(particles[0].getDaughters(0), particles[1]);
  EXPECT_EQ(particles[2].getDaughters(0), particles[3]);
  expectError(ErrorKind::usage, "a collection cannot be moved to its own end", [&] {
    ParticleCollection& same = particles;
    particles.append(std::move(same));
  });
}

TEST(Container, leadsToNothingWhereTheObjectWasErased) {
  ParticleCollection particles;
  HitCollection hits;
  hits.create().setParticle(particles.create());
  particles.erase(0);
  EXPECT_FALSE(hits[0].getParticle().isAvailable());
  particles.create();
  EXPECT_FALSE(hits[0].getParticle().isAvailable());
  hits[0].setParticle(particles[0]);
  EXPECT_TRUE(hits[0].getParticle().isAvailable());
  particles.clear();
  particles.create();
  EXPECT_FALSE(hits[0].getParticle().isAvailable());
}

TEST(Container, takesLooseObjectsAlong) {
  test::MutableParticle loose;
  ParticleCollection particles;
  HitCollection hits;
  hits.create().setParticle(loose);
  particles.create().setPDG(1);
  loose.setPDG(2);
  particles.push_back(loose);
  particles.sort(std::ranges::greater{}, &test::Particle::getPDG);
  EXPECT_EQ(hits[0].getParticle(), particles[0]);
  EXPECT_EQ(loose, particles[0]);
  particles.erase(0);
  EXPECT_FALSE(loose.isAvailable());
}

TEST(Container, outlivesItsReferences) {
  ParticleCollection particles;
  particles.create(), particles.create();
  for (int i = 0; i < 100; ++i) {
    HitCollection hits;
    hits.create().setParticle(particles[1]);
    particles.sort([](const auto& a, const auto& b) { return b < a; });
    EXPECT_EQ(hits[0].getParticle(), particles[0]);
  }
  HitCollection hits;
  hits.create().setParticle(particles[1]);
  particles.sort([](const auto& a, const auto& b) { return b < a; });
  { const ParticleCollection gone = std::move(particles); }
  EXPECT_FALSE(hits[0].getParticle().isAvailable());
}

TEST(Container, insertsBeforeAnObject) {
  TrackCollection tracks;
  HitCollection hits;
  for (std::uint64_t cell : {0, 1, 3})
    hits.create().setCell(cell);
  auto track = tracks.create();
  for (const auto hit : hits)
    track.addToHits(hit);
  test::MutableHit between;
  between.setCell(2);
  hits.insert(2, between);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(hits[i].getCell(), i);
  EXPECT_EQ(between, hits[2]);
  EXPECT_EQ(track.getHits(2), hits[3]);
  EXPECT_THROW(hits.insert(5, test::Hit()), std::out_of_range);
}

TEST(Container, isResizedSwappedAndMadeOfARange) {
  std::vector<test::MutableHit> loose(3);
  for (std::uint64_t i = 0; i < 3; ++i)
    loose[i].setCell(i);
  HitCollection hits = HitCollection::from(loose), others;
  EXPECT_EQ(loose[1], hits[1]);
  hits.resize(2);
  hits.resize(4);
  EXPECT_FALSE(loose[2].isAvailable());
  ASSERT_EQ(hits.size(), 4U);
  EXPECT_EQ(hits[1].getCell(), 1U);
  EXPECT_EQ(hits.back().getCell(), 0U);
  swap(hits, others);
  EXPECT_TRUE(hits.empty());
  EXPECT_EQ(others.size(), 4U);
  EXPECT_EQ(loose[1], others[1]);
  EXPECT_EQ(others.front().getCell(), 0U);
  EXPECT_GE(others.max_size(), std::size_t{1} << 30);
  EXPECT_THROW(others.erase(2, 5), std::out_of_range);
  EXPECT_THROW((void)others.slice(3, 2), std::out_of_range);
  const auto next = others.erase(others.begin() + 1);
  EXPECT_EQ(next, others.begin() + 1);
  EXPECT_EQ(others.size(), 3U);
}

TEST(Container, iteratesBackwards) {
  HitCollection hits;
  for (std::uint64_t i = 0; i < 3; ++i)
    hits.create().setCell(i);
  std::vector<std::uint64_t> cells;
  for (auto hit = std::as_const(hits).rbegin(); hit != std::as_const(hits).rend(); ++hit)
    cells.push_back((*hit).getCell());
  EXPECT_EQ(cells, (std::vector<std::uint64_t>{2, 1, 0}));
  (*hits.rbegin()).setCell(9);
  EXPECT_EQ(hits[2].getCell(), 9U);
  EXPECT_EQ(hits.rend() - hits.rbegin(), 3);
}

TEST(Container, isEqualByContent) {
  const auto make = [](float residual, int shift, bool toFirst) {
    TrackCollection tracks;
    auto track = tracks.create(), other = tracks.create();
    track.setFit({true, {static_cast<float>(shift), 0, 0}, {}, 1});
    track.addToResiduals(residual);
    track.addToSegments(toFirst ? track : other);
    return tracks;
  };
  EXPECT_EQ(make(1, 2, true), make(1, 2, true));
  EXPECT_NE(make(1, 2, true), make(3, 2, true));
  EXPECT_NE(make(1, 2, true), make(1, 3, true));
  EXPECT_NE(make(1, 2, true), make(1, 2, false));
  EXPECT_NE(make(1, 2, true), TrackCollection());
  EXPECT_FALSE(kaon::detail::equalContent(TrackCollection(), HitCollection()));
}

TEST(Container, isEqualOnlyIfRelatedCollectionsCorrespond) {
  ParticleCollection some, others;
  some.create(), others.create();
  const auto hitsOf = [](const test::Particle& first, const test::Particle& second) {
    HitCollection hits;
    hits.create().setParticle(first);
    hits.create().setParticle(second);
    return hits;
  };
  EXPECT_EQ(hitsOf(some[0], others[0]), hitsOf(some[0], others[0]));
  EXPECT_EQ(hitsOf(some[0], others[0]), hitsOf(others[0], some[0]));
  EXPECT_NE(hitsOf(some[0], others[0]), hitsOf(some[0], some[0]));
  EXPECT_NE(hitsOf(some[0], some[0]), hitsOf(some[0], others[0]));
  EXPECT_NE(hitsOf(some[0], some[0]), hitsOf(some[0], test::Particle::makeEmpty()));
}

} // namespace
