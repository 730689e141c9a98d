#include "support/Errors.h"
#include "support/Files.h"
#include "support/TestEvents.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using kaon::ErrorKind;
using kaon::Frame;
using kaon::test::expectError;
using test::HitCollection;
using test::ParticleCollection;

/// Returns the objects of `hits` except the first, in reverse order.
HitCollection chosenOf(const HitCollection& hits) {
  HitCollection chosen;
  chosen.setSubsetCollection();
  for (std::size_t i = hits.size(); i-- > 1;)
    chosen.push_back(hits[i]);
  return chosen;
}

TEST(Subset, holdsObjectsOfOtherCollections) {
  HitCollection inner, outer, chosen;
  auto first = inner.create(), second = outer.create();
  inner.create();
  EXPECT_FALSE(chosen.isSubsetCollection());
  chosen.setSubsetCollection();
  EXPECT_TRUE(chosen.isSubsetCollection());
  chosen.push_back(second);
  chosen.push_back(first);
  ASSERT_EQ(chosen.size(), 2U);
  EXPECT_EQ(chosen[0], outer[0]);
  EXPECT_EQ(chosen.at(1), inner[0]);
  EXPECT_EQ(std::as_const(chosen).back(), inner[0]);
  chosen[0].setCell(7);
  for (auto hit : chosen)
    hit.setEnergy(2);
  EXPECT_EQ(outer[0].getCell(), 7U);
  EXPECT_EQ(inner[0].getEnergy(), 2);
  EXPECT_EQ(inner[1].getEnergy(), 0);
  EXPECT_EQ(chosen.getValueTypeName(), "test::Hit");
}

TEST(Subset, makesNoObjects) {
  HitCollection chosen;
  chosen.setSubsetCollection();
  const auto message = "needs a collection with objects of its own";
  expectError(ErrorKind::usage, message, [&] { chosen.create(); });
  expectError(ErrorKind::usage, message, [&] { chosen.create(1U, 2.F, std::array<float, 3>()); });
  expectError(ErrorKind::usage, message, [&] { chosen.resize(1); });
  expectError(ErrorKind::usage, message, [&] { (void)chosen.decorate<int>("x"); });
  expectError(ErrorKind::usage, "handle to no object",
              [&] { chosen.push_back(test::Hit::makeEmpty()); });
  EXPECT_TRUE(chosen.empty());
}

TEST(Subset, isOneFromTheBeginning) {
  HitCollection hits;
  hits.create();
  expectError(ErrorKind::usage, "that holds 1 object cannot become a subset",
              [&] { hits.setSubsetCollection(); });
  hits.clear();
  hits.setSubsetCollection();
  hits.setSubsetCollection(false);
  hits.create();
  EXPECT_EQ(hits.size(), 1U);
}

TEST(Subset, takesNoLooseObjects) {
  HitCollection chosen;
  chosen.setSubsetCollection();
  expectError(ErrorKind::usage, "in no collection into a subset: push it into a collection first",
              [&] { chosen.push_back(test::MutableHit()); });
  EXPECT_TRUE(chosen.empty());
}

TEST(Subset, isSortedAndCutWithoutItsObjects) {
  HitCollection hits;
  for (std::uint64_t i = 0; i < 5; ++i)
    hits.create().setCell(i);
  HitCollection chosen = chosenOf(hits);
  chosen.sortBy(&test::Hit::getCell);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(chosen[i], hits[i + 1]);
  chosen.erase(1, 3);
  chosen.insert(0, hits[0]);
  ASSERT_EQ(chosen.size(), 3U);
  EXPECT_EQ(chosen[0], hits[0]);
  EXPECT_EQ(chosen[1], hits[1]);
  EXPECT_EQ(chosen[2], hits[4]);
  EXPECT_EQ(hits.size(), 5U);
  hits.sort(std::ranges::greater{}, &test::Hit::getCell); // the subset refers to the same hits
  EXPECT_EQ(chosen[2], hits[0]);
  EXPECT_EQ(chosen[2].getCell(), 4U);
}

TEST(Subset, isPromotedToACollection) {
  ParticleCollection particles = kaon::test::makeParticles(3);
  auto chosen = particles.slice(1, 3);
  EXPECT_TRUE(chosen.clone().isSubsetCollection());
  EXPECT_EQ(chosen.clone(), chosen);
  const ParticleCollection full = chosen.toCollection();
  chosen.promote();
  EXPECT_FALSE(chosen.isSubsetCollection());
  EXPECT_EQ(chosen, full);
  ASSERT_EQ(chosen.size(), 2U);
  EXPECT_EQ(chosen[1].getPDG(), particles[2].getPDG());
  EXPECT_EQ(chosen[0].getDaughters(0), chosen[1]);
  EXPECT_EQ(chosen[0].getParents(0), particles[0]);
  chosen.create();
  EXPECT_EQ(chosen.size(), 3U);
}

