#include <kaon/dataset/Dataframe.h>
#include <kaon/detail/io/FetchedRanges.h>

#include "support/CollisionEvents.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/Warnings.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace kaon {
namespace {

using test::CollisionEvents;
using test::expectError;

/// Two samples: the first has two files, the second has one.
class SamplesTest : public testing::Test {
protected:
  SamplesTest() {
    first.write(directory / "a1.kaon");
    second.write(directory / "a2.kaon");
    third.write(directory / "b.root");
  }
  [[nodiscard]] Dataframe events() const {
    return dataset(
        {{"signal", {directory / "a*.kaon"}, 0.5}, {"background", {directory / "b.root"}, 2}},
        "events");
  }
  test::TemporaryDirectory directory;
  CollisionEvents first{3000}, second{1000, 2}, third{2000, 3};
};

TEST_F(SamplesTest, haveNumbersWeightsAndLabels) {
  const Dataframe all = events();
  const auto numbers = all.take<std::uint64_t>("dataset.entry");
  const auto inFile = all.take<std::uint64_t>("dataset.fileEntry");
  const auto weights = all.sum("dataset.weight");
  const auto signal = all.sample("signal").count();
  const auto background = all.filter("dataset.sample == 1").take<float>("MET_pt");
  const auto heavy = all.histogram({1, 0, 1e6}, "MET_pt", "dataset.weight");
  ASSERT_EQ(numbers->size(), 6000U);
  EXPECT_EQ((*numbers)[4500], 4500U);
  EXPECT_EQ((*inFile)[4500], 500U);
  EXPECT_EQ(*weights, 0.5 * 4000 + 2 * 2000);
  EXPECT_EQ(heavy->at(0).value(), *weights);
  EXPECT_EQ(*signal, 4000U);
  EXPECT_EQ(*background, third.met);
  expectError(ErrorKind::name, "(did you mean 'signal'?)", [&] { (void)all.sample("signl"); });
  expectError(ErrorKind::name, "no sample is called 'a': the dataset was made of paths",
              [&] { (void)dataset(directory / "b.root", "events").sample("a"); });
  expectError(ErrorKind::usage, "several samples have the label 'x'", [&] {
    (void)dataset({{"x", {directory / "b.root"}}, {"x", {directory / "b.root"}}}, "events");
  });
}

TEST_F(SamplesTest, areReadByRanges) {
  const auto some = events().range(2990, 3010).take<float>("MET_pt");
  std::vector<float> expected(first.met.end() - 10, first.met.end());
  expected.insert(expected.end(), second.met.begin(), second.met.begin() + 10);
  EXPECT_EQ(*some, expected);
  EXPECT_EQ(*events().range(5990, 7000).count(), 10U);
  EXPECT_EQ(*events().filter("MET_pt > 50").range(10, 10).count(), 0U);
}

TEST_F(SamplesTest, weighCutFlows) {
  const CutFlow cuts = events().filter("MET_pt > 50").sample("background").report("dataset.weight");
  const auto rows = cuts.cuts();
  const auto high = [](const CollisionEvents& events) {
    return std::ranges::count_if(events.met, [](float met) { return met > 50; });
  };
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].weight, 0.5 * 4000 + 2 * 2000);
  EXPECT_EQ(rows[0].passedWeight, 0.5 * static_cast<double>(high(first) + high(second)) +
                                      2. * static_cast<double>(high(third)));
  EXPECT_EQ(rows[1].passed, high(third));
  EXPECT_EQ(rows[1].passedWeight, 2. * static_cast<double>(high(third)));
  std::ostringstream text;
  text << cuts;
  EXPECT_EQ(text.str().find("MET_pt > 50       6000.00       2962.50   49.38 %\n"), 0U)
      << text.str();
  expectError(ErrorKind::type, "but the weight of an entry must be one number",
              [&] { (void)events().report("Muon.pt"); });
}

/// A file whose reads are recorded.
class SkippingTest : public testing::Test {
protected:
  static constexpr std::size_t entries = 20'000;

