#include "support/Allocations.h"
#include "support/Files.h"
#include "support/TestEvents.h"

#include <kaon/loop/EventLoop.h>

#include <gtest/gtest.h>

#include <oneapi/tbb/task_arena.h>

#include <cstdint>
#include <optional>
#include <string>

// Loops pass events to algorithms without allocating.

namespace {

using test::HitCollection;
using test::TrackCollection;

TEST(LoopAllocations, areNotOfEachEvent) {
  constexpr int events = 500;
  const kaon::test::TemporaryDirectory directory;
  const std::string path = directory / "events.kaon";
  kaon::test::writeEvents(path, events, {.tags = {"number"}});
  std::optional<kaon::test::Allocations> allocations; // counted from the tenth event on
  std::size_t atEnd = 0;
  float energy = 0;
  kaon::EventLoop loop;
  loop.add("few", [](std::int32_t number) { return number % 7 != 0; }, {"number"});
  loop.add("energy",
           [&](std::int32_t number, const HitCollection& hits, const TrackCollection* tracks,
               kaon::Array<std::int32_t> codes, kaon::OnDemand<test::BareCollection> bares) {
             for (const auto hit : hits)
               energy += hit.getEnergy();
             energy += static_cast<float>(tracks->size() + codes.size());
             (void)bares.getIfPresent();
             if (number == 10)
               allocations.emplace();
             atEnd = allocations ? allocations->count() : 0;
           },
           {"number", "Hits", "Tracks", "Particles.PDG", "Bares"});
  tbb::task_arena(1).execute(
      [&] { loop.run(kaon::Reader(path)["events"], {.entriesPerPart = events}); });
  EXPECT_GT(energy, 0);
  EXPECT_LT(atEnd, 10U); // for later pages
}

} // namespace
