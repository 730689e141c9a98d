#include "richmodel/richmodel.h"
#include "Hints.h" // richmodel's header, found with its folder or without
#include "support/Errors.h"
#include "support/Files.h"
#include "support/Warnings.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// Features of models beyond plain members: enums, optional members, nested arrays, extra code.

namespace {

using kaon::ErrorKind;
using kaon::test::expectError;
using rich::Big;
using rich::Hints;
using rich::Origin;
using rich::Vector3f;
using rich::inner::MutableParticle;
using rich::inner::Particle;
using rich::inner::ParticleCollection;

using Ends = std::array<std::array<float, 3>, 2>;
using Corners = std::array<std::array<Vector3f, 2>, 2>;

TEST(RichModel, startsWithItsDefaults) {
  const Particle particle;
  EXPECT_EQ(particle.getOrigin(), Origin::generator);
  EXPECT_EQ(particle.getTime(), std::nullopt);
  EXPECT_EQ(particle.getMass(), 0.5);
  EXPECT_EQ(particle.getRange(), (std::array<std::int16_t, 2>{1, 2}));
  EXPECT_EQ(particle.getEnds(), (Ends{{{1, 2, 3}, {4, 5, 6}}}));
  EXPECT_EQ(particle.getOrigins(), (std::array{Origin::unknown, Origin::simulation}));
  EXPECT_EQ(particle.getByte(), 255);
  EXPECT_EQ(particle.getOffset(), -1);
  EXPECT_EQ(particle.getWord(), 65535);
  const Hints hints;
  EXPECT_FALSE(hints.at.hasValue);
  EXPECT_EQ(hints.origin, Origin::simulation);
  EXPECT_EQ(hints.big, Big::least);
}

TEST(RichModel, namesTheValuesOfEnums) {
  static_assert(std::is_same_v<std::underlying_type_t<Origin>, std::uint8_t>);
  static_assert(static_cast<int>(Origin::simulation) == 6);
  static_assert(static_cast<std::int64_t>(Big::least) == std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(toString(Origin::generator), "generator");
  EXPECT_EQ(toString(static_cast<Origin>(4)), "");
  EXPECT_EQ(kaon::enumValue<Origin>("simulation"), Origin::simulation);
  EXPECT_EQ(kaon::enumValue<Origin>("simulated"), std::nullopt);
}

TEST(RichModel, setsAndUnsetsOptionalMembers) {
  MutableParticle particle;
  particle.setTime(1.5F);
  EXPECT_EQ(particle.getTime(), 1.5F);
  particle.setTime(std::nullopt);
  EXPECT_EQ(particle.getTime(), std::nullopt);
  particle.setRange(std::nullopt);
  EXPECT_EQ(particle.getRange(), std::nullopt);
  Hints hints;
  hints.at = Vector3f{1, 2, 3};
  particle.addToHints(hints);
  EXPECT_EQ(std::optional<Vector3f>(particle.getHints(0).at), Vector3f(1, 2, 3));
}

TEST(RichModel, setsRowsOfArrays) {
  MutableParticle particle;
  particle.setEnds(1, {7, 8, 9});
  EXPECT_EQ(particle.getEnds(), (Ends{{{1, 2, 3}, {7, 8, 9}}}));
  EXPECT_EQ(particle.getEnds(0), (std::array<float, 3>{1, 2, 3}));
  EXPECT_THROW(particle.setEnds(2, {}), std::out_of_range);
}

TEST(RichModel, hasItsExtraCode) {
  static_assert(Vector3f(1, 2, 3)[2] == 3);
  static_assert(rich::CovMatrix2f(1, 2.0, 3.F).at(0, 1) == 2);
  MutableParticle particle;
  particle.setMomentum(3, 4, 12); // from the extra code
  EXPECT_EQ(particle.getMomentum(), Vector3f(3, 4, 12));
  EXPECT_EQ(particle.getMomentum(1), 13);
  particle.setCreated(true);
  EXPECT_EQ(particle.getStatus(), 1 << MutableParticle::BITCreated);
  const Particle constant = particle;
  EXPECT_TRUE(constant.isCreated());
  EXPECT_EQ(constant.getMomentum(2), 169);
  static_assert(std::is_same_v<decltype(constant.itself()), Particle>);
  static_assert(std::is_same_v<decltype(particle.itself()), MutableParticle>);
}

TEST(RichModel, changesMembersWhereTheyLieInItsExtraCode) {
  ParticleCollection particles;
  auto particle = particles.create();
  particle.setCovariance(1, 4);
  EXPECT_EQ(particle.getCovariance(), rich::CovMatrix2f(0, 4, 0));
  particle.swapEnds();
  EXPECT_EQ(particles[0].getEnds(), (Ends{{{4, 5, 6}, {1, 2, 3}}}));
  particle.getCovariance() = rich::CovMatrix2f(1, 2, 3); // a reference
  EXPECT_EQ(std::as_const(particles)[0].getCovariance(), rich::CovMatrix2f(1, 2, 3));
  // A change to the copy that another getter returns would be lost, so it does not compile.
  static_assert(std::is_same_v<decltype(std::as_const(particles)[0].getCovariance()),
                               const rich::CovMatrix2f>);
  static_assert(std::is_same_v<decltype(particle.getEnds(0)), const std::array<float, 3>>);
}

TEST(RichModel, exposesTheMembersOfComponents) {
  MutableParticle particle;
  particle.setMomentum({1, 2, 3});
  EXPECT_EQ(particle.getY(), 2);
  particle.setZ(5);
  particle.setValues(2, 7);
  EXPECT_EQ(particle.getMomentum(), Vector3f(1, 2, 5));
  EXPECT_EQ(particle.getCovariance(), rich::CovMatrix2f(0, 0, 7));
}

class RichModelFile : public testing::TestWithParam<kaon::Layout> {
protected:
  /// Returns an entry of a file with particles().
  kaon::Frame writeAndRead() {
    const std::string path = m_directory / "events.kaon";
    kaon::WriterOptions options;
    options.layout = GetParam();
    kaon::Writer writer(path, options);
    kaon::Frame event;
    event.put(particles(), "Particles");
    writer.write(event, "events");
    writer.finish();
    return kaon::Reader(path)["events"].at(0);
  }
  static ParticleCollection particles() {
    ParticleCollection made;
    for (int i = 0; i < 3; ++i) {
      const auto x = static_cast<float>(i);
      auto particle = made.create();
      particle.setStatus(i);
      particle.setMomentum({x, 1, 2});
      particle.setOrigin(i == 1 ? Origin::simulation : Origin::unknown);
      particle.setTime(i == 1 ? std::optional(x) : std::nullopt);
      particle.setRange(std::array<std::int16_t, 2>{7, static_cast<std::int16_t>(i)});
      particle.setEnds(1, {x, x, x});
      particle.setCorners(Corners{{{{{x, 0, 0}, {0, 1, 0}}}, {{{0, 0, 2}, {3, 3, x}}}}});
      particle.setCovariance({1, 2, x});
      particle.addToHistory(Origin::generator);
      Hints hints;
      if (i == 2)
        hints.at = Vector3f{1, 2, x};
      hints.big = Big::greatest;
      particle.addToHints(hints);
      particle.addToHints({});
      particle.addToDaughters(made[0]);
    }
    return made;
  }
  static void expectEqual(const Particle& a, const Particle& b) {
    EXPECT_EQ(a.getStatus(), b.getStatus());
    EXPECT_EQ(a.getMomentum(), b.getMomentum());
    EXPECT_EQ(a.getX(), b.getX());
    EXPECT_EQ(a.getOrigin(), b.getOrigin());
    EXPECT_EQ(a.getTime(), b.getTime());
    EXPECT_EQ(a.getMass(), b.getMass());
    EXPECT_EQ(a.getRange(), b.getRange());
    EXPECT_EQ(a.getEnds(), b.getEnds());
    EXPECT_EQ(a.getCorners(), b.getCorners());
    EXPECT_EQ(a.getOrigins(), b.getOrigins());
    EXPECT_EQ(a.getCovariance(), b.getCovariance());
    EXPECT_EQ(a.getHistory(0), b.getHistory(0));
    ASSERT_EQ(a.hints_size(), b.hints_size());
    for (std::size_t i = 0; i < a.hints_size(); ++i)
      EXPECT_EQ(a.getHints(i), b.getHints(i));
  }

private:
  kaon::test::TemporaryDirectory m_directory;
};

TEST_P(RichModelFile, keepsEverything) {
  const kaon::Frame read = writeAndRead();
  const auto& found = read.get<ParticleCollection>("Particles");
  const ParticleCollection expected = particles();
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    expectEqual(found[i], expected[i]);
    EXPECT_EQ(found[i].getDaughters(0), found[0]);
  }
}

TEST_P(RichModelFile, staysAsItIs) {
  const kaon::Frame read = writeAndRead();
  auto some = read.get<ParticleCollection>("Particles").slice(0, 1);
  auto particle = some[0];
  const std::string_view message = "a rich::inner::Particle that lies in a file cannot be changed";
  expectError(ErrorKind::usage, message, [&] { particle.setStatus(1); });
  expectError(ErrorKind::usage, message, [&] { particle.addToHistory(rich::Origin::unknown); });
  expectError(ErrorKind::usage, message, [&] { particle.addToDaughters(particle); });
  particle.unlink();
  expectError(ErrorKind::usage, "there is no object", [&] { particle.setStatus(1); });
}

TEST_P(RichModelFile, losesChangesThroughReferencesWithAWarning) {
  kaon::test::Warnings warnings;
  {
    const kaon::Frame read = writeAndRead();
    const auto& all = read.get<ParticleCollection>("Particles");
    const rich::CovMatrix2f before = all[0].getCovariance();
    auto some = all.slice(0, 1);
    some[0].setCovariance(0, before.values[0] + 1); // its extra code changes a reference
    EXPECT_EQ(all[0].getCovariance(), before);
  }
  const std::vector<std::string> told = warnings.take();
  ASSERT_EQ(told.size(), 1U);
  kaon::test::expectContains(told[0],
                             "changes of objects of rich::inner::Particle through references");
}

INSTANTIATE_TEST_SUITE_P(Layouts, RichModelFile,
                         testing::Values(kaon::Layout::split, kaon::Layout::row));

TEST(RichModel, standsInFilesAsScalars) {
  std::vector<std::string> members;
  for (const kaon::Leaf& leaf : Particle::datatype().leaves)
    members.push_back(std::string(leaf.name) + ' ' + std::string(nameOf(leaf.type)) + ' ' +
                      std::to_string(leaf.extent));
  const std::vector<std::string> first = {
      "status int32 1",        "momentum.x float32 1",   "momentum.y float32 1",
      "momentum.z float32 1",  "origin uint8 1",         "time.value float32 1",
      "time.has_value bool 1", "mass.value float64 1",   "mass.has_value bool 1",
      "range.value int16 2",   "range.has_value bool 1", "ends float32 6",
      "corners.0.x float32 1"};
  members.resize(first.size());
  EXPECT_EQ(members, first);
  EXPECT_EQ(Particle::datatype().leaves[5].unit, "ns");
}

} // namespace