  SkippingTest() {
    test::TemporaryDirectory directory;
    CollisionEvents(entries).write(directory / "events.kaon", {.tags = {"run"}});
    bytes = test::readFile(directory / "events.kaon");
  }
  /// Returns the number of bytes that are read for a result.
  template <class Book>
  [[nodiscard]] std::size_t bytesReadFor(Book book) const {
    test::Recorded recorded = test::openRecorded(std::as_bytes(std::span(bytes)));
    const Dataframe events(std::make_shared<const Dataset>(
        std::shared_ptr<const File>(std::move(recorded.file)), "events"));
    const auto result = book(events);
    recorded.logs->views.clear();
    (void)*result;
    std::size_t read = 0;
    for (const auto& request : recorded.logs->views.requests())
      read += io::bytesIn(request);
    return read;
  }
  std::string bytes;
};

TEST_F(SkippingTest, readsNothingThatNoFilterLetsPass) {
  const auto all = bytesReadFor([](const Dataframe& events) { return events.sum("Muon.pt"); });
  const auto late = bytesReadFor([](const Dataframe& events) {
    return events.filter("run >= 1900").sum("Muon.pt"); // ten entries per run
  });
  const auto range =
      bytesReadFor([](const Dataframe& events) { return events.range(100, 200).sum("Muon.pt"); });
  const auto none = bytesReadFor([](const Dataframe& events) {
    return events.filter("MET_pt > 0").filter("run < 0 or run > 100000").sum("Muon.pt");
  });
  EXPECT_LT(late, all / 4);
  EXPECT_LT(range, all / 10);
  EXPECT_LT(none, all / 10);
}

/// Bounds are known of expressions and of fallback values, too.
TEST_F(SkippingTest, knowsTheBoundsOfDefinedColumns) {
  test::Warnings warnings; // no file has 'HLT_new'
  const auto all = bytesReadFor([](const Dataframe& events) { return events.sum("Muon.pt"); });
  const auto late = bytesReadFor([](const Dataframe& events) {
    return events.define("late", "run - 1900 - MET_pt / 1e6").filter("late >= 0").sum("Muon.pt");
  });
  const auto stored = bytesReadFor([](const Dataframe& events) {
    return events.fallback("run", 0).filter("run >= 1900").sum("Muon.pt");
  });
  const auto lacking = bytesReadFor([](const Dataframe& events) {
    return events.fallback("HLT_new", 0).filter("HLT_new == 1").sum("Muon.pt");
  });
  EXPECT_LT(late, all / 4);
  EXPECT_LT(stored, all / 4);
  EXPECT_EQ(lacking, 0U);
}

TEST_F(SkippingTest, readsTagsOnlyToFilterByThem) {
  const auto filtered = bytesReadFor(
      [](const Dataframe& events) { return events.filter("run % 2000 == 7").sum("Muon.pt"); });
  const auto before = bytesReadFor([](const Dataframe& events) {
    return events.filter("run % 2000 == 7 and MET_pt >= 0").sum("Muon.pt");
  });
  const auto tags = bytesReadFor([](const Dataframe& events) { return events.sum("run"); });
  const auto all = bytesReadFor([](const Dataframe& events) { return events.sum("Muon.pt"); });
  EXPECT_LT(filtered, tags + all / 4);
  EXPECT_LT(before, tags + all / 4);
}

TEST_F(SkippingTest, readsNoFurtherThanADisplayNeeds) {
  const auto all = bytesReadFor([](const Dataframe& events) { return events.sum("MET_pt"); });
  const auto first =
      bytesReadFor([](const Dataframe& events) { return events.display({"MET_pt"}, 5); });
  EXPECT_LT(first, all / 4);
}

/// Values at the bounds of a page must be found.
TEST_F(SkippingTest, findsTheSameWithoutBounds) {
  test::Recorded recorded = test::openRecorded(std::as_bytes(std::span(bytes)));
  const Dataframe events(std::make_shared<const Dataset>(
      std::shared_ptr<const File>(std::move(recorded.file)), "events"));
  for (const int run : {0, 49, 50, 777, 1999}) {
    const auto by = events.filter("run == " + std::to_string(run)).count();
    const auto without =
        events.filter([run](std::int32_t number) { return number == run; }, {"run"}).count();
    EXPECT_EQ(*by, *without) << run;
    EXPECT_EQ(*by, 10U);
  }
}

} // namespace
} // namespace kaon
