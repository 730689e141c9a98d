#include "support/Errors.h"
#include "support/Files.h"
#include "support/Random.h"
#include "support/TestEvents.h"
#include "support/Warnings.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/io/ByteSink.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// Several threads that write one file. ThreadSanitizer finds the races.

namespace {

using kaon::ErrorKind;
using kaon::Frame;
using kaon::Layout;
using kaon::Reader;
using kaon::Writer;
using kaon::test::expectContains;
using kaon::test::expectError;
using kaon::test::expectEvent;
using kaon::test::makeEvent;
using test::HitCollection;

constexpr int threads = 4;

/// Runs `work(thread)` in several threads.
template <class Work>
void inThreads(Work work) {
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i)
    running.emplace_back([&, i] { work(i); });
  for (std::thread& thread : running)
    thread.join();
}

class ConcurrentFillers : public testing::Test {
protected:
  /// Returns the numbers of the events in the file, and checks them against makeEvent().
  [[nodiscard]] std::vector<int> numbers(const std::string& category = "events") const {
    std::vector<int> found;
    for (const Frame& frame : Reader(m_path)[category]) {
      found.push_back(frame.getParameter<int>("number").value());
      expectEvent(frame, found.back());
    }
    return found;
  }
  static std::vector<int> upTo(int count) {
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  static Frame brokenEvent() {
    HitCollection hits;
    hits.create().setParticle(test::Particle());
    Frame frame;
    frame.put(std::move(hits), "Hits");
    return frame;
  }

  kaon::test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
};

TEST_F(ConcurrentFillers, writeEachEventOnce) {
  constexpr int each = 50;
  Writer writer(m_path, {.clusterBytes = 10'000, .tags = {"number"}});
  inThreads([&](int thread) {
    auto filler = writer.filler("events");
    for (int i = 0; i < each; ++i)
      filler.write(makeEvent(thread * each + i));
    filler.finish();
  });
  writer.finish();
  std::vector<int> found = numbers();
  for (int thread = 0; thread < threads; ++thread) { // the events of one thread keep their order
    std::vector<int> own;
    std::ranges::copy_if(found, std::back_inserter(own),
                         [&](int number) { return number / each == thread; });
    EXPECT_TRUE(std::ranges::is_sorted(own));
  }
  std::ranges::sort(found);
  EXPECT_EQ(found, upTo(threads * each));
}

TEST_F(ConcurrentFillers, keepTheOrderOfTheirPlaces) {
  constexpr int places = 20, each = 7;
  for (const std::size_t clusterBytes : {std::size_t{1}, std::size_t{3000}, std::size_t{1} << 24}) {
    Writer writer(m_path, {.clusterBytes = clusterBytes, .keys = {"number"}});
    std::atomic<int> next = places;
    inThreads([&](int) {
      for (int place = --next; place >= 0; place = --next) { // the last places first
        auto filler = writer.filler("events", static_cast<std::uint64_t>(place));
        for (int i = 0; i < each; ++i)
          filler.write(makeEvent(place * each + i));
      }
    });
    writer.finish();
    EXPECT_EQ(numbers(), upTo(places * each));
  }
}

// Each thread writes events that others have gathered. Clusters that come too early go to a file.
TEST_F(ConcurrentFillers, keepTheOrderOfTheirPlacesWhereMemoryIsShort) {
  constexpr int places = 20, each = 30;
  for (const std::size_t budget : {1, 20'000, 100'000}) {
    Writer writer(m_path, {.memoryBudget = budget});
    std::atomic<int> next = places;
    inThreads([&](int) {
      for (int place = --next; place >= 0; place = --next) { // the last places first
        auto filler = writer.filler("events", static_cast<std::uint64_t>(place));
        auto other = writer.filler("others");
        for (int i = 0; i < each; ++i) {
          filler.write(makeEvent(place * each + i));
          other.write(makeEvent(place * each + i));
        }
      }
    });
    writer.finish();
    EXPECT_EQ(numbers(), upTo(places * each));
    std::vector<int> others = numbers("others");
    std::ranges::sort(others);
    EXPECT_EQ(others, upTo(places * each));
  }
}

/// A memory sink without a directory for clusters that must wait.
class NoDirectory final : public kaon::io::ByteSink {
public:
  [[nodiscard]] const std::string& name() const noexcept override { return m_name; }
  [[nodiscard]] std::string directory() const override { return "/there/is/none"; }
  void write(std::span<const std::byte> /*bytes*/) override {}
  void finish() override {}

private:
  std::string m_name = "memory.kaon";
};

TEST_F(ConcurrentFillers, reportAMissingTemporaryFolder) {
  Writer writer(std::make_unique<NoDirectory>(), {.memoryBudget = 1});
  auto first = writer.filler("events", 0), second = writer.filler("events", 1);
  expectError(ErrorKind::missing, "/there/is/none: a temporary file there",
              [&] { second.write(makeEvent(1)); });
  expectError(ErrorKind::usage, "an earlier write failed", [&] { first.write(makeEvent(0)); });
}

TEST_F(ConcurrentFillers, mayFillSeveralCategories) {
  Writer writer(m_path, {.clusterBytes = 3000});
  inThreads([&](int thread) {
    auto events = writer.filler("events", static_cast<std::uint64_t>(thread));
    auto others = writer.filler("others", static_cast<std::uint64_t>(threads - 1 - thread));
    for (int i = 0; i < 10; ++i) {
      events.write(makeEvent(10 * thread + i));
      others.write(makeEvent(10 * (threads - 1 - thread) + i));
    }
  });
  writer.finish();
  EXPECT_EQ(numbers("events"), upTo(10 * threads));
  EXPECT_EQ(numbers("others"), upTo(10 * threads));
}

// The tables of a category and their numbers depend on the order of the threads; relations must
// not.
TEST_F(ConcurrentFillers, findEachOthersTables) {
  const std::vector<std::string> names{"Tracks", "Hits", "Particles", "Bares"};
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    Writer writer(m_path, {.clusterBytes = 2000});
    inThreads([&](int thread) {
      kaon::test::Random random(seed * threads + static_cast<std::uint64_t>(thread));
      auto filler = writer.filler("parts");
      auto events = writer.filler("events", static_cast<std::uint64_t>(thread));
      for (int i = 0; i < 12; ++i) {
        const int number = 12 * thread + i;
        Frame event = makeEvent(number);
        // First some collections in any order, which the others are related to.
        std::vector<std::string> some = event.getAvailableCollections();
        some.resize(1 + random.below(some.size()));
        std::ranges::reverse(some);
        filler.write(event, some);
        event.putParameter("only" + std::to_string(random.below(6)), number);
        events.write(event);
      }
    });
    writer.finish();
    EXPECT_EQ(numbers(), upTo(12 * threads));
    EXPECT_EQ(Reader(m_path)["parts"].size(), 12U * threads);
  }
}

// The same case in one thread, step by step: the first frame of each filler has another collection.
TEST_F(ConcurrentFillers, findTablesThatAnotherAddedInTheMeantime) {
  Writer writer(m_path, {.clusterEntries = 2});
  auto first = writer.filler("events", 0);
  auto second = writer.filler("events", 1);
  const auto someHits = [](const char* name, std::uint64_t cell) {
    HitCollection hits;
    hits.create().setCell(cell);
    Frame frame;
    frame.put(std::move(hits), name);
    frame.putParameter("cell", static_cast<int>(cell));
    return frame;
  };
  first.write(someHits("A", 1));
  second.write(someHits("B", 2));
  first.write(someHits("C", 3)); // the second: a cluster that comes before the other's
  second.write(makeEvent(5));
  first.write(makeEvent(4));
  first.write(someHits("B", 6));
  second.write(someHits("A", 7));
  first.finish();
  second.finish();
  writer.finish();
  const Reader reader(m_path);
  const auto category = reader["events"];
  ASSERT_EQ(category.size(), 7U);
  const std::vector<std::pair<std::uint64_t, std::pair<const char*, std::uint64_t>>> hits{
      {0, {"A", 1}}, {1, {"C", 3}}, {3, {"B", 6}}, {4, {"B", 2}}, {6, {"A", 7}}};
  for (const auto& [entry, expected] : hits) {
    const Frame frame = category.at(entry);
    EXPECT_EQ(frame.getAvailableCollections(), std::vector<std::string>{expected.first});
    EXPECT_EQ(frame.get<HitCollection>(expected.first)[0].getCell(), expected.second);
  }
  expectEvent(category.at(2), 4);
  expectEvent(category.at(5), 5);
}

TEST_F(ConcurrentFillers, agreeOnADatatype) {
  Writer writer(m_path);
  auto first = writer.filler("events");
  auto second = writer.filler("events");
  Frame hits, particles;
  hits.put(HitCollection(), "Things");
  particles.put(test::ParticleCollection(), "Things");
  first.write(hits);
  expectError(ErrorKind::type, "'Things' is a test::Particle here but was a test::Hit",
              [&] { second.write(particles); });
}

TEST_F(ConcurrentFillers, goTogetherWithTheWriterItself) {
  {
    Writer writer(m_path, {.clusterEntries = 3});
    auto filler = writer.filler("events");
    for (int event = 0; event < 10; event += 2) {
      writer.write(makeEvent(event), "events");
      filler.write(makeEvent(event + 1));
    }
    filler.finish();
    writer.finish();
  }
  std::vector<int> found = numbers();
  std::ranges::sort(found);
  EXPECT_EQ(found, upTo(10));
}

TEST_F(ConcurrentFillers, finishWhenTheyGo) {
  Writer writer(m_path);
  {
    auto filler = writer.filler("events");
    auto moved = std::move(filler);
    moved.write(makeEvent(0));
  }
  writer.finish();
  EXPECT_EQ(numbers(), upTo(1));
}

TEST_F(ConcurrentFillers, sayThatTheyWereMovedAway) {
  Writer writer(m_path);
  auto filler = writer.filler("events");
  auto moved = std::move(filler);
  expectError(ErrorKind::usage, "this filler was moved away", [&] { filler.write(makeEvent(0)); });
  expectError(ErrorKind::usage, "this filler was moved away", [&] { filler.finish(); });
}

TEST_F(ConcurrentFillers, takeNothingMoreWhenTheyAreFinished) {
  Writer writer(m_path);
  auto filler = writer.filler("events");
  filler.write(makeEvent(0));
  filler.finish();
  expectError(ErrorKind::usage, "this filler of 'events' is finished",
              [&] { filler.write(makeEvent(1)); });
  writer.finish();
  EXPECT_EQ(numbers(), upTo(1));
}

TEST_F(ConcurrentFillers, knowNothingOfThoseBeforeThem) {
  Writer writer(m_path);
  for (std::uint64_t place = 0; place < 2; ++place) {
    auto filler = writer.filler("events", place);
    Frame event = makeEvent(static_cast<int>(place));
    event.putParameter(place == 0 ? "first" : "second", 1);
    filler.write(event);
  }
  writer.finish();
  EXPECT_EQ(numbers(), upTo(2));
  const Reader reader(m_path);
  EXPECT_EQ(reader["events"].at(1).getParameter<int>("second"), 1);
  EXPECT_FALSE(reader["events"].at(1).getParameter<int>("first"));
}

TEST_F(ConcurrentFillers, mustBeFinishedFirst) {
  kaon::test::writeFile(m_path, "old");
  Writer writer(m_path);
  writer.write(makeEvent(0), "events");
  auto filler = writer.filler("events");
  filler.write(makeEvent(2));
  expectError(ErrorKind::usage, "is being filled by 1 filler; finish it first",
              [&] { writer.finish(); });
  EXPECT_EQ(kaon::test::readFile(m_path), "old");
  writer.write(makeEvent(1), "events"); // both go on
  filler.write(makeEvent(3));
  auto another = writer.filler("events");
  expectError(ErrorKind::usage, "is being filled by 2 fillers; finish them first",
              [&] { writer.finish(); });
  another.finish();
  filler.finish();
  writer.finish();
  std::vector<int> events = numbers();
  std::ranges::sort(events);
  EXPECT_EQ(events, upTo(4));
}

TEST_F(ConcurrentFillers, leaveNoPlaceOut) {
  Writer writer(m_path);
  for (const std::uint64_t place : {0, 1, 3})
    writer.filler("events", place).write(makeEvent(static_cast<int>(place)));
  expectError(ErrorKind::usage,
              "nothing was written to place 2 of 'events', but later places wait for it",
              [&] { writer.finish(); });
  writer.filler("events", 2).write(makeEvent(2));
  writer.finish();
  EXPECT_EQ(numbers(), upTo(4));
}

TEST_F(ConcurrentFillers, haveAPlaceEach) {
  Writer writer(m_path);
  auto waiting = writer.filler("events", 5);
  expectError(ErrorKind::usage, "place 5 of 'events' is taken already",
              [&] { (void)writer.filler("events", 5); });
  writer.filler("events", 0).finish();
  expectError(ErrorKind::usage, "place 0 of 'events' is taken already",
              [&] { (void)writer.filler("events", 0); });
  EXPECT_NO_THROW((void)writer.filler("others", 0));
}

TEST_F(ConcurrentFillers, stopWhereOneFails) {
  kaon::test::writeFile(m_path, "old");
  {
    Writer writer(m_path, {.clusterBytes = 1000});
    std::atomic<int> failed = 0;
    inThreads([&](int thread) {
      try {
        auto filler = writer.filler("events");
        for (int event = 0; event < 100'000; ++event)
          filler.write(thread == 1 && event == 5 ? brokenEvent() : makeEvent(event));
      } catch (const kaon::Error&) {
        ++failed;
      }
    });
    EXPECT_EQ(failed, threads); // the others get the error, too
    expectError(ErrorKind::usage, "an earlier write failed", [&] { writer.finish(); });
  }
  EXPECT_EQ(kaon::test::readFile(m_path), "old");
}

TEST_F(ConcurrentFillers, goOnAfterAFrameThatTheyRefuse) {
  Writer writer(m_path, {.clusterEntries = 2});
  {
    auto filler = writer.filler("events", 0);
    for (int event = 0; event < 5; ++event) {
      filler.write(makeEvent(event));
      expectError(ErrorKind::usage, "in no collection of the frame",
                  [&] { filler.write(brokenEvent()); });
    }
  }
  writer.finish();
  EXPECT_EQ(numbers(), upTo(5));
}

TEST_F(ConcurrentFillers, mayAddDocuments) {
  Writer writer(m_path);
  inThreads([&](int thread) {
    for (int i = 0; i < 20; ++i)
      writer.putDocument("text" + std::to_string(thread) + "." + std::to_string(i), "some");
  });
  writer.finish();
  EXPECT_EQ(Reader(m_path).file().documents().size(), 20U * threads);
}

TEST_F(ConcurrentFillers, mayAppend) {
  for (int round = 0; round < 3; ++round) {
    Writer writer(m_path, {.clusterBytes = 3000, .tags = {"number"}, .append = round > 0});
    inThreads([&](int thread) {
      auto filler = writer.filler("events", static_cast<std::uint64_t>(thread));
      for (int i = 0; i < 5; ++i)
        filler.write(makeEvent(5 * (threads * round + thread) + i));
    });
    writer.finish();
  }
  EXPECT_EQ(numbers(), upTo(15 * threads));
}

// A thread that ends with its own error has not written all of its events.
TEST_F(ConcurrentFillers, leaveTheFileUnfinishedWhereTheirThreadFails) {
  Writer writer(m_path);
  try {
    auto filler = writer.filler("events");
    filler.write(makeEvent(1));
    throw std::runtime_error("a detector is missing");
  } catch (const std::runtime_error&) {
  }
  expectError(ErrorKind::usage, "an earlier write failed", [&] { writer.finish(); });
  EXPECT_FALSE(std::filesystem::exists(m_path));
}

TEST_F(ConcurrentFillers, warnOfParametersOfSeveralTypes) {
  kaon::test::Warnings warnings;
  Writer writer(m_path);
  for (const auto& set : {+[](Frame& frame) { frame.putParameter("weight", 1); },
                          +[](Frame& frame) { frame.putParameter("weight", 1.5); }}) {
    Frame frame;
    set(frame);
    frame.putParameter("same", 1); // as in podio
    frame.putParameter("same", std::string("one"));
    writer.write(frame, "events");
  }
  writer.finish();
  EXPECT_EQ(warnings.kinds(), std::vector{kaon::WarningKind::severalTypes});
  const auto messages = warnings.take();
  ASSERT_EQ(messages.size(), 1U);
  expectContains(messages[0], "the parameter 'weight' of 'events' was written as int32 and as "
                              "float64, which become two columns");
}

TEST_F(ConcurrentFillers, warnOfOptionsForNamesThatAreNotThere) {
  kaon::test::Warnings warnings;
  Writer writer(m_path, {.storage = {{"Hit", {.layout = kaon::Layout::row}}},
                         .encodings = {{"Hits.cel", kaon::codec::Encoding::packed}}});
  writer.filler("events").write(makeEvent(3));
  writer.finish();
  EXPECT_EQ(warnings.kinds(), std::vector(2, kaon::WarningKind::unusedOption));
  const auto messages = warnings.take();
  ASSERT_EQ(messages.size(), 2U);
  expectContains(messages[0], "the option 'storage' names 'Hit', but no collection of this name "
                              "was written (did you mean 'Hits'?)");
  expectContains(messages[1], "the option 'encodings' names 'Hits.cel', but no column of this name "
                              "was written (did you mean 'Hits.cell'?)");
}

TEST_F(ConcurrentFillers, warnOfOptionsThatFitNothingOfTheirNames) {
  kaon::test::Warnings warnings;
  Writer writer(m_path, {.storage = {{"Hits", {.layout = kaon::Layout::row}},
                                     {"number", {.layout = kaon::Layout::row}}},
                         .encodings = {{"Hits.cell", kaon::codec::Encoding::packed}},
                         .tags = {"Hits"},
                         .keys = {"Particles.energy"}});
  writer.filler("events").write(makeEvent(3));
  writer.finish();
  const auto messages = warnings.take();
  ASSERT_EQ(messages.size(), 4U);
  expectContains(messages[0],
                 "the option 'storage' names 'number', but no collection of this name was written; "
                 "it is a parameter or value, and only collections have layouts");
  expectContains(messages[1], "names 'Hits.cell', but no column"); // but rows
  expectContains(messages[2], "names 'Hits', but no parameter or value");
  expectContains(messages[3], "names 'Particles.energy', but no parameter, value or member");
}

} // namespace
