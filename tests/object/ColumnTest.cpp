#include "linkmodel/linkmodel.h"
#include "richmodel/richmodel.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/TestEvents.h"

#include <kaon/event/Reader.h>

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace {

using kaon::ErrorKind;
using kaon::test::expectError;
using test::HitCollection;
using test::ParticleCollection;
using test::TrackCollection;

static_assert(std::ranges::random_access_range<kaon::detail::MemberColumn<float>>);
static_assert(std::ranges::random_access_range<kaon::detail::MemberColumn<test::Fit>>);

/// Expects that columns have the same values as the objects of an event.
void expectColumns(const kaon::Frame& frame) {
  const auto& particles = frame.get<ParticleCollection>("Particles");
  const auto codes = particles.column(&test::ParticleData::PDG);
  const auto energies = particles.column(&test::Particle::getEnergy);
  const auto vertices = particles.column(&test::ParticleData::vertex);
  const auto heights = particles.column(&test::ParticleData::vertex, &test::Vector3f::z);
  const auto stable = particles.column(&test::Particle::getStable);
  static_assert(std::is_same_v<decltype(energies)::value_type, double>);
  static_assert(std::is_same_v<decltype(heights)::value_type, float>);
  ASSERT_EQ(codes.size(), particles.size());
  ASSERT_EQ(heights.size(), particles.size());
  for (std::size_t i = 0; i < particles.size(); ++i) {
    EXPECT_EQ(codes[i], particles[i].getPDG());
    EXPECT_EQ(energies[i], particles[i].getEnergy());
    EXPECT_EQ(vertices.at(i), particles[i].getVertex());
    EXPECT_EQ(heights[i], particles[i].getVertex().z);
    EXPECT_EQ(stable[i], particles[i].getStable());
  }
  const auto& tracks = frame.get<TrackCollection>("Tracks");
  const auto fits = tracks.column(&test::Track::getFit);
  const auto ys = tracks.column(&test::Track::getFit, &test::Fit::position, &test::Vector3f::y);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    EXPECT_EQ(fits[i], tracks[i].getFit());
    EXPECT_EQ(ys[i], tracks[i].getFit().position.y);
  }
  const auto& hits = frame.get<HitCollection>("Hits");
  const auto momenta = hits.column(&test::Hit::getMomentum);
  static_assert(std::is_same_v<decltype(momenta)::value_type, std::array<float, 3>>);
  for (std::size_t i = 0; i < hits.size(); ++i)
    EXPECT_EQ(momenta[i], hits[i].getMomentum());
}

TEST(Column, isThatOfTheObjectsThatWereBuilt) {
  for (int event = 0; event < 6; ++event)
    expectColumns(kaon::test::makeEvent(event));
}

class StoredColumn : public testing::TestWithParam<kaon::Layout> {};
INSTANTIATE_TEST_SUITE_P(Layouts, StoredColumn,
                         testing::Values(kaon::Layout::split, kaon::Layout::row,
                                         kaon::Layout::member),
                         [](const auto& test) { return std::string(layoutName(test.param)); });

TEST_P(StoredColumn, isThatOfTheObjectsThatWereRead) {
  const kaon::test::TemporaryDirectory directory;
  const std::string path = directory / "events.kaon";
  kaon::test::writeEvents(path, 20, {.layout = GetParam()});
  for (const kaon::Frame& frame : kaon::Reader(path)["events"])
    expectColumns(frame);
  const kaon::Frame frame = kaon::Reader(path)["events"].at(5);
  const auto codes = frame.get<ParticleCollection>("Particles").column(&test::Particle::getPDG);
  EXPECT_EQ(codes.isContiguous(), GetParam() != kaon::Layout::row);
  if (codes.isContiguous()) {
    const auto values = codes.span();
    EXPECT_EQ(std::accumulate(values.begin(), values.end(), 0),
              std::accumulate(codes.begin(), codes.end(), 0));
  }
}

TEST(Column, liesInTheObjects) {
  ParticleCollection particles = kaon::test::makeParticles(3);
  const auto codes = particles.column(&test::Particle::getPDG);
  particles[1].setPDG(77);
  EXPECT_EQ(codes[1], 77);
  EXPECT_FALSE(codes.isContiguous());
  expectError(ErrorKind::usage, "are not contiguous", [&] { (void)codes.span(); });
  EXPECT_THROW((void)codes.at(codes.size()), std::out_of_range);
}

TEST(Column, isFoundByAnyAccessorOfAMember) {
  using rich::inner::Particle;
  rich::inner::ParticleCollection particles;
  auto particle = particles.create();
  particle.setMomentum(rich::Vector3f{1, 2, 3});
  // Members of components have accessors, too; arrays have a second one for their elements.
  EXPECT_EQ(particles.column(&Particle::getX)[0], 1.F);
  EXPECT_EQ(particles.column(&Particle::getY)[0], 2.F);
  EXPECT_EQ(particles.column(&Particle::getZ)[0], 3.F);
  EXPECT_EQ(particles.column(&Particle::getEnds)[0], particle.getEnds());
  EXPECT_EQ(particles.column(&Particle::getCorners)[0], particle.getCorners());
  EXPECT_EQ(particles.column(&Particle::getWord)[0], 65535);

  kaon::LinkCollection<linked::Pixel, linked::Strip> links;
  links.create().setWeight(0.25F);
  EXPECT_EQ(links.column(&kaon::Link<linked::Pixel, linked::Strip>::getWeight)[0], 0.25F);
}

TEST(Column, isARange) {
  const ParticleCollection particles = kaon::test::makeParticles(3);
  const auto energies = particles.column(&test::ParticleData::energy);
  EXPECT_EQ(std::ranges::max(energies), particles.back().getEnergy());
  double sum = 0;
  for (const double energy : energies)
    sum += energy;
  EXPECT_EQ(sum, std::transform_reduce(particles.begin(), particles.end(), 0., std::plus{},
                                       [](auto particle) { return particle.getEnergy(); }));
}

TEST(Column, isEmptyWhereNothingIs) {
  const ParticleCollection none;
  EXPECT_TRUE(none.column(&test::Particle::getVertex).empty());
  EXPECT_TRUE(none.column(&test::Particle::getPDG).span().empty());
}

TEST(Column, isOfAMemberOfTheCollectionsOwnObjects) {
  const ParticleCollection particles = kaon::test::makeParticles(3);
  expectError(
      ErrorKind::usage,
      "this function of test::Particle is not the accessor of one of its members or relations",
      [&] { (void)particles.column(&test::Particle::daughters_size); });
  expectError(ErrorKind::usage, "is not the accessor", [] {
    (void)rich::inner::ParticleCollection().column(&rich::inner::Particle::isCreated);
  });
  expectError(ErrorKind::usage, "is not the accessor", [] { // the struct has no std::optional
    (void)rich::inner::ParticleCollection().column(&rich::inner::Particle::getTime);
  });
  const auto chosen = particles.slice(0, 2);
  expectError(ErrorKind::usage, "a column needs a collection with objects of its own",
              [&] { (void)chosen.column(&test::Particle::getPDG); });
}

} // namespace
