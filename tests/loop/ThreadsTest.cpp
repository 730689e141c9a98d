#include "support/Errors.h"
#include "support/Files.h"
#include "support/Random.h"
#include "support/TestEvents.h"

#include <kaon/base/Tasks.h>
#include <kaon/event/Writer.h>
#include <kaon/loop/EventLoop.h>

#include <gtest/gtest.h>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

// Loops in several threads. ThreadSanitizer detects races.

namespace {

using kaon::ErrorKind;
using kaon::EventLoop;
using kaon::Frame;
using kaon::Reader;
using kaon::test::expectError;
using test::HitCollection;
using test::ParticleCollection;
using Clock = std::chrono::steady_clock;

class LoopWithAnyNumberOfThreads : public testing::TestWithParam<int> {
protected:
  static constexpr int events = 300;

  LoopWithAnyNumberOfThreads() {
    kaon::test::writeEvents(m_path, events, {.clusterEntries = 40, .tags = {"number"}});
  }
  [[nodiscard]] kaon::Category input() const { return Reader(m_path)["events"]; }
  kaon::LoopSummary run(const EventLoop& loop, int threads,
                        const kaon::LoopOptions& options = {}) const {
    const auto number = static_cast<std::size_t>(threads); // even with fewer processors
    const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, number);
    tbb::task_arena arena(threads);
    return arena.execute([&] { return loop.run(input(), options); });
  }
  kaon::LoopSummary run(const EventLoop& loop, const kaon::LoopOptions& options = {}) const {
    return run(loop, GetParam(), options);
  }

  kaon::test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
  std::string m_written = m_directory / "written.kaon";
};
INSTANTIATE_TEST_SUITE_P(Threads, LoopWithAnyNumberOfThreads, testing::Values(1, 2, 8),
                         [](const auto& test) { return std::to_string(test.param); });

/// Takes a random time, so that events finish in another order than they start.
void dawdle(int number) {
  kaon::test::Random random(static_cast<std::uint64_t>(number));
  const auto choice = random.below(4);
  if (choice == 0)
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(2000)));
  else if (choice == 1)
    std::this_thread::yield();
}

HitCollection energiesOf(const ParticleCollection& particles, std::int32_t number) {
  dawdle(number);
  HitCollection hits;
  for (const auto particle : particles)
    hits.create().setParticle(particle);
  return hits;
}

// Files differ only in their identity and in the encodings, which depend on the order of clusters.
TEST_P(LoopWithAnyNumberOfThreads, writesTheSameAsOneThread) {
  const auto write = [&](const std::string& path, int threads) {
    EventLoop loop;
    loop.add("hits", energiesOf, {"Particles", "number"}, {"NewHits"});
    loop.add("size", [](const HitCollection& hits) { return static_cast<int>(hits.size()); },
             {"NewHits"}, {"hits"});
    loop.add("notFifth", [](std::int32_t number) { return number % 5 != 0; }, {"number"});
    loop.write({.path = path, .keep = {"Particles", "Hits"}});
    EXPECT_EQ(run(loop, threads).accepted, events * 4 / 5);
    return Reader(path)["events"];
  };
  const kaon::Category written = write(m_written, GetParam());
  const kaon::Category expected = write(m_directory / "expected.kaon", 1);
  EXPECT_TRUE(written.source().schema() == expected.source().schema());
  EXPECT_EQ(written.clusters(), expected.clusters());

  int event = 0;
  for (const Frame& frame : written) {
    event += event % 5 == 0 ? 1 : 0;
    EXPECT_EQ(frame.getParameter<std::int32_t>("number"), event);
    EXPECT_EQ(frame.getParameter<int>("hits"), kaon::test::particlesOf(event));
    const auto& particles = frame.get<ParticleCollection>("Particles");
    kaon::test::expectParticles(particles, event);
    kaon::test::expectHits(frame.get<HitCollection>("Hits"), particles, event);
    ++event;
  }
  EXPECT_EQ(event, events);
}

TEST_P(LoopWithAnyNumberOfThreads, writesTablesInTheOrderOfTheFirstEvent) {
  {
    kaon::Writer writer(m_path);
    for (int event = 2; event < events; event += event == 2 ? 2 : 3) {
      writer.write(kaon::test::makeEvent(event), "events"); // only the first has "Bares"
      EXPECT_EQ(kaon::test::hasBares(event), event == 2);
    }
    writer.finish();
  }
  EventLoop loop;
  loop.add("slow",
           [](const test::BareCollection* bares) {
             if (bares)
               std::this_thread::sleep_for(std::chrono::milliseconds(50));
           },
           {"Bares"});
  loop.write({.path = m_written, .keep = {"*"}});
  run(loop);
  EXPECT_TRUE(Reader(m_written)["events"].source().schema() == input().source().schema());
}

TEST_P(LoopWithAnyNumberOfThreads, seesEachEventOnce) {
  std::mutex mutex;
  std::multiset<int> seen;
  EventLoop loop;
  loop.add(
      "see",
      [&](std::int32_t number, const HitCollection& hits, const ParticleCollection& particles) {
        kaon::test::expectHits(hits, particles, number);
        const std::lock_guard lock(mutex);
        seen.insert(number);
      },
      {"number", "Hits", "Particles"});
  for (const std::uint64_t entriesPerPart : {0, 1, 7, 1000}) {
    seen.clear();
    EXPECT_EQ(run(loop, {.entriesPerPart = entriesPerPart}).entries, events);
    ASSERT_EQ(seen.size(), events);
    for (int event = 0; event < events; ++event)
      EXPECT_EQ(seen.count(event), 1U);
  }
}

