#include <kaon/batch/Columns.h>
#include <kaon/files/Files.h>
#include <kaon/train/Train.h>

#include "support/Errors.h"
#include "support/Files.h"
#include "support/RowsAsJson.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Runs and other categories of a dataset's files, beside the events that a train sorts.

namespace kaon {
namespace {

using test::expectError;

/// Writes events and runs; the second file has one more value per run.
class OtherCategoriesTest : public testing::Test {
protected:
  OtherCategoriesTest() {
    write("a.kaon", {1, 2, 3}, {});
    write("b.kaon", {7, 8}, {0.5F, 0.25F});
  }
  void write(const std::string& name, const std::vector<std::int32_t>& runs,
             const std::vector<float>& luminosities) const {
    BatchWriter writer = batchWriter(directory / name);
    Columns events(runs.size()), ofRuns(runs.size());
    events.add("event", runs);
    ofRuns.add("run", runs);
    if (!luminosities.empty())
      ofRuns.add("luminosity", luminosities);
    writer.write("events", events.batch());
    writer.write("runs", ofRuns.batch());
    writer.finish();
  }
  void run(TrainOptions options) const {
    Train train(dataset({std::string(directory / "a.kaon"), directory / "b.kaon"}, "events"),
                options);
    train.add({.path = directory / "some.kaon", .selection = "event > 2"});
    train.add({.path = directory / "none.kaon", .selection = "event > 20", .drop = {"event"}});
    train.add({.path = directory / "some.root", .selection = "event > 2"});
    train.add({.path = directory / "some.slcio", .selection = "event > 2"});
    train.add({.path = directory / "some.hipo", .selection = "event > 2"});
    train.add({.path = directory / "list.kaon", .selection = "event > 2", .isVirtual = true});
    (void)train.run();
  }

  test::TemporaryDirectory directory;
};

TEST_F(OtherCategoriesTest, goWithAllEvents) {
  run({});
  for (const char* const name : {"some.kaon", "none.kaon", "some.root"}) {
    const Dataframe runs = dataset(directory / name, "runs");
    EXPECT_EQ(*runs.take<std::int32_t>("run"), (std::vector<std::int32_t>{1, 2, 3, 7, 8})) << name;
    EXPECT_EQ(*runs.take<double>("default(luminosity, -1)"),
              (std::vector<double>{-1, -1, -1, 0.5, 0.25}))
        << name;
  }
  for (const char* const name : {"some.hipo", "list.kaon"})
    EXPECT_EQ(open(directory / name)->categories(), std::vector<std::string>{"events"}) << name;
}

/// In LCIO files, numbers of runs are parameters, and runs of the first file lack one. HIPO files
/// have only one category.
TEST_F(OtherCategoriesTest, goIntoFilesThatCanHoldThem) {
  test::Warnings warnings;
  run({});
  const auto lcio = open(directory / "some.slcio");
  const Source& runs = lcio->category("runs");
  test::RowsAsJson rows(runs);
  const TableNumber luminosity = runs.schema().tableNamed("luminosity");
  EXPECT_EQ(runs.entries(), 5U);
  EXPECT_EQ(rows.entry(luminosity, 3), test::Json({0.5}));
  EXPECT_EQ(rows.entry(luminosity, 2), test::Json::array());
  EXPECT_EQ(lcio->category("events").entries(), 3U);
  const std::string first = directory / "a.kaon:runs: ";
  EXPECT_EQ(warnings.take(),
            (std::vector<std::string>{
                first + "is left out of files of hipo: a HIPO file has one category, 'events'"}));
}

TEST_F(OtherCategoriesTest, areRefusedWhereTheyDoNotFit) {
  {
    BatchWriter writer = batchWriter(directory / "b.kaon");
    const std::vector<std::int32_t> event{9};
    const std::vector<double> run{1};
    Columns events(1), runs(1);
    events.add("event", event);
    runs.add("run", run);
    writer.write("events", events.batch());
    writer.write("runs", runs.batch());
    writer.finish();
  }
  expectError(ErrorKind::usage, "b.kaon:runs: 'run' differs", [&] { run({}); });
  EXPECT_FALSE(std::filesystem::exists(directory / "some.kaon"));
  run({.otherCategories = false});
}

TEST_F(OtherCategoriesTest, stayWhereTheyAreNotWanted) {
  run({.otherCategories = false});
  EXPECT_EQ(open(directory / "some.kaon")->categories(), std::vector<std::string>{"events"});
}

} // namespace
} // namespace kaon
