#include <kaon/root/DataSource.h>
#include <kaon/root/Structs.h>

#include <kaon/kaon.h>

#include "ranges/ParticleCollection.h"
#include "ranges/TrackCollection.h"
#include "support/Files.h"

#include <ROOT/RDataFrame.hxx>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace kaon {
namespace {

using root::dataFrame, root::defineJoined, root::defineStructs;
using Particles = ROOT::RVec<toy::ParticleData>;
using Indices = ROOT::RVec<std::int32_t>;

constexpr std::array<float, 3> covariance{4, 5, 6};

/// Writes events with a chain of 3 and of 2 particles: each is the parent of the next one.
std::string writeChains(const std::string& path) {
  Writer writer(path);
  for (const int length : {3, 2}) {
    toy::ParticleCollection particles;
    toy::TrackCollection tracks;
    for (int i = 0; i < length; ++i) {
      auto particle = particles.create();
      particle.setPDG(i);
      particle.setMass(0.5 * i);
      particle.setVertex(toy::Point(1, 2, static_cast<float>(i)));
      particle.setSpin({0, static_cast<float>(i)});
      particle.setIsStable(i == 1);
      if (i > 0) {
        particle.addToParents(particles[static_cast<std::size_t>(i - 1)]);
        particles[static_cast<std::size_t>(i - 1)].addToDaughters(particle);
      }
      auto track = tracks.create();
      for (int state = 0; state < i; ++state)
        track.addToStates(toy::State(10 * i + state, toy::Point(1, 2, 3), covariance));
    }
    Frame event;
    event.put(std::move(particles), "Particles");
    event.put(std::move(tracks), "Tracks");
    writer.write(event, "events");
  }
  writer.finish();
  return path;
}

TEST(Structs, haveTheMembersOfObjects) {
  const test::TemporaryDirectory directory;
  auto df = defineStructs<toy::ParticleData>(
      dataFrame(writeChains(directory / "events.kaon"), "events"), "particles", "Particles");
  const std::vector<Particles> events = df.Take<Particles>("particles").GetValue();
  ASSERT_EQ(events.size(), 2U);
  ASSERT_EQ(events[0].size(), 3U);
  const toy::ParticleData& particle = events[0][1];
  EXPECT_EQ(particle.PDG, 1);
  EXPECT_EQ(particle.mass, 0.5);
  EXPECT_EQ(particle.vertex, toy::Point(1, 2, 1));
  EXPECT_EQ(particle.spin, (std::array<float, 2>{0, 1}));
  EXPECT_TRUE(particle.isStable);
  EXPECT_FALSE(events[0][2].isStable);
}

// As FCCAnalyses follows relations.
TEST(Structs, haveTheRangesOfTheirLists) {
  const test::TemporaryDirectory directory;
  auto df = defineStructs<toy::ParticleData>(
      dataFrame(writeChains(directory / "events.kaon"), "events"), "particles", "Particles");
  df = defineJoined<std::int32_t>(df, "parents", "Particles.parents.index");
  const auto parentsOf = [](const Particles& particles, const Indices& parents) {
    Indices codes;
    for (const toy::ParticleData& particle : particles)
      for (auto i = particle.parents_begin; i != particle.parents_end; ++i)
        codes.push_back(particles[static_cast<std::size_t>(parents[i])].PDG);
    return codes;
  };
  df = df.Define("codes", parentsOf, {"particles", "parents"});
  const std::vector<Indices> codes = df.Take<Indices>("codes").GetValue();
  ASSERT_EQ(codes.size(), 2U);
  EXPECT_TRUE(std::ranges::equal(codes[0], std::vector{0, 1}));
  EXPECT_TRUE(std::ranges::equal(codes[1], std::vector{0}));
  const auto last = df.Take<Particles>("particles").GetValue()[0][2];
  EXPECT_EQ(last.daughters_begin, 2U);
  EXPECT_EQ(last.daughters_end, 2U);
}

TEST(Structs, joinTheComponentsInLists) {
  const test::TemporaryDirectory directory;
  auto df = defineJoined<toy::State>(dataFrame(writeChains(directory / "events.kaon"), "events"),
                                     "states", "Tracks.states");
  const auto events = df.Take<ROOT::RVec<toy::State>>("states").GetValue();
  ASSERT_EQ(events[0].size(), 3U);
  EXPECT_EQ(events[0][2], toy::State(21, toy::Point(1, 2, 3), covariance));
  EXPECT_EQ(events[1].size(), 1U);
}

TEST(Structs, needTheColumnsOfTheirMembers) {
  const test::TemporaryDirectory directory;
  const auto df = dataFrame(writeChains(directory / "events.kaon"), "events");
  EXPECT_THROW((void)defineStructs<toy::ParticleData>(df, "particles", "Tracks"),
               std::runtime_error);
}

// Ranges belong to columns: objects of a program leave them 0.
TEST(Structs, leaveObjectsAsTheyAre) {
  toy::ParticleCollection particles;
  particles.create().addToParents(particles.create());
  EXPECT_EQ(particles[0].getParents().size(), 1U);
  EXPECT_EQ(toy::Particle::DataType().parents_end, 0U);
}

} // namespace
} // namespace kaon
