#include <kaon/train/Train.h>

#include <kaon/batch/Columns.h>
#include <kaon/files/Files.h>
#include <kaon/files/Parents.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/CollisionEvents.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/Random.h"
#include "support/Tables.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace kaon {
namespace {

using test::CollisionEvents;
using test::expectError;

const std::string dimuons = "count(Muon) >= 2", hard = "MET_pt > 70", late = "run > 3000";

/// A train over two files of collisions.
class TrainTest : public testing::Test {
protected:
  TrainTest() {
    truth.write(directory / "1.kaon");
    more.write(directory / "2.kaon");
  }
  [[nodiscard]] Dataframe events() const {
    return dataset({std::string(directory / "1.kaon"), directory / "2.kaon"}, "events");
  }
  [[nodiscard]] Dataframe written(const std::string& name) const {
    return dataset(directory / name, "events");
  }
  /// Adds three outputs with overlapping selections.
  void addSelections(Train& train) const {
    train.add({.path = directory / "dimuons.kaon", .selection = dimuons});
    train.add({.path = directory / "hard.kaon", .selection = hard});
    train.add({.path = directory / "late.kaon", .selection = late});
  }

  /// Returns the positions in the dataset of the entries of an output, from their provenance.
  [[nodiscard]] std::vector<std::size_t> orderOf(const Dataframe& output) const {
    const auto file = output.take<std::uint64_t>("provenance.file");
    const auto entry = output.take<std::uint64_t>("provenance.entry");
    const std::uint64_t first = open(directory / "1.kaon")->id();
    std::vector<std::size_t> order(file->size());
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::ranges::sort(order, {},
                      [&](std::size_t i) { return std::pair((*file)[i] != first, (*entry)[i]); });
    return order;
  }
  template <class T>
  [[nodiscard]] std::vector<T> inOrder(const Dataframe& output, const std::string& column) const {
    const auto values = output.take<T>(column);
    std::vector<T> sorted;
    for (const std::size_t i : orderOf(output))
      sorted.push_back((*values)[i]);
    return sorted;
  }
  void expectSelected(const std::string& name, const std::string& selection) const {
    const Dataframe expected = events().filter(selection);
    EXPECT_EQ(inOrder<std::int32_t>(written(name), "run"), *expected.take<std::int32_t>("run"));
    const auto pt = written(name).take<Array<float>>("Muon.pt");
    const auto wanted = expected.take<Array<float>>("Muon.pt");
    const std::vector<std::size_t> order = orderOf(written(name));
    ASSERT_EQ(order.size(), wanted->size());
    for (std::size_t i = 0; i < order.size(); ++i)
      ASSERT_EQ((*pt)[order[i]], (*wanted)[i]) << name << ", entry " << i;
  }

