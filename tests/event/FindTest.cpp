#include <kaon/kaon.h>

#include "support/Errors.h"
#include "support/Files.h"
#include "support/TestEvents.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

// Finds events by run and number, in any order of events.

namespace {

using kaon::ErrorKind;
using kaon::Frame;
using kaon::Reader;
using kaon::Writer;
using kaon::test::expectError;

class Find : public testing::Test {
protected:
  /// Writes events with the number `numberOf(i)`, a hundred per run, in clusters of 64.
  template <class NumberOf>
  Reader write(int events, NumberOf numberOf,
               kaon::WriterOptions options = {.keys = {"run", "event"}}) {
    options.clusterEntries = 64;
    options.pageBytes = 128;
    Writer writer(m_path, options);
    for (int i = 0; i < events; ++i) {
      Frame frame;
      frame.putParameter("run", i / 100);
      frame.putParameter("event", static_cast<std::int64_t>(numberOf(i)));
      frame.putParameter("weight", 0.5 * i);
      writer.write(frame, "events");
    }
    writer.finish();
    return Reader(m_path);
  }
  kaon::test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
};

TEST_F(Find, findsEveryEvent) {
  const Reader reader = write(500, [](int i) { return i * 3; });
  const auto events = reader["events"];
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(events.find({{"run", i / 100}, {"event", i * 3}}), std::optional<std::uint64_t>(i));
    EXPECT_EQ(events.find({{"event", i * 3}}), std::optional<std::uint64_t>(i));
    EXPECT_EQ(events.find({{"run", i / 100}, {"event", i * 3 + 1}}), std::nullopt);
    EXPECT_EQ(events.find({{"run", i / 100 + 1}, {"event", i * 3}}), std::nullopt);
  }
}

TEST_F(Find, findsThemInAnyOrder) {
  const auto numberOf = [](int i) { return i * 7919 % 500; };
  const Reader reader = write(500, numberOf);
  for (int i = 0; i < 500; ++i)
    EXPECT_EQ(reader["events"].find({{"event", numberOf(i)}, {"run", i / 100}}),
              std::optional<std::uint64_t>(i));
}

TEST_F(Find, findsTheFirstOfSeveral) {
  const Reader reader = write(300, [](int i) { return i % 10; });
  EXPECT_EQ(reader["events"].find({{"event", 3}}), std::optional<std::uint64_t>(3));
  EXPECT_EQ(reader["events"].find({{"event", 3}, {"run", 2}}), std::optional<std::uint64_t>(203));
}

TEST_F(Find, findsNegativeNumbersAndLimits) {
  const auto numberOf = [](int i) {
    return i == 0   ? std::numeric_limits<std::int64_t>::min()
           : i == 1 ? std::numeric_limits<std::int64_t>::max()
                    : std::int64_t{-i};
  };
  const Reader reader = write(100, numberOf);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(reader["events"].find({{"event", numberOf(i)}}), std::optional<std::uint64_t>(i));
  EXPECT_EQ(reader["events"].find({{"run", std::int64_t{1} << 40}}), std::nullopt);
}

TEST_F(Find, findsByTagsTooAndInUnfinishedFiles) {
  Reader reader = write(200, [](int i) { return i; }, {.tags = {"run", "event"}});
  EXPECT_EQ(reader["events"].find({{"event", 150}}), std::optional<std::uint64_t>(150));
  std::string bytes = kaon::test::readFile(m_path);
  bytes.resize(bytes.size() - 64);
  kaon::test::writeFile(m_path, bytes);
  kaon::setWarningHandler({});
  const Reader cut(m_path);
  EXPECT_EQ(cut["events"].find({{"event", 150}}), std::optional<std::uint64_t>(150));
}

TEST_F(Find, leadsToTheFrame) {
  const Reader reader = write(200, [](int i) { return i + 1000; });
  const auto events = reader["events"];
  const auto entry = events.find({{"run", 1}, {"event", 1150}});
  ASSERT_TRUE(entry);
  EXPECT_EQ(events.at(*entry).getParameter<double>("weight"), 75.);
  EXPECT_EQ(events.at(*entry).getParameter<int>("run"), 1);
}

TEST_F(Find, reportsTablesThatCannotBeKeys) {
  const Reader reader = write(10, [](int i) { return i; });
  const auto events = reader["events"];
  expectError(ErrorKind::name, "has no value 'evnt' to find events by (did you mean 'event'?)",
              [&] {
                (void)events.find({{"evnt", 1}});
              });
  expectError(ErrorKind::name, "has no value 'weight'", [&] {
    (void)events.find({{"weight", 1}});
  });
  expectError(ErrorKind::usage, "give at least one value", [&] { (void)events.find({}); });
}

TEST_F(Find, needsKeysInEveryFrame) {
  const auto frameWith = [](std::initializer_list<const char*> names) {
    Frame frame;
    for (const char* name : names)
      frame.putParameter(name, 1);
    return frame;
  };
  const auto writer = [&] { return Writer(m_path, {.keys = {"run", "event"}}); };
  {
    Writer first = writer();
    first.write(frameWith({"run", "event"}), "events");
    expectError(ErrorKind::usage, "the frame lacks 'event', a tag or key",
                [&] { first.write(frameWith({"run"}), "events"); });
  }
  {
    Writer first = writer();
    first.write(frameWith({"run"}), "events");
    expectError(ErrorKind::usage, "'event' is to be a tag or key, but earlier frames lack it", [&] {
      first.write(frameWith({"run", "event"}), "events");
    });
    first.write(frameWith({"run"}), "events"); // as before
  }
  Writer other = writer();
  other.write(frameWith({}), "runs"); // a category without them
  Frame frame;
  frame.putParameter("run", std::vector<int>{1, 2});
  expectError(ErrorKind::usage, "which is one number an event, but has 2 values",
              [&] { other.write(frame, "events"); });
}

TEST_F(Find, needsOneObjectOfAKeysCollectionInEveryFrame) {
  const auto frameWith = [](std::size_t headers) {
    Frame frame;
    test::HitCollection hits;
    for (std::size_t i = 0; i < headers; ++i)
      hits.create().setCell(7);
    frame.put(std::move(hits), "Header");
    return frame;
  };
  Writer writer(m_path, {.keys = {"Header.cell"}});
  expectError(ErrorKind::usage,
              "'Header.cell' is a key, so each frame must have one, but the frame has 2",
              [&] { writer.write(frameWith(2), "events"); });
  expectError(ErrorKind::usage, "but the frame has none", [&] { writer.write(Frame(), "events"); });
  writer.write(frameWith(1), "events"); // writing goes on normally
  writer.write(Frame(), "runs");
  expectError(ErrorKind::usage, "'Header.cell' is to be a key, but earlier frames lack it",
              [&] { writer.write(frameWith(1), "runs"); });
  writer.write(Frame(), "runs");
  writer.finish();
  EXPECT_EQ(Reader(m_path)["events"].find({{"Header.cell", 7}}), std::optional<std::uint64_t>(0));
  EXPECT_EQ(Reader(m_path)["runs"].size(), 2U);
}

} // namespace
