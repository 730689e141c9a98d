#include "support/CollisionEvents.h"
#include "support/Errors.h"
#include "support/FaultySource.h"
#include "support/Files.h"
#include "support/TestEvents.h"

#include <kaon/event/Writer.h>
#include <kaon/files/Files.h>
#include <kaon/io/ByteSource.h>
#include <kaon/loop/EventLoop.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// Inputs of algorithms, their outputs, and the outputs that are written.

namespace {

using kaon::ErrorKind;
using kaon::EventLoop;
using kaon::Frame;
using kaon::Reader;
using kaon::test::expectError;
using kaon::test::makeEvent;
using kaon::test::writeEvents;
using test::BareCollection;
using test::HitCollection;
using test::ParticleCollection;
using test::TrackCollection;

class EventLoopTest : public testing::Test {
protected:
  static constexpr int events = 60;

  EventLoopTest() { writeEvents(m_path, events, {.clusterEntries = 7, .tags = {"number"}}); }
  [[nodiscard]] kaon::Category input() const { return Reader(m_path)["events"]; }
  [[nodiscard]] kaon::Category output() const { return Reader(m_written)["events"]; }

  kaon::test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
  std::string m_written = m_directory / "written.kaon";
};

/// Returns a hit with the energy of each particle.
HitCollection hitsOfParticles(const ParticleCollection& particles) {
  HitCollection hits;
  for (const auto particle : particles) {
    auto hit = hits.create();
    hit.setEnergy(static_cast<float>(particle.getEnergy()));
    hit.setParticle(particle);
  }
  return hits;
}

double totalEnergy(const HitCollection& hits) {
  double total = 0;
  for (const auto hit : hits)
    total += hit.getEnergy();
  return total;
}

/// Returns the result of totalEnergy() for the hits of hitsOfParticles().
double expectedEnergy(int event) {
  double total = 0;
  for (std::size_t i = 0; i < kaon::test::particlesOf(event); ++i)
    total += event + static_cast<double>(i) / 8;
  return total;
}

TEST_F(EventLoopTest, writesTheOutputsOfAlgorithms) {
  EventLoop loop;
  loop.add("simulation", hitsOfParticles, {"Particles"}, {"NewHits"});
  loop.add("energy", totalEnergy, {"NewHits"}, {"energy"});
  loop.write({.path = m_written, .keep = {"Particles"}});
  const kaon::LoopSummary summary = loop.run(input());
  EXPECT_EQ(summary.entries, events);
  EXPECT_EQ(summary.accepted, events);
  EXPECT_FALSE(summary.isStopped);

  int event = 0;
  for (const Frame& frame : output()) {
    const auto& particles = frame.get<ParticleCollection>("Particles");
    const auto& hits = frame.get<HitCollection>("NewHits");
    kaon::test::expectParticles(particles, event);
    ASSERT_EQ(hits.size(), particles.size());
    for (std::size_t i = 0; i < hits.size(); ++i)
      EXPECT_TRUE(hits[i].getParticle() == particles[i]);
    EXPECT_EQ(frame.getParameter<double>("energy"), expectedEnergy(event));
    EXPECT_EQ(frame.getParameter<std::string>("title"), "event " + std::to_string(event));
    EXPECT_EQ(frame.getIfPresent<TrackCollection>("Tracks"), nullptr);
    ++event;
  }
  EXPECT_EQ(event, events);
}

TEST_F(EventLoopTest, keepsInputsAndDropsIntermediateOutputs) {
  EventLoop loop;
  loop.add("simulation", hitsOfParticles, {"Particles"}, {"NewHits"});
  loop.add("energy", totalEnergy, {"NewHits"}, {"energy"});
  loop.write({.path = m_written, .keep = {"*"}, .drop = {"NewHits"}});
  loop.run(input());
  int event = 0;
  for (const Frame& frame : output()) {
    EXPECT_EQ(frame.getIfPresent<HitCollection>("NewHits"), nullptr);
    EXPECT_EQ(frame.getParameter<double>("energy"), expectedEnergy(event));
    kaon::test::expectEvent(frame, event++);
  }
  EXPECT_EQ(event, events);
}

TEST_F(EventLoopTest, givesAlgorithmsAllKindsOfInputs) {
  std::atomic<int> calls = 0;
  EventLoop loop;
  loop.add("numbers",
           [&](std::int32_t number, double weight, const std::optional<double>& made,
               std::optional<float> nothing) {
             EXPECT_EQ(weight, number / 4.);
             EXPECT_EQ(made, number * 2.);
             EXPECT_EQ(nothing, std::nullopt);
             ++calls;
           },
           {"number", "weight", "double", "nowhere"});
  loop.add("double", [](std::int32_t number) { return number * 2.; }, {"number"}, {"double"});
  loop.add("parameters",
           [&](std::int32_t number, const std::string& title, std::vector<bool> flags,
               std::optional<std::string> nothing) {
             EXPECT_EQ(title, "event " + std::to_string(number));
             EXPECT_EQ(flags.size(), static_cast<std::size_t>(number % 3));
             EXPECT_EQ(nothing, std::nullopt);
             ++calls;
           },
           {"number", "title", "flags", "nowhere"});
  loop.add("collections",
           [&](std::int32_t number, const HitCollection& hits, const BareCollection* bares,
               kaon::OnDemand<TrackCollection> tracks, const TrackCollection* nothing,
               kaon::OnDemand<BareCollection> sameBares) {
             EXPECT_EQ(hits.size(), kaon::test::hitsOf(number));
             EXPECT_EQ(tracks->size(), kaon::test::tracksOf(number));
             EXPECT_EQ(bares != nullptr, kaon::test::hasBares(number));
             EXPECT_EQ(bares, sameBares.getIfPresent());
             EXPECT_EQ(nothing, nullptr);
             ++calls;
           },
           {"number", "Hits", "Bares", "Tracks", "Nowhere", "Bares"});
  loop.add("columns",
           [&](std::int32_t number, kaon::Array<std::int32_t> codes) {
             ASSERT_EQ(codes.size(), kaon::test::particlesOf(number));
             for (std::size_t i = 0; i < codes.size(); ++i)
               EXPECT_EQ(codes[i], 100 * number + static_cast<int>(i));
             ++calls;
           },
           {"number", "Particles.PDG"});
  loop.run(input());
  EXPECT_EQ(calls, 4 * events);
}

TEST_F(EventLoopTest, takesTheOnlyObjectOfACollectionAsANumber) {
  EventLoop loop;
  std::atomic<int> seen = 0;
  // Of four consecutive events, the two selected ones have no track and one track.
  loop.add("few", [](std::int32_t number) { return number % 4 < 2; }, {"number"});
  loop.add("quality",
           [&](std::int32_t number, std::optional<std::int8_t> quality) {
             EXPECT_EQ(quality.has_value(), number % 4 == 1);
             EXPECT_EQ(quality.value_or(0), 0);
             ++seen;
           },
           {"number", "Tracks.fit.quality"});
  loop.run(input());
  EXPECT_EQ(seen, events / 2);

  EventLoop needing;
  needing.add("quality", [](std::int8_t) {}, {"Tracks.fit.quality"});
  expectError(ErrorKind::name, "entry 0, algorithm 'quality': there is no 'Tracks.fit.quality'",
              [&] { needing.run(input(), {.entriesPerPart = 100}); });
  EventLoop many;
  many.add("quality", [](std::optional<std::int8_t>) {}, {"Tracks.fit.quality"});
  expectError(ErrorKind::type, "entry 2, algorithm 'quality': this event has 2 values",
              [&] { many.run(input(), {.entriesPerPart = 100}); });
}

TEST_F(EventLoopTest, putsSeveralProductsOfOneAlgorithm) {
  EventLoop loop;
  loop.add("both",
           [](std::int32_t number) {
             HitCollection hits;
             hits.create().setCell(static_cast<std::uint64_t>(number));
             TrackCollection tracks;
             tracks.create().addToHits(hits[0]);
             return std::tuple(std::move(hits), std::move(tracks), number % 2 == 0);
           },
           {"number"}, {"MyHits", "MyTracks", "isEven"});
  loop.write({.path = m_written});
  loop.run(input());
  int event = 0;
  for (const Frame& frame : output()) {
    const auto track = frame.get<TrackCollection>("MyTracks")[0];
    EXPECT_EQ(track.getHits(0).getCell(), static_cast<std::uint64_t>(event));
    EXPECT_EQ(frame.getParameter<bool>("isEven"), event % 2 == 0);
    ++event;
  }
  EXPECT_EQ(event, events);
}

TEST_F(EventLoopTest, endsAnEventWhereAFilterSaysNo) {
  std::atomic<int> before = 0, after = 0;
  EventLoop loop;
  loop.add("before", [&](std::int32_t) { ++before; }, {"number"});
  loop.add("third", [](std::int32_t number) { return number % 3 == 0; }, {"number"});
  loop.add("after", [&](std::int32_t number) { after += number % 3 == 0 ? 1 : 1000; }, {"number"});
  loop.write({.path = m_written, .keep = {"*"}});
  const kaon::LoopSummary summary = loop.run(input());
  EXPECT_EQ(before, events);
  EXPECT_EQ(after, events / 3);
  EXPECT_EQ(summary.entries, events);
  EXPECT_EQ(summary.accepted, events / 3);
  ASSERT_EQ(output().size(), events / 3);
  int event = 0;
  for (const Frame& frame : output()) {
    kaon::test::expectEvent(frame, event);
    event += 3;
  }
}

TEST_F(EventLoopTest, writesNothingWhereNoEventIsAccepted) {
  EventLoop loop;
  loop.add("none", [] { return false; });
  loop.write({.path = m_written, .keep = {"*"}});
  EXPECT_EQ(loop.run(input()).accepted, 0U);
  EXPECT_TRUE(std::filesystem::exists(m_written));
}

TEST_F(EventLoopTest, goesThroughSeveralFilesInOrder) {
  const std::string second = m_directory / "second.kaon";
  {
    kaon::Writer writer(second, {.tags = {"number"}});
    for (int event = events; event < 2 * events; ++event) {
      Frame frame = makeEvent(event);
      HitCollection more; // changes the order of tables
      frame.put(std::move(more), "AMore");
      writer.write(frame, "events");
    }
    writer.finish();
  }
  EventLoop loop;
  loop.add("simulation", hitsOfParticles, {"Particles"}, {"NewHits"});
  loop.add("energy", totalEnergy, {"NewHits"}, {"energy"});
  loop.write({.path = m_written, .keep = {"*"}});
  loop.run({input(), Reader(second)["events"]});
  int event = 0;
  for (const Frame& frame : output()) {
    EXPECT_EQ(frame.getParameter<double>("energy"), expectedEnergy(event));
    kaon::test::expectEvent(frame, event++);
  }
  EXPECT_EQ(event, 2 * events);
}

TEST_F(EventLoopTest, readsFilesOfOtherFormats) {
  const std::string path = m_directory / "events.root";
  const kaon::test::CollisionEvents truth(1000);
  truth.write(path);
  std::atomic<std::uint64_t> muons = 0;
  std::atomic<std::int64_t> runs = 0;
  EventLoop loop;
  loop.add("muons",
           [&](std::int32_t run, kaon::Array<float> pt) {
             muons += pt.size();
             runs += run;
           },
           {"run", "Muon.pt"});
  loop.run(Reader(path)["events"]);
  EXPECT_EQ(muons, truth.pt.size());
  EXPECT_EQ(runs, 10 * 99 * 100 / 2);
}

TEST_F(EventLoopTest, saysWhereAFileCannotBeRead) {
  int failures = 0;
  EventLoop loop;
  loop.add("look",
           [](const HitCollection& hits, double) {
             for (const auto hit : hits)
               (void)hit.getEnergy();
           },
           {"Hits", "weight"});
  for (std::uint64_t failing = 0; failing < 40; ++failing) {
    std::optional<kaon::Category> damaged;
    try {
      damaged = kaon::Category(
          kaon::open(std::make_unique<kaon::test::FaultySource>(
              kaon::io::fileSource(m_path), kaon::test::Faults{.firstFailing = failing})),
          "events");
    } catch (const kaon::Error&) {
      continue; // fails while opening
    }
    try {
      loop.run(*damaged);
    } catch (const kaon::Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
      kaon::test::expectContains(error.what(), "events.kaon:events, entry ");
      ++failures;
    }
  }
  EXPECT_GT(failures, 10);
}

TEST_F(EventLoopTest, runsWithoutAlgorithms) {
  EXPECT_EQ(EventLoop().run(input()).accepted, events);
  EXPECT_EQ(EventLoop().run(std::vector<kaon::Category>()).entries, 0U);
}

// Errors that are found before the first event.

TEST_F(EventLoopTest, refusesWrongNumbersOfNames) {
  EventLoop loop;
  expectError(ErrorKind::usage, "algorithm 'simulation' has 1 input, but 0 are named",
              [&] { loop.add("simulation", hitsOfParticles, {}, {"NewHits"}); });
  expectError(ErrorKind::usage, "algorithm 'simulation' has 1 output, but 2 are named", [&] {
    loop.add("simulation", hitsOfParticles, {"Particles"}, {"A", "B"});
  });
  expectError(ErrorKind::usage, "algorithm 'nothing' has 0 outputs, but 1 is named",
              [&] { loop.add("nothing", [] {}, {}, {"A"}); });
}

TEST_F(EventLoopTest, suggestsTheNameThatWasMeant) {
  EventLoop file;
  file.add("simulation", hitsOfParticles, {"Particle"}, {"NewHits"});
  expectError(ErrorKind::name,
              "algorithm 'simulation': there is no 'Particle' in the file, and no "
              "algorithm makes it (did you mean 'Particles'?)",
              [&] { file.run(input()); });
  EventLoop product;
  product.add("simulation", hitsOfParticles, {"Particles"}, {"NewHits"});
  product.add("energy", totalEnergy, {"NewHit"}, {"energy"});
  expectError(ErrorKind::name, "(did you mean 'NewHits'?)", [&] { product.run(input()); });
  EventLoop number;
  number.add("number", [](std::int32_t) {}, {"nunber"});
  expectError(ErrorKind::name, "(did you mean 'number'?)", [&] { number.run(input()); });
  EventLoop member;
  member.add("member", [](kaon::Array<float>) {}, {"Hits.enrgy"});
  expectError(ErrorKind::name, "(did you mean 'Hits.energy'?)", [&] { member.run(input()); });
  EventLoop demand;
  demand.add("demand", [](kaon::OnDemand<HitCollection>) {}, {"Hit"});
  expectError(ErrorKind::name, "(did you mean 'Hits'?)", [&] { demand.run(input()); });
  EventLoop title;
  title.add("title", [](const std::string&) {}, {"titel"});
  expectError(ErrorKind::name, "(did you mean 'title'?)", [&] { title.run(input()); });
  EventLoop kept;
  kept.write({.path = m_written, .keep = {"Track"}});
  expectError(ErrorKind::name, "there is no 'Track' to keep", [&] { kept.run(input()); });
  EventLoop dropped;
  dropped.write({.path = m_written, .drop = {"Tracks"}});
  expectError(ErrorKind::name, "there is no 'Tracks' to drop", [&] { dropped.run(input()); });
  EventLoop parameter;
  parameter.add("sum", [](const HitCollection& hits) { return hits.empty() ? 0. : 1.; }, {"Hits"},
                {"sum"});
  parameter.write({.path = m_written, .drop = {"sum"}});
  expectError(ErrorKind::usage, "'sum' is a parameter, and all parameters are written",
              [&] { parameter.run(input()); });
  EXPECT_FALSE(std::filesystem::exists(m_written));
  EXPECT_FALSE(std::filesystem::exists(m_written + ".part"));
}

TEST_F(EventLoopTest, refusesOtherTypes) {
  EventLoop collection;
  collection.add("simulation", hitsOfParticles, {"Hits"}, {"NewHits"});
  expectError(ErrorKind::type, "'Hits' is a collection of test::Hit, not of test::Particle",
              [&] { collection.run(input()); });
  EventLoop number;
  number.add("number", [](float) {}, {"number"});
  expectError(ErrorKind::type, "algorithm 'number': 'number' is an int32, not a float32",
              [&] { number.run(input()); });
  EventLoop product;
  product.add("simulation", hitsOfParticles, {"Particles"}, {"NewHits"});
  product.add("tracking", [](const TrackCollection&) {}, {"NewHits"});
  expectError(ErrorKind::type,
              "algorithm 'tracking' takes 'NewHits' as a test::TrackCollection, but algorithm "
              "'simulation' makes a test::HitCollection",
              [&] { product.run(input()); });
  EventLoop parameter;
  parameter.add("titles", [](const std::vector<double>&) {}, {"title"});
  expectError(ErrorKind::type, "'title' is a parameter of string, not a parameter of float64",
              [&] { parameter.run(input()); });
  EventLoop optional; // not treated as missing in every event
  optional.add("titles", [](const std::optional<std::vector<double>>&) {}, {"title"});
  expectError(ErrorKind::type, "'title' is a parameter of string, not a parameter of float64",
              [&] { optional.run(input()); });
  EventLoop none;
  none.add("titles", [](const HitCollection*) {}, {"title"});
  expectError(ErrorKind::type, "'title' is a parameter of string, not a test::HitCollection",
              [&] { none.run(input()); });
}

TEST_F(EventLoopTest, saysThatProductsAreTakenWhole) {
  EventLoop loop;
  loop.add("simulation", hitsOfParticles, {"Particles"}, {"NewHits"});
  loop.add("energies", [](kaon::Array<float>) {}, {"NewHits.energy"});
  expectError(ErrorKind::name, "; 'NewHits' is made by an algorithm, so take the whole collection",
              [&] { loop.run(input()); });
}

TEST_F(EventLoopTest, refusesTwoProducersOfAName) {
  EventLoop two;
  two.add("a", hitsOfParticles, {"Particles"}, {"NewHits"});
  two.add("b", hitsOfParticles, {"Particles"}, {"NewHits"});
  expectError(ErrorKind::usage, "algorithms 'a' and 'b' both make 'NewHits'",
              [&] { two.run(input()); });
  EventLoop file;
  file.add("a", hitsOfParticles, {"Particles"}, {"Hits"});
  expectError(ErrorKind::usage, "has a 'Hits' already, which algorithm 'a' makes",
              [&] { file.run(input()); });
  EventLoop names;
  names.add("a", [] {});
  names.add("a", [] {});
  expectError(ErrorKind::usage, "there are two algorithms 'a'", [&] { names.run(input()); });
}

} // namespace
