#include "support/DecodedColumns.h"
#include "support/Files.h"
#include "support/TestEvents.h"

#include <kaon/loop/EventLoop.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>

// The columns of a file that a loop decodes.

namespace {

using kaon::EventLoop;
using kaon::OnDemand;
using test::HitCollection;
using test::TrackCollection;
using Columns = std::set<std::string>;

class LoopLaziness : public testing::Test {
protected:
  static constexpr int events = 100;
  static constexpr std::uint32_t inCluster = 10; // one page per cluster

  LoopLaziness() {
    kaon::test::writeEvents(m_path, events, {.clusterEntries = inCluster, .tags = {"number"}});
    m_file = std::make_shared<kaon::test::DecodedColumns>(kaon::open(m_path));
  }
  void run(const EventLoop& loop) const { loop.run(kaon::Category(m_file, "events")); }

  kaon::test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
  std::shared_ptr<kaon::test::DecodedColumns> m_file;
};

TEST_F(LoopLaziness, readsNothingForAlgorithmsThatTakeNothing) {
  EventLoop loop;
  loop.add("nothing", [] {});
  run(loop);
  EXPECT_EQ(m_file->takeNames(), Columns());
}

TEST_F(LoopLaziness, readsATagWithoutTheEvents) {
  EventLoop loop;
  loop.add("number", [](std::int32_t) {}, {"number"});
  run(loop);
  EXPECT_EQ(m_file->takeNames(), Columns{"number values"});
}

TEST_F(LoopLaziness, readsOnlyCountsOfUntouchedCollections) {
  EventLoop loop;
  loop.add("size", [](const HitCollection& hits, const TrackCollection*) { (void)hits.size(); },
           {"Hits", "Tracks"});
  run(loop);
  EXPECT_EQ(m_file->takeNames(),
            (Columns{"Hits presence", "Hits counts", "Tracks presence", "Tracks counts"}));
}

TEST_F(LoopLaziness, readsMembersWhereTheyAreTouched) {
  EventLoop loop;
  loop.add("energy",
           [](std::int32_t number, const HitCollection& hits) {
             if (number / inCluster == 3)
               for (const auto hit : hits)
                 (void)hit.getEnergy();
           },
           {"number", "Hits"});
  run(loop);
  const auto decoded = m_file->take();
  ASSERT_TRUE(decoded.contains("Hits.energy values"));
  EXPECT_FALSE(decoded.contains("Hits.cell values"));
  EXPECT_TRUE(std::ranges::all_of(decoded.at("Hits.energy values"),
                                  [](std::uint64_t first) { return first / inCluster == 3; }));
}

TEST_F(LoopLaziness, readsNothingForAlgorithmsBehindAFilter) {
  EventLoop loop;
  loop.add("none", [](std::int32_t number) { return number < 0; }, {"number"});
  loop.add("both", [](double, kaon::Array<std::int32_t>, const HitCollection&) {},
           {"weight", "Particles.PDG", "Hits"});
  run(loop);
  EXPECT_EQ(m_file->takeNames(), Columns{"number values"});
}

TEST_F(LoopLaziness, readsNothingThatNoEventDemands) {
  EventLoop loop;
  loop.add("demand", [](OnDemand<HitCollection>, OnDemand<TrackCollection>) {}, {"Hits", "Tracks"});
  run(loop);
  EXPECT_EQ(m_file->takeNames(), Columns());
  EventLoop touching;
  touching.add("demand",
               [](std::int32_t number, OnDemand<HitCollection> hits) {
                 if (number >= events - 2) {
                   EXPECT_EQ(hits->size(), kaon::test::hitsOf(number));
                 }
               },
               {"number", "Hits"});
  run(touching);
  const auto decoded = m_file->take();
  ASSERT_TRUE(decoded.contains("Hits counts"));
  for (const std::uint64_t first : decoded.at("Hits counts"))
    EXPECT_EQ(first, events - inCluster);
}

TEST_F(LoopLaziness, decodesAPageOnceInAPart) {
  EventLoop loop;
  loop.add("number", [](std::int32_t, const HitCollection&) {}, {"number", "Hits"});
  loop.add("again", [](std::int32_t, const HitCollection&) {}, {"number", "Hits"});
  loop.run(kaon::Category(m_file, "events"), {.entriesPerPart = events});
  const auto decoded = m_file->take();
  EXPECT_EQ(decoded.at("Hits counts").size(), events / inCluster);
  EXPECT_EQ(decoded.at("number values").size(), 1U); // one page for all clusters
}

TEST_F(LoopLaziness, decodesAPageSeldomWherePartsAreShort) {
  EventLoop loop;
  loop.add("number", [](std::int32_t) {}, {"number"});
  run(loop); // with one entry per part
  EXPECT_LT(m_file->take().at("number values").size(), events / 2);
}

} // namespace
