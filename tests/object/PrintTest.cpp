#include "othermodel/othermodel.h"
#include "testmodel/testmodel.h"

#include "support/Errors.h"

#include <kaon/event/Frame.h>

#include <gtest/gtest.h>

#include <iomanip>
#include <sstream>
#include <string>
#include <utility>

namespace {

template <class T>
std::string printed(const T& thing) {
  std::ostringstream out;
  out << thing;
  return out.str();
}

TEST(Print, showsACollectionAsATable) {
  test::ParticleCollection particles;
  test::HitCollection hits;
  particles.create();
  hits.create(std::uint64_t{12345678901}, 1.5F, std::array{1.F, -2.F, 0.25F})
      .setParticle(particles.create());
  hits.create();
  EXPECT_EQ(printed(hits), "index         cell  energy [keV]  momentum [GeV]  particle\n"
                           "    0  12345678901           1.5       1 -2 0.25         1\n"
                           "    1            0             0           0 0 0         -\n");
}

TEST(Print, showsSizesOfLists) {
  test::TrackCollection tracks;
  auto track = tracks.create();
  track.setFit({true, {1, 2, 3}, {0.5, 0.25}, -1});
  track.addToResiduals(1);
  track.addToResiduals(2);
  track.addToSegments(track);
  EXPECT_EQ(printed(tracks),
            "index  fit.converged  fit.position.x [mm]  fit.position.y [mm]  fit.position.z [mm]  "
            "fit.errors  fit.quality  #residuals  #states  particle  #hits  #segments\n"
            "    0              1                    1                    2                    3  "
            "  0.5 0.25           -1           2        0         -      0          1\n");
}

TEST(Print, showsAnEmptyCollectionAsItsHeadings) {
  EXPECT_EQ(printed(test::BareCollection()), "index  #tracks\n");
  EXPECT_EQ(printed(other::NothingCollection()), "index\n");
}

TEST(Print, showsObjectsOfAFrameWithTheirCollection) {
  test::ParticleCollection particles;
  test::HitCollection hits;
  hits.create().setParticle(particles.create());
  kaon::Frame frame;
  frame.put(std::move(particles), "Particles");
  const auto& kept = frame.put(std::move(hits), "Hits");
  EXPECT_EQ(printed(kept), "index  cell  energy [keV]  momentum [GeV]  particle\n"
                           "    0     0             0           0 0 0       0:0\n");
}

TEST(Print, showsAnObjectMemberByMember) {
  test::MutableParticle particle;
  particle.setPDG(-11);
  particle.setEnergy(0.5);
  EXPECT_EQ(printed(particle), "test::Particle\n"
                               "  PDG            -11\n"
                               "  energy [GeV]   0.5\n"
                               "  vertex.x [mm]  0\n"
                               "  vertex.y [mm]  0\n"
                               "  vertex.z [mm]  0\n"
                               "  charge         -3\n"
                               "  stable         0\n"
                               "  #parents       0\n"
                               "  #daughters     0\n");
  EXPECT_EQ(printed(test::Particle::makeEmpty()), "[not available]");
}

TEST(Print, showsCharactersAndBytesAsNumbers) {
  test::MutableEverything everything;
  everything.setAChar('A');
  everything.setAUInt8(200);
  const std::string text = printed(everything);
  kaon::test::expectContains(text, "aChar    65\n");
  kaon::test::expectContains(text, "aUInt8   200\n");
}

TEST(Print, neitherHeedsNorChangesHowTheStreamPrintsNumbers) {
  test::HitCollection hits;
  hits.create().setEnergy(1.5F);
  std::ostringstream out;
  out << std::hex << std::setprecision(1) << std::left << hits << hits[0];
  kaon::test::expectContains(out.str(), "1.5");
  out.str("");
  out << std::setw(4) << 255;
  EXPECT_EQ(out.str(), "ff  ");
}

} // namespace
