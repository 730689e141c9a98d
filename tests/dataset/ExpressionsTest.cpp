#include <kaon/dataset/Dataframe.h>

#include <kaon/event/Frame.h>
#include <kaon/event/Writer.h>

#include "support/CollisionEvents.h"
#include "support/Errors.h"
#include "support/Files.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::CollisionEvents;
using test::expectError;

/// Compares expressions with functions.
class DataframeExpressions : public testing::Test {
protected:
  DataframeExpressions() { truth.write(directory / "events.kaon"); }
  [[nodiscard]] Dataframe events() const { return dataset(directory / "events.kaon", "events"); }

  test::TemporaryDirectory directory;
  CollisionEvents truth{5000};
};

TEST_F(DataframeExpressions, filterAndDefine) {
  const Dataframe pairs = events()
                              .filter("count(Muon[Muon.pt > 20 and abs(Muon.eta) < 2.4]) >= 2")
                              .define("scaled", "2 * MET_pt")
                              .filter([](float scaled) { return scaled > 30; }, {"scaled"})
                              .define("hardest", "max(Muon.pt) + scaled");
  const auto hardest = pairs.take<float>("hardest");
  const CutFlow cuts = pairs.report();
  std::vector<float> expected;
  truth.forEach([&](std::size_t event, std::size_t first, std::size_t last) {
    std::size_t good = 0;
    float most = 0;
    for (std::size_t i = first; i < last; ++i) {
      good += truth.pt[i] > 20 && std::abs(truth.eta[i]) < 2.4F ? 1 : 0;
      most = std::max(most, truth.pt[i]);
    }
    if (good >= 2 && 2 * truth.met[event] > 30)
      expected.push_back(most + 2 * truth.met[event]);
  });
  EXPECT_GT(expected.size(), 100U);
  EXPECT_EQ(*hardest, expected);
  EXPECT_EQ(cuts.cuts().front().label, "count(Muon[Muon.pt > 20 and abs(Muon.eta) < 2.4]) >= 2");
}

/// As in Python, the right side of "and" is evaluated only where the left side is true.
TEST_F(DataframeExpressions, evaluateTheRightOfAndOnlyWhereNeeded) {
  std::atomic<std::size_t> calls = 0;
  const auto half = [&calls](float met) {
    ++calls;
    return met / 2;
  };
  const Dataframe all = events().define("half", half, {"MET_pt"});
  const Dataframe some = all.filter("count(Muon) - 2 and (half > 5 or MET_pt < 1)", "some");
  const auto passed = some.count();
  const CutFlow cuts = some.report();
  std::size_t asked = 0, expected = 0;
  truth.forEach([&](std::size_t event, std::size_t first, std::size_t last) {
    asked += last - first != 2 ? 1 : 0;
    expected += last - first != 2 && (truth.met[event] > 10 || truth.met[event] < 1) ? 1 : 0;
  });
  EXPECT_LT(asked, truth.size());
  EXPECT_EQ(*passed, expected);
  EXPECT_EQ(calls, asked);
  ASSERT_EQ(cuts.cuts().size(), 1U);
  EXPECT_EQ(cuts.cuts()[0].label, "some");
  EXPECT_EQ(cuts.cuts()[0].entries, truth.size());
  EXPECT_EQ(cuts.cuts()[0].passed, expected);
  EXPECT_EQ(some.filters(), std::vector<std::string>{"some"});
}

TEST_F(DataframeExpressions, compareTextsOfParameters) {
  Writer writer(directory / "texts.kaon");
  for (int event = 0; event < 9; ++event) {
    Frame frame;
    if (event > 0)
      frame.putParameter("title", std::string(event % 2 == 0 ? "even" : "odd"));
    frame.putParameter("triggers", std::vector<std::string>{"any", event % 3 == 0 ? "mu" : "e"});
    writer.write(frame, "events");
  }
  writer.finish();
  const Dataframe texts = dataset(directory / "texts.kaon", "events");
  EXPECT_EQ(*texts.filter("any(title == 'odd')").count(), 4U);
  EXPECT_EQ(*texts.filter("any(title in ('odd', 'even'))").count(), 8U);
  EXPECT_EQ(*texts.filter("any(triggers == 'mu')").count(), 3U);
  expectError(ErrorKind::type, "", [&] { (void)texts.filter("title == 'odd'"); });
}

TEST_F(DataframeExpressions, nameObjects) {
  const Dataframe defined = events()
                                .define("good", "Muon[Muon.pt > 20]")
                                .filter("count(good) > 1")
                                .define("charge", "sum(good.charge)")
                                .define("goodEta", "good.eta");
  const auto charges = defined.take<std::int64_t>("charge");
  const auto etas = defined.take<Array<float>>("goodEta");
  std::vector<std::int64_t> expected;
  std::vector<std::vector<float>> expectedEtas;
  truth.forEach([&](std::size_t, std::size_t first, std::size_t last) {
    std::int64_t sum = 0;
    std::vector<float> good;
    for (std::size_t i = first; i < last; ++i)
      if (truth.pt[i] > 20) {
        good.push_back(truth.eta[i]);
        sum += truth.charge[i];
      }
    if (good.size() > 1) {
      expected.push_back(sum);
      expectedEtas.push_back(good);
    }
  });
  EXPECT_EQ(*charges, expected);
  EXPECT_EQ(*etas, expectedEtas);
}

TEST_F(DataframeExpressions, ofDefinedColumnsOfObjects) {
  const auto sums = events()
                        .define("Muon.weight", [](float pt) { return pt / 100; }, {"Muon.pt"})
                        .define("total", "sum(Muon[Muon.charge > 0].weight)")
                        .take<float>("total");
  truth.forEach([&](std::size_t event, std::size_t first, std::size_t last) {
    double sum = 0;
    for (std::size_t i = first; i < last; ++i)
      sum += truth.charge[i] > 0 ? truth.pt[i] / 100 : 0;
    EXPECT_FLOAT_EQ((*sums)[event], static_cast<float>(sum));
  });
}

TEST_F(DataframeExpressions, reportMistakesAtOnce) {
  expectError(ErrorKind::name, "events.kaon:events (did you mean 'pt'?)",
              [&] { (void)events().filter("any(Muon.ptt > 3)"); });
  expectError(ErrorKind::type, "a filter wants a bool", [&] { (void)events().filter("MET_pt"); });
  expectError(ErrorKind::usage, "^", [&] { (void)events().define("x", "MET_pt +"); });
}

TEST_F(DataframeExpressions, sayInWhichEntry) {
  std::size_t entry = 0; // first passing entry without muons
  while (truth.muons[entry + 1] > truth.muons[entry] || truth.met[entry] <= 50)
    ++entry;
  const auto sum = events()
                       .filter([](float met) { return met > 50; }, {"MET_pt"})
                       .define("first", "Muon.pt[0]")
                       .sum("first");
  expectError(ErrorKind::usage, "has 0 values in entry " + std::to_string(entry) + ",",
              [&] { (void)*sum; });
  expectError(ErrorKind::usage, "events.kaon:events: ", [&] { (void)*sum; });
}

} // namespace
} // namespace kaon
