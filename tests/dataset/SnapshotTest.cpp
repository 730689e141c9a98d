#include <kaon/batch/Columns.h>
#include <kaon/dataset/Dataframe.h>
#include <kaon/writing/BatchWriter.h>

#include "support/CollisionEvents.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace kaon {
namespace {

using test::CollisionEvents;
using test::expectError;

/// Dataframes that are written to files.
class SnapshotTest : public testing::Test {
protected:
  SnapshotTest() { truth.write(directory / "events.kaon"); }
  [[nodiscard]] Dataframe events() const { return dataset(directory / "events.kaon", "events"); }
  [[nodiscard]] Dataframe selected() const {
    return events().filter("MET_pt > 50").define("total", "sum(Muon.pt)");
  }
  test::TemporaryDirectory directory;
  CollisionEvents truth{40'000};
};

TEST_F(SnapshotTest, holdsEntriesThatPassed) {
  const Dataframe written = *selected().snapshot(directory / "some.kaon");
  EXPECT_EQ(written.columns(), (std::vector<std::string>{"run", "MET_pt", "Muon.pt", "Muon.eta",
                                                         "Muon.charge", "total"}));
  EXPECT_EQ(*written.take<Array<float>>("Muon.pt"), *selected().take<Array<float>>("Muon.pt"));
  EXPECT_EQ(*written.take<std::int32_t>("run"), *selected().take<std::int32_t>("run"));
  EXPECT_EQ(*written.take<float>("total"), *selected().take<float>("total"));
}

/// The error must be the first one, not one that other threads get later.
TEST_F(SnapshotTest, saysWhyItFailed) {
  std::vector<std::string> inputs;
  for (std::uint64_t i = 0; i < 8; ++i) {
    inputs.push_back(directory / (std::to_string(i) + ".kaon"));
    CollisionEvents(100, i).write(inputs.back());
  }
  tbb::task_arena(4).execute([&] {
    for (int i = 0; i < 300; ++i)
      expectError(ErrorKind::usage, "a HIPO file has one category, 'events'", [&] {
        (void)*dataset(inputs, "events").snapshot(directory / "a.hipo", {}, {.category = "runs"});
      });
  });
}

TEST_F(SnapshotTest, isNotForgottenInSilence) {
  test::Warnings warnings;
  (void)*selected().snapshot(directory / "some.kaon");
  EXPECT_TRUE(warnings.kinds().empty());
  (void)selected().snapshot(directory / "none.kaon");
  EXPECT_EQ(warnings.kinds(), std::vector{WarningKind::unwrittenFile});
  EXPECT_FALSE(std::filesystem::exists(directory / "none.kaon"));
}

TEST_F(SnapshotTest, holdsTheColumnsThatAreNamed) {
  const Dataframe written =
      *selected()
           .define("Muon.scaled", "2 * Muon.pt")
           .define("hard", "Muon.pt[Muon.pt > 20]")
           .redefine("Muon.eta", "abs(Muon.eta)")
           .snapshot(directory / "some.kaon", {"Muon", "Muon.scaled", "hard", "MET_pt"},
                     {.category = "selected"});
  EXPECT_EQ(written.columns(), (std::vector<std::string>{"MET_pt", "Muon.pt", "Muon.eta",
                                                         "Muon.charge", "Muon.scaled", "hard"}));
  const auto pt = written.take<Array<float>>("Muon.pt");
  const auto scaled = written.take<Array<float>>("Muon.scaled");
  const auto least = written.min("Muon.eta");
  const auto hard = written.filter("sum(hard) != sum(Muon.pt[Muon.pt > 20])").count();
  for (std::size_t i = 0; i < pt->size(); ++i)
    for (std::size_t muon = 0; muon < (*pt)[i].size(); ++muon)
      EXPECT_EQ((*scaled)[i][muon], 2 * (*pt)[i][muon]);
  EXPECT_GE(**least, 0);
  EXPECT_EQ(*hard, 0U);
}

/// Columns become rows again if they are named one by one, or if their objects were filtered.
TEST_F(SnapshotTest, holdsRowsOfColumns) {
  const Dataframe hard = events().explode("Muon").filter("Muon.pt > 50").implode();
  const Dataframe written = *hard.snapshot(directory / "hard.kaon", {"Muon", "MET_pt"});
  const Dataframe two = *events().snapshot(directory / "two.kaon", {"Muon.pt", "Muon.charge"});
  const Dataframe muons =
      *events().explode("Muon").snapshot(directory / "muons.kaon", {"Muon.pt", "run"});
  EXPECT_EQ(*written.take<Array<float>>("Muon.eta"), *hard.take<Array<float>>("Muon.eta"));
  EXPECT_EQ(*written.filter("count(Muon) > 2").count(), *hard.filter("count(Muon) > 2").count());
  EXPECT_EQ(two.columns(), (std::vector<std::string>{"Muon.charge", "Muon.pt"}));
  EXPECT_EQ(*two.take<Array<float>>("Muon.pt"), *events().take<Array<float>>("Muon.pt"));
  EXPECT_EQ(*muons.take<float>("Muon.pt"), truth.pt);
}

TEST_F(SnapshotTest, isTheSameWithAnyNumberOfThreads) {
  const auto write = [&](int threads, const std::string& name) {
    tbb::task_arena arena(threads);
    return arena.execute([&] {
      const Result<Dataframe> snapshot = selected().snapshot(directory / name);
      const auto count = selected().count(); // other work in the same pass
      run(snapshot, count);
      return *snapshot->take<Array<float>>("Muon.eta");
    });
  };
  EXPECT_EQ(write(1, "one.kaon"), write(4, "four.kaon"));
  const auto size = [&](const std::string& name) {
    return std::filesystem::file_size(directory / name);
  };
  EXPECT_EQ(size("one.kaon"), size("four.kaon"));
}

TEST_F(SnapshotTest, isOfAnyFormatAndOfSeveralFiles) {
  CollisionEvents(1000, 3).write(directory / "more.root");
  const Dataframe both =
      dataset({directory / "events.kaon", directory / "more.root"}, "events").filter("MET_pt > 90");
  const Dataframe written = *both.snapshot(directory / "both.root");
  EXPECT_EQ(*written.take<Array<float>>("Muon.pt"), *both.take<Array<float>>("Muon.pt"));
}

TEST_F(SnapshotTest, warnsOfColumnsThatTheFirstFileLacks) {
  const std::vector<float> values{1, 2};
  const auto write = [&](const std::string& name, const std::vector<std::string>& columns) {
    Columns file(values.size());
    for (const std::string& column : columns)
      file.add(column, values);
    BatchWriter writer = batchWriter(directory / name);
    writer.write("events", file.batch());
    writer.finish();
  };
  write("first.kaon", {"x"});
  write("second.kaon", {"x", "later"});
  const Dataframe both = dataset({directory / "first.kaon", directory / "second.kaon"}, "events");
  test::Warnings warnings;
  (void)*both.snapshot(directory / "named.kaon", {"x"});
  EXPECT_TRUE(warnings.take().empty());
  (void)*both.snapshot(directory / "all.kaon");
  const std::vector<std::string> messages = warnings.take();
  ASSERT_EQ(messages.size(), 1U);
  test::expectContains(messages[0], "second.kaon:events: 'later' is left out");
}

TEST_F(SnapshotTest, keepsTheOldFileAfterAnError) {
  test::writeFile(directory / "some.kaon", "what was there");
  const auto failing = events()
                           .filter(
                               [](std::int32_t run) -> bool {
                                 if (run == 3000)
                                   throw std::runtime_error("this run is bad");
                                 return true;
                               },
                               {"run"})
                           .snapshot(directory / "some.kaon");
  for (int attempt = 0; attempt < 2; ++attempt)
    expectError(ErrorKind::usage, "this run is bad", [&] { (void)*failing; });
  EXPECT_EQ(test::readFile(directory / "some.kaon"), "what was there");
}

/// If an earlier part fails, threads whose entries wait for it are released. The user gets the
/// error of that part, not theirs.
TEST_F(SnapshotTest, reportsTheFirstFailure) {
  const auto failing =
      events()
          .filter(
              [](std::int32_t run) -> bool {
                if (run > 0)
                  return true;
                std::this_thread::sleep_for(std::chrono::milliseconds(300)); // other buffers fill
                throw std::runtime_error("this run is bad");
              },
              {"run"})
          .define("large", [](float met) { return std::vector<float>(400, met); }, {"MET_pt"})
          .snapshot(directory / "some.kaon", {"large"});
  tbb::task_arena arena(4);
  arena.execute([&] {
    expectError(ErrorKind::usage, "entry 0, filter '': this run is bad", [&] { (void)*failing; });
  });
}

TEST_F(SnapshotTest, reportsMistakes) {
  expectError(ErrorKind::usage, "is one of the files to be read",
              [&] { (void)events().snapshot(directory / "events.kaon"); });
  expectError(ErrorKind::name, "(did you mean 'MET_pt'?)",
              [&] { (void)events().snapshot(directory / "x.kaon", {"MET_p"}); });
  expectError(ErrorKind::type, "'Muon.pt' is a list of float64, but a list of", [&] {
    (void)events()
        .redefine("Muon.pt", [](float pt) { return 2. * pt; }, {"Muon.pt"})
        .snapshot(directory / "x.kaon");
  });
  const auto other = events()
                         .define("Muon.hard", "Muon.pt[Muon.pt > 50]")
                         .snapshot(directory / "x.kaon", {"Muon", "Muon.hard"});
  expectError(ErrorKind::usage, ", result: lists must ", [&] { (void)*other; });
  expectError(ErrorKind::usage, "a file holds the nominal values", [&] {
    (void)variations(events().vary("MET_pt", "up", "MET_pt + 1").snapshot(directory / "x.kaon"));
  });
}

} // namespace
} // namespace kaon