/// Counts events and adds their numbers; fails if several threads use it at once.
class Sum {
public:
  void operator()(std::int32_t number) {
    EXPECT_EQ(m_users++, 0);
    dawdle(number);
    m_sum += number;
    ++m_events;
    --m_users;
  }
  int m_events = 0;
  std::int64_t m_sum = 0;

private:
  int m_users = 0;
};

TEST_P(LoopWithAnyNumberOfThreads, mergesTheStatesOfThreads) {
  Sum all;
  std::atomic<int> states = 0;
  const auto caller = std::this_thread::get_id();
  EventLoop loop;
  loop.add("sum",
           kaon::perThread(
               [&] {
                 ++states;
                 return Sum();
               },
               [&](const Sum& sum) {
                 all.m_events += sum.m_events;
                 all.m_sum += sum.m_sum;
               }),
           {"number"});
  // Without a separate arena, whose calls would come from another thread.
  loop.run(input());
  EXPECT_EQ(all.m_events, events);
  EXPECT_EQ(all.m_sum, events * (events - 1) / 2);
  run(loop); // creates new states
  EXPECT_EQ(all.m_events, 2 * events);
  EXPECT_LE(states, GetParam() + static_cast<int>(kaon::threads()));

  EventLoop merging;
  merging.add("sum",
              kaon::perThread([] { return Sum(); },
                              [&](Sum&) { EXPECT_EQ(std::this_thread::get_id(), caller); }),
              {"number"});
  merging.run(input());
}

TEST_P(LoopWithAnyNumberOfThreads, saysWhereAnAlgorithmFailed) {
  kaon::test::writeFile(m_written, "what was there");
  EventLoop loop;
  loop.add("hits", energiesOf, {"Particles", "number"}, {"NewHits"});
  loop.add("fragile",
           [](std::int32_t number) {
             if (number == 123)
               throw std::runtime_error("the number is odd\nand not even");
           },
           {"number"});
  loop.write({.path = m_written});
  expectError(
      ErrorKind::usage,
      "events.kaon:events, entry 123, algorithm 'fragile': the number is odd\n  and not even",
      [&] { run(loop); });
  EXPECT_EQ(kaon::test::readFile(m_written), "what was there");
  EXPECT_TRUE(std::filesystem::exists(m_written + ".part"));
}

TEST_P(LoopWithAnyNumberOfThreads, keepsTheKindOfAnError) {
  EventLoop loop;
  loop.add("corrupt", [] { kaon::fail(ErrorKind::corrupt, "no such cell"); });
  expectError(ErrorKind::corrupt, "algorithm 'corrupt': no such cell", [&] { run(loop); });
  EventLoop missing;
  missing.add("bares", [](const test::BareCollection&) {}, {"Bares"});
  expectError(ErrorKind::name, "algorithm 'bares': there is no 'Bares' in this event",
              [&] { run(missing); });
  EventLoop outside;
  outside.add("broken",
              [] {
                HitCollection hits;
                hits.create().setParticle(test::Particle());
                return hits;
              },
              {}, {"NewHits"});
  outside.write({.path = m_written});
  expectError(ErrorKind::usage, "events.kaon:events, entry 0: ", [&] { run(outside); });
  EXPECT_FALSE(std::filesystem::exists(m_written));
}

TEST_P(LoopWithAnyNumberOfThreads, stopsSoonWhenAsked) {
  std::stop_source stop;
  std::atomic<int> seen = 0;
  bool isMerged = false;
  EventLoop loop;
  loop.add("slow", [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ++seen;
  });
  loop.add("state", kaon::perThread([] { return [] {}; }, [&](const auto&) { isMerged = true; }));
  loop.write({.path = m_written, .keep = {"*"}});
  Clock::time_point asked;
  std::jthread asking([&] {
    while (seen < 10)
      std::this_thread::yield();
    asked = Clock::now();
    stop.request_stop();
  });
  const kaon::LoopSummary summary = run(loop, {.stop = stop.get_token()});
  const auto end = Clock::now();
  asking.join();
  EXPECT_LT(end - asked, std::chrono::milliseconds(200));
  EXPECT_TRUE(summary.isStopped);
  EXPECT_GE(summary.entries, 10U);
  EXPECT_LT(summary.entries, events);
  EXPECT_FALSE(isMerged);
  EXPECT_FALSE(std::filesystem::exists(m_written));
}

TEST_P(LoopWithAnyNumberOfThreads, tellsItsProgressWhichMayEndIt) {
  EventLoop loop;
  loop.add("slow", dawdle, {"number"});
  double last = 0;
  run(loop, {.progress = [&](double done) {
        EXPECT_GT(done, last);
        last = done;
      }});
  EXPECT_EQ(last, 1);
  struct Interrupt {};
  EXPECT_THROW(run(loop, {.progress =
                              [](double done) {
                                if (done > 0.3)
                                  throw Interrupt();
                              }}),
               Interrupt);
}

TEST_P(LoopWithAnyNumberOfThreads, mayRunSeveralTimesAtOnce) {
  std::atomic<int> seen = 0;
  EventLoop loop;
  loop.add("see", [&](std::int32_t, const HitCollection&) { ++seen; }, {"number", "Hits"});
  std::vector<std::jthread> callers(2);
  for (std::jthread& caller : callers)
    caller = std::jthread([&] { run(loop); });
  callers.clear();
  EXPECT_EQ(seen, 2 * events);
}

} // namespace
