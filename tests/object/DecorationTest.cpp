#include <kaon/kaon.h>

#include "othermodel/othermodel.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/TestEvents.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

// Members that a program adds to the objects of a collection, unknown to their datatype.

namespace {

using kaon::ErrorKind;
using kaon::Frame;
using kaon::Layout;
using kaon::Reader;
using kaon::Writer;
using kaon::test::expectError;
using test::HitCollection;
using test::ParticleCollection;

class DecorationOf : public testing::TestWithParam<Layout> {
protected:
  kaon::test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
};
INSTANTIATE_TEST_SUITE_P(Layouts, DecorationOf,
                         testing::Values(Layout::split, Layout::row, Layout::member),
                         [](const auto& test) { return std::string(layoutName(test.param)); });

float isolation(int event, std::size_t hit) {
  return static_cast<float>(event) + static_cast<float>(hit) / 8;
}

TEST(Decoration, keepsValuesWhereTheyAre) {
  HitCollection hits;
  hits.resize(10'000);
  const auto isolations = hits.decorate<float>("isolation");
  float& first = isolations[0];
  for (std::size_t i = 1; i < hits.size(); ++i)
    isolations[i] = 0.25F;
  first = 0.5F;
  EXPECT_EQ(isolations[0], 0.5F);
  std::swap(isolations[0], isolations[9'999]);
  EXPECT_EQ(isolations[0], 0.25F);
  EXPECT_EQ(isolations[9'999], 0.5F);
}

TEST_P(DecorationOf, aBuiltCollectionIsWrittenAndReadWithIt) {
  Writer writer(m_path, {.layout = GetParam(), .clusterEntries = 7, .pageBytes = 200});
  for (int event = 0; event < 40; ++event) {
    HitCollection hits;
    const auto isolations = hits.decorate<float>("isolation");
    for (std::size_t i = 0; i < static_cast<std::size_t>(event % 5); ++i)
      isolations[hits.create()] = isolation(event, i);
    Frame frame;
    frame.put(std::move(hits), "Hits");
    writer.write(frame, "events");
  }
  writer.finish();
  int event = 0;
  for (const Frame& frame : Reader(m_path)["events"]) {
    const auto& hits = frame.get<HitCollection>("Hits");
    const auto isolations = hits.decoration<float>("isolation");
    ASSERT_EQ(isolations.size(), hits.size());
    for (const auto& hit : hits)
      EXPECT_EQ(isolations[hit], isolation(event, hit.place().index()));
    ++event;
  }
}

TEST_P(DecorationOf, readObjectsIsWrittenWithThem) {
  kaon::test::writeEvents(m_path, 20, {.layout = GetParam()});
  const std::string copy = m_directory / "copy.kaon";
  {
    Writer writer(copy);
    for (const Frame& frame : Reader(m_path)["events"]) {
      const auto& particles = frame.get<ParticleCollection>("Particles");
      const auto doubled = particles.decorate<double>("twice");
      for (const auto& particle : particles)
        doubled[particle] = 2. * particle.getPDG();
      writer.write(frame, "events");
    }
  }
  int event = 0;
  for (const Frame& frame : Reader(copy)["events"]) {
    kaon::test::expectEvent(frame, event++);
    const auto& particles = frame.get<ParticleCollection>("Particles");
    const auto doubled = particles.decoration<double>("twice");
    for (const auto& particle : particles)
      EXPECT_EQ(doubled[particle], 2. * particle.getPDG());
  }
  EXPECT_EQ(event, 20);
}

// Copied frames keep decorations from files; programs may replace their values.
TEST_P(DecorationOf, aFileIsCopiedOrReplaced) {
  {
    Writer writer(m_path, {.layout = GetParam()});
    for (int event = 0; event < 5; ++event) {
      Frame frame;
      HitCollection hits;
      const auto first = hits.decorate<int>("first"), second = hits.decorate<int>("second");
      const auto hit = hits.create();
      first[hit] = event;
      second[hit] = -event;
      frame.put(std::move(hits), "Hits");
      writer.write(frame, "events");
    }
  }
  const std::string copy = m_directory / "copy.kaon";
  {
    Writer writer(copy, {.layout = GetParam()});
    for (const Frame& frame : Reader(m_path)["events"]) {
      const auto second = frame.get<HitCollection>("Hits").decorate<int>("second");
      second[0] = 100;
      writer.write(frame, "events");
    }
  }
  int event = 0;
  for (const Frame& frame : Reader(copy)["events"]) {
    const auto& hits = frame.get<HitCollection>("Hits");
    EXPECT_EQ(hits.decoration<int>("first")[0], event++);
    EXPECT_EQ(hits.decoration<int>("second")[0], 100);
  }
}

TEST_P(DecorationOf, onlyLaterEventsIsMissingInEarlierOnes) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  {
    Writer writer(m_path, {.layout = GetParam(), .clusterEntries = 4});
    for (int event = 0; event < 12; ++event) {
      HitCollection hits;
      hits.create();
      hits.create();
      if (event >= 6)
        hits.decorate<double>("weight", nan)[1] = event;
      Frame frame;
      frame.put(std::move(hits), "Hits");
      writer.write(frame, "events");
    }
  }
  int event = 0;
  for (const Frame& frame : Reader(m_path)["events"]) {
    const auto weight = frame.get<HitCollection>("Hits").decoration<double>("weight");
    EXPECT_TRUE(std::isnan(weight[0]));
    if (event < 6)
      EXPECT_TRUE(std::isnan(weight[1])) << event;
    else
      EXPECT_EQ(weight[1], event);
    ++event;
  }
}

TEST_P(DecorationOf, aCollectionIsAColumnInBatches) {
  {
    Writer writer(m_path, {.layout = GetParam()});
    for (int event = 0; event < 10; ++event) {
      HitCollection hits;
      const auto isolations = hits.decorate<float>("isolation");
      isolations[hits.create()] = static_cast<float>(event);
      Frame frame;
      frame.put(std::move(hits), "Hits");
      writer.write(frame, "events");
    }
  }
  float sum = 0;
  for (const kaon::Batch& batch : Reader(m_path)["events"].batches({"Hits.isolation"}))
    for (const float value : batch.values<float>("Hits.isolation"))
      sum += value;
  EXPECT_EQ(sum, 45);
}

TEST(Decoration, isForgottenWhenTheFrameGoesOn) {
  const kaon::test::TemporaryDirectory directory;
  const std::string path = directory / "events.kaon";
  {
    Writer writer(path);
    for (int event = 1; event < 3; ++event)
      writer.write(kaon::test::makeEvent(event), "events");
  }
  bool isFirst = true;
  for (const Frame& frame : Reader(path)["events"]) {
    const auto& hits = frame.get<HitCollection>("Hits");
    if (std::exchange(isFirst, false))
      hits.decorate<int>("mine")[0] = 1;
    else
      expectError(ErrorKind::name, "'Hits' has no decoration 'mine'",
                  [&] { (void)hits.decoration<int>("mine"); });
  }
}

TEST(Decoration, hasTheMissingValueByDefault) {
  HitCollection hits;
  const auto flags = hits.decorate<bool>("good", true);
  for (int i = 0; i < 3; ++i)
    hits.create();
  flags[1] = false;
  const auto read = hits.decoration<bool>("good");
  EXPECT_TRUE(read[0]);
  EXPECT_FALSE(read[1]);
  EXPECT_TRUE(read[2]);
}

TEST(Decoration, isRefusedForNamesOfMembers) {
  HitCollection hits;
  hits.create();
  for (const std::string name : {"cell", "momentum", "particle", ""})
    expectError(ErrorKind::usage, "already: a decoration needs a name of its own",
                [&] { (void)hits.decorate<float>(name); });
  expectError(ErrorKind::usage, "an other::Segment has a 'weight' already",
              [] { (void)other::SegmentCollection().decorate<float>("weight"); });
}

TEST(Decoration, hasOneType) {
  HitCollection hits;
  hits.create();
  (void)hits.decorate<float>("isolation");
  expectError(ErrorKind::type, "'isolation' holds float32, not float64",
              [&] { (void)hits.decorate<double>("isolation"); });
  expectError(ErrorKind::type, "'isolation' holds float32, not int32",
              [&] { (void)hits.decoration<int>("isolation"); });
  expectError(ErrorKind::name, "there is no decoration 'isolaton' (did you mean 'isolation'?)",
              [&] { (void)hits.decoration<float>("isolaton"); });
  expectError(ErrorKind::usage, "object 1 is out of range in a decoration of size 1",
              [&] { hits.decorate<float>("isolation")[1] = 0; });
}

} // namespace