  test::TemporaryDirectory directory;
  CollisionEvents truth{40'000};
  CollisionEvents more{20'000, 2};
};

TEST_F(TrainTest, writesTheSelectionOfEachOutput) {
  Train train(events());
  addSelections(train);
  const TrainReport report = train.run();
  expectSelected("dimuons.kaon", dimuons);
  expectSelected("hard.kaon", hard);
  expectSelected("late.kaon", late);
  EXPECT_EQ(report.entries, 60'000U);
  EXPECT_EQ(report.outputs[1].entries, *events().filter(hard).count());
  EXPECT_EQ(report.outputs[1].bytes, std::filesystem::file_size(directory / "hard.kaon"));
}

TEST_F(TrainTest, laysOutputsOutAsItIsTold) {
  Train train(events(), {.writer = {.layout = Layout::row}});
  train.add(
      {.path = directory / "rows.kaon", .selection = hard, .thin = {{"Muon", "Muon.pt > 9"}}});
  train.run();
  const Schema& schema = open(directory / "rows.kaon")->category("events").schema();
  EXPECT_EQ(schema.table(schema.find("Muon")).layout, Layout::row);
  EXPECT_EQ(*written("rows.kaon").sum("Muon.pt"),
            *events().filter(hard).define("some", "Muon.pt[Muon.pt > 9]").sum("some"));
}

TEST_F(TrainTest, refusesOptionsThatItCannotHeed) {
  const auto refused = [&](const WriterOptions& options, ErrorKind kind, const char* text) {
    expectError(kind, text, [&] { Train(events(), {.writer = options}); });
  };
  refused({.tags = {"run"}}, ErrorKind::usage, "keeps the tags and keys");
  refused({.storage = {{"Muon", {.precision = {{"pt", mantissaBits(9)}}}}}}, ErrorKind::usage,
          "keeps the precision");
  refused({.encodings = {{"Muon.ptt", codec::Encoding::dictionary}}}, ErrorKind::name,
          "the files have no column 'Muon.ptt', which the option 'encodings' names (did you mean "
          "'Muon.pt'?)");
}

/// If the order may differ, an entry that several outputs take is encoded once.
TEST_F(TrainTest, encodesSharedEntriesOnce) {
  Train train(events(), {.writer = {.memoryBudget = std::size_t{256} << 20}, .keepsOrder = false});
  train.add({.path = directory / "a.kaon", .selection = dimuons});
  train.add({.path = directory / "b.kaon", .selection = dimuons});
  const TrainReport report = train.run();
  EXPECT_EQ(report.encodedEntries, report.outputs[0].entries);
  expectSelected("a.kaon", dimuons);
  expectSelected("b.kaon", dimuons);
}

/// With little memory, entries for different sets of outputs are not collected separately.
TEST_F(TrainTest, writesTheSameInLittleMemory) {
  Train train(events(), {.writer = {.memoryBudget = std::size_t{1} << 20}, .keepsOrder = false});
  std::vector<std::string> selections;
  for (int bit = 0; bit < 10; ++bit) {
    selections.push_back("run // " + std::to_string(1 << bit) + " % 2 == 1");
    train.add({.path = directory / "bit" + std::to_string(bit) + ".kaon",
               .selection = selections.back()});
  }
  const TrainReport report = train.run();
  for (std::size_t bit = 0; bit < selections.size(); ++bit)
    expectSelected("bit" + std::to_string(bit) + ".kaon", selections[bit]);
  EXPECT_GT(report.encodedEntries, 2 * report.entries);
}

TEST_F(TrainTest, keepsTheOrder) {
  Train train(events());
  addSelections(train);
  (void)train.run();
  for (const auto& [name, selection] :
       {std::pair("dimuons.kaon", dimuons), {"hard.kaon", hard}, {"late.kaon", late}})
    EXPECT_EQ(*written(name).take<std::int32_t>("run"),
              *events().filter(selection).take<std::int32_t>("run"));
}

/// If a large part is done early, its entries wait for those of earlier parts.
TEST_F(TrainTest, keepsTheOrderOfParts) {
  CollisionEvents(240'000).write(directory / "large.kaon", {.clusterEntries = 120'000});
  const Dataframe large = dataset(directory / "large.kaon", "events");
  const auto isSlow = [](std::int32_t run) {
    if (run == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return true;
  };
  oneapi::tbb::task_arena(4).execute([&] {
    Train train(large.define("all", isSlow, {"run"}));
    train.add({.path = directory / "all.kaon", .selection = "all"});
    (void)train.run();
  });
  EXPECT_EQ(*written("all.kaon").take<std::int32_t>("run"), *large.take<std::int32_t>("run"));
}

/// Whether or not the outputs keep the order of the dataset.
TEST_F(TrainTest, writesTheSameWithAnyNumberOfThreads) {
  for (const bool keepsOrder : {true, false}) {
    std::vector<std::vector<std::uint64_t>> entries;
    for (const int threads : {1, 4}) {
      oneapi::tbb::task_arena arena(threads);
      arena.execute([&] {
        Train train(events(), {.keepsOrder = keepsOrder});
        addSelections(train);
        (void)train.run();
      });
      entries.push_back(*written("dimuons.kaon").take<std::uint64_t>("provenance.entry"));
    }
    EXPECT_EQ(entries[0], entries[1]);
  }
}

TEST_F(TrainTest, keepsAndDropsColumnsOfEachOutput) {
  Train train(events(), {.provenance = false});
  train.add({.path = directory / "kept.kaon", .keep = {"Muon", "run"}});
  train.add({.path = directory / "dropped.kaon", .drop = {"Muon.eta", "run"}});
  (void)train.run();
  EXPECT_EQ(written("kept.kaon").columns(),
            (std::vector<std::string>{"run", "Muon.pt", "Muon.eta", "Muon.charge"}));
  EXPECT_EQ(written("dropped.kaon").columns(),
            (std::vector<std::string>{"MET_pt", "Muon.pt", "Muon.charge"}));
  EXPECT_EQ(*written("dropped.kaon").take<Array<float>>("Muon.pt"),
            *events().take<Array<float>>("Muon.pt"));
}

/// Rows become as short as their remaining members.
TEST_F(TrainTest, dropsNearlyAllOfWideRows) {
  const std::string wide = directory / "wide.kaon";
  detail::BatchBuilder builder;
  builder.add(
      test::collection("Hits", {{"layer", Scalar::Int8}, {"samples", Scalar::Float64, 100}}));
  builder.append(0, 1)[0] = std::byte{7};
  builder.setPresent(0);
  builder.endEntry();
  BatchWriter writer = batchWriter(wide);
  writer.write("events", builder.batch(0));
  writer.finish();
  Train train(dataset(wide, "events"));
  train.add({.path = directory / "slim.kaon", .drop = {"Hits.samples"}});
  (void)train.run();
  EXPECT_EQ(written("slim.kaon").columns(),
            (std::vector<std::string>{"Hits.layer", "provenance.file", "provenance.entry"}));
  EXPECT_EQ(*written("slim.kaon").sum("Hits.layer"), 7);
}

TEST_F(TrainTest, takesObjects) {
  Train train(events());
  train.add(
      {.path = directory / "thin.kaon", .selection = hard, .thin = {{"Muon", "Muon.pt > 50"}}});
  (void)train.run();
  EXPECT_EQ(
      *written("thin.kaon").take<Array<float>>("Muon.eta"),
      *events().filter(hard).define("eta", "Muon.eta[Muon.pt > 50]").take<Array<float>>("eta"));
}

/// Outputs may select by a column that a function computes.
TEST_F(TrainTest, selectsByFunctions) {
  const auto isFast = [](Array<float> pt) { return pt.size() > 0 && pt[0] > 90; };
  Train train(events().define("isFast", isFast, {"Muon.pt"}));
  train.add({.path = directory / "fast.kaon", .selection = "isFast"});
  (void)train.run();
  EXPECT_EQ(*written("fast.kaon").take<std::int32_t>("run"),
            *events().filter(isFast, {"Muon.pt"}).take<std::int32_t>("run"));
}

TEST_F(TrainTest, writesDecisionsBesideTheDataset) {
  Train train(events(), {.decisions = directory / "decisions.kaon"});
  addSelections(train);
  (void)train.run();
  EXPECT_EQ(*written("decisions.kaon").take<bool>("hard"),
            *events().define("is", hard).take<bool>("is"));
}

TEST_F(TrainTest, estimatesWithoutWriting) {
  Train train(events());
  addSelections(train);
  const TrainReport estimate = train.estimate(20'000);
  EXPECT_FALSE(std::filesystem::exists(directory / "hard.kaon"));
  EXPECT_FALSE(std::filesystem::exists(directory / "hard.kaon.part"));
  const TrainReport report = train.run();
  for (std::size_t i = 0; i < report.outputs.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(estimate.outputs[i].entries),
                static_cast<double>(report.outputs[i].entries),
                0.2 * static_cast<double>(report.outputs[i].entries));
    EXPECT_NEAR(static_cast<double>(estimate.outputs[i].bytes),
                static_cast<double>(report.outputs[i].bytes),
                0.3 * static_cast<double>(report.outputs[i].bytes));
  }
}

/// Data that are written once, such as models, do not grow with the number of entries.
TEST_F(TrainTest, estimatesSharedBytesOnce) {
  const std::vector<std::int32_t> numbers(40'960, 7);
  test::Random random(3);
  std::string text(300'000, ' ');
  for (char& letter : text)
    letter = static_cast<char>('a' + random.below(26));
  {
    BatchWriter writer = batchWriter(directory / "said.kaon", {.clusterEntries = 4096});
    Columns columns(numbers.size());
    columns.add("number", numbers);
    writer.putDocument("said", text);
    writer.write("events", columns.batch());
    writer.finish();
  }
  Train train(dataset(directory / "said.kaon", "events"));
  train.add({.path = directory / "all.kaon"});
  const auto estimated = static_cast<double>(train.estimate(4096).outputs[0].bytes);
  const auto written = static_cast<double>(train.run().outputs[0].bytes);
  EXPECT_NEAR(estimated, written, 0.1 * written);
}

TEST_F(TrainTest, refusesOutputsThatDoNotFit) {
  Train train(events());
  train.add({.path = directory / "a.kaon", .selection = hard});
  expectError(ErrorKind::usage, "written by another",
              [&] { train.add({.path = directory / "./a.kaon"}); });
  expectError(ErrorKind::usage, "to be read", [&] { train.add({.path = directory / "1.kaon"}); });
  expectError(ErrorKind::type, "a selection must be a bool for each entry, not a float32",
              [&] { train.add({.path = directory / "b.kaon", .selection = "MET_pt"}); });
  expectError(ErrorKind::type,
              "'Muon.pt > 5': a selection must be a bool for each entry, not a list of "
              "bool; use any() or all()",
              [&] { train.add({.path = directory / "b.kaon", .selection = "Muon.pt > 5"}); });
  expectError(ErrorKind::name, "did you mean 'Muon'",
              [&] { train.add({.path = directory / "b.kaon", .keep = {"Muons"}}); });
  expectError(ErrorKind::name, "b.kaon: ", [&] {
    train.add({.path = directory / "b.kaon", .drop = {"Muon.mass"}});
  });
  expectError(ErrorKind::type, "thinning needs a bool for each object", [&] {
    train.add({.path = directory / "b.kaon", .thin = {{"Muon", "MET_pt > 3"}}});
  });
  expectError(ErrorKind::usage, "b.kaon: nothing is left of the entries", [&] {
    Train(events(), {.provenance = false})
        .add({.path = directory / "b.kaon", .keep = {"Muon"}, .drop = {"Muon"}});
  });
  expectError(ErrorKind::usage, "b.parquet: files of Parquet and Feather are written by",
              [&] { train.add({.path = directory / "b.parquet"}); });
}

TEST_F(TrainTest, reportsSystemErrorsOfAPath) {
  Train train(events());
  train.add({.path = directory / (std::string(300, 'x') + ".kaon")});
  expectError(ErrorKind::io, "File name too long", [&] { (void)train.run(); });
}

TEST_F(TrainTest, refusesDecisionsThatDoNotFit) {
  expectError(ErrorKind::usage, "to be read",
              [&] { Train(events(), {.decisions = directory / "1.kaon"}); });
  expectError(ErrorKind::usage, "cannot hold decisions",
              [&] { Train(events(), {.decisions = directory / "decisions.hipo"}); });
  Train train(events(), {.decisions = directory / "decisions.kaon"});
  train.add({.path = directory / "a.kaon"});
  expectError(ErrorKind::usage, "where the decisions are written",
              [&] { train.add({.path = directory / "decisions.kaon"}); });
  expectError(ErrorKind::usage, "would have the same name as those of",
              [&] { train.add({.path = directory / "a.hipo"}); });
}

TEST_F(TrainTest, writesFilesWithoutEntries) {
  CollisionEvents(0).write(directory / "none.kaon");
  Train train(dataset(directory / "none.kaon", "events"),
              {.decisions = directory / "decisions.kaon"});
  addSelections(train);
  EXPECT_EQ(train.run().entries, 0U);
  EXPECT_EQ(*written("hard.kaon").count(), 0U);
  EXPECT_EQ(
      written("hard.kaon").contents(),
      (std::vector<std::string>{"run", "MET_pt", "Muon", "provenance.file", "provenance.entry"}));
  EXPECT_EQ(written("decisions.kaon").columns(),
            (std::vector<std::string>{"dimuons", "hard", "late"}));
  EXPECT_EQ(parentsOf(open(directory / "hard.kaon"), "events")->category("events").entries(), 0U);
}

/// If an output cannot be written or a function throws, no file appears.
TEST_F(TrainTest, leavesNoFileWhereSomethingIsThrown) {
  const auto fails = [](std::int32_t run) {
    if (run == 3900)
      throw std::runtime_error("no such run");
    return true;
  };
  Train train(events().define("fails", fails, {"run"}));
  train.add({.path = directory / "a.kaon", .selection = hard});
  train.add({.path = directory / "b.kaon", .selection = "fails"});
  expectError(ErrorKind::usage, "no such run", [&] { (void)train.run(); });
  EXPECT_FALSE(std::filesystem::exists(directory / "a.kaon"));
  EXPECT_FALSE(std::filesystem::exists(directory / "b.kaon"));
}

} // namespace
} // namespace kaon
