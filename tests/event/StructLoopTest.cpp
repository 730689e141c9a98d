#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>

#include "support/Errors.h"
#include "support/Files.h"
#include "support/TestEvents.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kaon {
namespace {

using ::test::Fit;
using ::test::HitData;
using ::test::ParticleData;
using ::test::TrackData;

constexpr int eventCount = 60;

/// Writes events to a file; returns its path.
std::string writeEvents(const test::TemporaryDirectory& folder, const std::string& name,
                        WriterOptions options) {
  options.codec = uncompressed();
  options.pageBytes = 400;
  std::string path = folder / name;
  Writer writer(path, options);
  for (int event = 0; event < eventCount; ++event) {
    auto particles = test::makeParticles(event);
    auto hits = test::makeHits(event, particles);
    Frame frame;
    frame.put(test::makeTracks(event, particles, hits), "Tracks");
    frame.put(std::move(hits), "Hits");
    frame.put(std::move(particles), "Particles");
    writer.write(frame, "events");
  }
  writer.finish();
  return path;
}

/// Expects that a loop returns the same structs as frames.
void expectStructs(const std::string& path) {
  const Category events = Reader(path)["events"];
  int event = 0;
  for (auto [particles, hits, tracks, states] :
       events.each<Array<ParticleData>, Array<HitData>, Array<TrackData>, Array<Array<Fit>>>(
           "Particles", "Hits", "Tracks", "Tracks.states")) {
    ASSERT_EQ(particles.size(), test::particlesOf(event));
    std::size_t i = 0;
    for (const ParticleData& particle : particles) {
      const auto x = static_cast<float>(i);
      EXPECT_EQ(particle, (ParticleData{100 * event + static_cast<int>(i),
                                        event + x / 8.,
                                        {x, 0, -x},
                                        static_cast<std::int16_t>(i),
                                        i % 2 == 0}));
      ++i;
    }
    ASSERT_EQ(hits.size(), test::hitsOf(event));
    for (i = 0; i < hits.size(); ++i) {
      EXPECT_EQ(hits[i].cell, static_cast<std::uint64_t>(event) * 1000 + i);
      EXPECT_EQ(hits.at(i).momentum,
                (std::array{1.F, static_cast<float>(event), static_cast<float>(i)}));
    }
    ASSERT_EQ(tracks.size(), test::tracksOf(event));
    ASSERT_EQ(states.size(), tracks.size());
    i = 0;
    for (const auto& statesOfOne : states) {
      EXPECT_EQ(tracks[i].fit, test::fitOf(event, i));
      ASSERT_EQ(statesOfOne.size(), i);
      for (std::size_t k = 0; k < i; ++k)
        EXPECT_EQ(statesOfOne[k], test::fitOf(event + 1, k));
      ++i;
    }
    ++event;
  }
  EXPECT_EQ(event, eventCount);
}

TEST(StructLoop, hasTheValuesOfFrames) {
  const test::TemporaryDirectory folder;
  for (const Layout layout : {Layout::split, Layout::member, Layout::row})
    expectStructs(writeEvents(folder, "layout.kaon", {.layout = layout}));
  expectStructs(writeEvents(folder, "ntuple.root", {}));
  expectStructs(writeEvents(folder, "podio.root", {.format = "podio"}));
}

TEST(StructLoop, readsComponentsAndSelections) {
  const test::TemporaryDirectory folder;
  const Category events = Reader(writeEvents(folder, "events.kaon", {}))["events"];
  std::vector<float> xs;
  for (auto [vertices, pdg] : events.eachIn<Array<::test::Vector3f>, Array<std::int32_t>>(
           EntrySelection::ofList(std::vector<std::uint64_t>{3, 40}), "Particles.vertex",
           "Particles.PDG"))
    for (const ::test::Vector3f& vertex : vertices[pdg > 4000])
      xs.push_back(vertex.x);
  ASSERT_EQ(xs.size(), test::particlesOf(40) - 1);
  EXPECT_EQ(xs.back(), static_cast<float>(xs.size()));
}

TEST(StructLoop, reportsMembersThatDoNotFit) {
  const test::TemporaryDirectory folder;
  const Category events = Reader(writeEvents(folder, "events.kaon", {}))["events"];
  test::expectError(ErrorKind::name, "no column is called 'Hits.PDG'",
                    [&] { (void)events.each<Array<ParticleData>>("Hits"); });
  test::expectError(ErrorKind::type, "'Particles.vertex.x' is a list of float32",
                    [&] { (void)events.each<::test::Vector3f>("Particles.vertex"); });
  test::expectError(ErrorKind::usage, "index 60 is out of range in an array of", [&] {
    for (auto [hits] : events.each<Array<HitData>>("Hits"))
      (void)hits.at(60);
  });
}

} // namespace
} // namespace kaon