TEST(Subset, takesReferencesWhereOthersAreAppended) {
  ParticleCollection particles = kaon::test::makeParticles(3);
  auto chosen = particles.slice(0, 1);
  chosen.append(particles.slice(3, 4));
  chosen.append(particles);
  ASSERT_EQ(chosen.size(), 2 + particles.size());
  EXPECT_EQ(chosen[1], particles[3]);
  EXPECT_EQ(chosen[2], particles[0]);
  ParticleCollection full;
  full.append(chosen);
  EXPECT_FALSE(full.isSubsetCollection());
  EXPECT_EQ(full.size(), chosen.size());
  EXPECT_EQ(full[1].getPDG(), particles[3].getPDG());
}

class StoredSubset : public testing::TestWithParam<kaon::Layout> {
protected:
  kaon::test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
};
INSTANTIATE_TEST_SUITE_P(Layouts, StoredSubset,
                         testing::Values(kaon::Layout::split, kaon::Layout::row,
                                         kaon::Layout::member),
                         [](const auto& test) { return std::string(layoutName(test.param)); });

TEST_P(StoredSubset, leadsToTheObjectsOfTheFrame) {
  kaon::Writer writer(m_path, {.layout = GetParam()});
  for (int event = 0; event < 20; ++event) {
    Frame frame = kaon::test::makeEvent(event);
    frame.put(chosenOf(frame.get<HitCollection>("Hits")), "Chosen");
    writer.write(frame, "events");
  }
  writer.finish();
  int event = 0;
  for (const Frame& frame : kaon::Reader(m_path)["events"]) {
    const auto& hits = frame.get<HitCollection>("Hits");
    const auto& chosen = frame.get<HitCollection>("Chosen");
    EXPECT_TRUE(chosen.isSubsetCollection());
    ASSERT_EQ(chosen.size(), std::max<std::size_t>(hits.size(), 1) - 1);
    for (std::size_t i = 0; i < chosen.size(); ++i)
      EXPECT_EQ(chosen[i], hits[hits.size() - 1 - i]);
    const HitCollection full = chosen.toCollection();
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      EXPECT_EQ(full[i].getCell(), chosen[i].getCell());
      EXPECT_EQ(full[i].getParticle(), chosen[i].getParticle());
    }
    ++event;
  }
  EXPECT_EQ(event, 20);
}

TEST_P(StoredSubset, isWrittenAgainAndFromObjectsThatWereRead) {
  kaon::Writer(m_path, {.layout = GetParam()}).write(kaon::test::makeEvent(13), "events");
  const std::string again = m_directory / "again.kaon", third = m_directory / "third.kaon";
  {
    kaon::Writer writer(again);
    for (Frame& frame : kaon::Reader(m_path)["events"]) {
      frame.put(chosenOf(frame.get<HitCollection>("Hits")), "Chosen");
      writer.write(frame, "events");
    }
  }
  {
    kaon::Writer writer(third);
    writer.write(kaon::Reader(again)["events"].at(0), "events");
  }
  const Frame frame = kaon::Reader(third)["events"].at(0);
  kaon::test::expectEvent(frame, 13);
  const auto& hits = frame.get<HitCollection>("Hits");
  EXPECT_EQ(frame.get<HitCollection>("Chosen"), chosenOf(hits));
}

TEST(Subset, needsTheCollectionsOfItsObjectsInTheFrame) {
  kaon::test::TemporaryDirectory directory;
  const HitCollection hits = kaon::test::makeHits(3, ParticleCollection());
  Frame frame;
  frame.put(chosenOf(hits), "Chosen");
  kaon::Writer writer(directory / "events.kaon");
  expectError(ErrorKind::usage, "is related to a test::Hit that is in no collection of the frame",
              [&] { writer.write(frame, "events"); });
  expectError(ErrorKind::type, "'Chosen' is a collection of",
              [&] { (void)frame.get<ParticleCollection>("Chosen"); });
}

TEST(Subset, isPrintedAsReferences) {
  HitCollection hits;
  hits.create(), hits.create();
  std::ostringstream out;
  out << chosenOf(hits);
  kaon::test::expectContains(out.str(), "object");
}

} // namespace
