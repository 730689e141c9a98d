#include <kaon/dataset/Dataframe.h>

#include "support/CollisionEvents.h"
#include "support/Errors.h"
#include "support/Files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::CollisionEvents;
using test::expectError;

/// Turns objects into entries and back.
class ObjectsTest : public testing::Test {
protected:
  ObjectsTest() { truth.write(directory / "events.kaon"); }
  [[nodiscard]] Dataframe events() const { return dataset(directory / "events.kaon", "events"); }

  test::TemporaryDirectory directory;
  CollisionEvents truth{5000};
};

TEST_F(ObjectsTest, areEntries) {
  const Dataframe muons = events().filter("MET_pt > 30").explode("Muon");
  const auto count = muons.count();
  const auto pt = muons.take<float>("Muon.pt");
  const auto met = muons.take<float>("MET_pt");
  const auto runs = muons
                        .filter([](float momentum, float missing) { return momentum > missing; },
                                {"Muon.pt", "MET_pt"})
                        .take<std::int32_t>("run");
  std::vector<float> pts, mets;
  std::vector<std::int32_t> expectedRuns;
  truth.forEach([&](std::size_t event, std::size_t first, std::size_t last) {
    if (truth.met[event] <= 30)
      return;
    for (std::size_t i = first; i < last; ++i) {
      pts.push_back(truth.pt[i]);
      mets.push_back(truth.met[event]);
      if (truth.pt[i] > truth.met[event])
        expectedRuns.push_back(truth.run[event]);
    }
  });
  EXPECT_GT(pts.size(), 1000U);
  EXPECT_EQ(*count, pts.size());
  EXPECT_EQ(*pt, pts);
  EXPECT_EQ(*met, mets);
  EXPECT_EQ(*runs, expectedRuns);
}

TEST_F(ObjectsTest, equalTheResultsOfExpressions) {
  const Dataframe muons = events()
                              .define("total", "sum(Muon.pt)")
                              .define("Muon.scaled", "2 * Muon.pt")
                              .explode("Muon")
                              .filter("Muon.pt > 20 and abs(Muon_eta) < 2")
                              .define("share", "Muon.scaled / total + MET_pt");
  const auto shares = muons.take<float>("share");
  std::vector<float> expected;
  truth.forEach([&](std::size_t event, std::size_t first, std::size_t last) {
    float total = 0;
    for (std::size_t i = first; i < last; ++i)
      total += truth.pt[i];
    for (std::size_t i = first; i < last; ++i)
      if (truth.pt[i] > 20 && std::abs(truth.eta[i]) < 2)
        expected.push_back(2 * truth.pt[i] / total + truth.met[event]);
  });
  ASSERT_EQ(shares->size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR((*shares)[i], expected[i], 1e-5 * expected[i]);
}

/// Filters of events count events, and filters of objects count objects, also in one cut flow.
TEST_F(ObjectsTest, areCountedByFiltersOfObjects) {
  const auto cuts = events()
                        .filter("MET_pt > 30", "high")
                        .explode("Muon")
                        .filter("Muon.pt > 20", "hard")
                        .implode()
                        .filter("count(Muon) == 2", "pairs")
                        .report("MET_pt")
                        .cuts();
  std::uint64_t high = 0, muons = 0, hard = 0, pairs = 0;
  double weightOfMuons = 0, weightOfHigh = 0;
  truth.forEach([&](std::size_t event, std::size_t first, std::size_t last) {
    if (truth.met[event] <= 30)
      return;
    ++high;
    weightOfHigh += truth.met[event];
    muons += last - first;
    weightOfMuons += static_cast<double>(last - first) * truth.met[event];
    const auto hardOnes = std::count_if(truth.pt.begin() + static_cast<std::ptrdiff_t>(first),
                                        truth.pt.begin() + static_cast<std::ptrdiff_t>(last),
                                        [](float pt) { return pt > 20; });
    hard += static_cast<std::uint64_t>(hardOnes);
    pairs += hardOnes == 2 ? 1 : 0;
  });
  ASSERT_EQ(cuts.size(), 3U);
  EXPECT_EQ(cuts[0].entries, 5000U);
  EXPECT_EQ(cuts[0].passed, high);
  EXPECT_NEAR(cuts[0].passedWeight, weightOfHigh, 1e-9 * weightOfHigh);
  EXPECT_EQ(cuts[1].entries, muons);
  EXPECT_EQ(cuts[1].passed, hard);
  EXPECT_NEAR(cuts[1].weight, weightOfMuons, 1e-9 * weightOfMuons);
  EXPECT_EQ(cuts[2].entries, high);
  EXPECT_EQ(cuts[2].passed, pairs);
}

TEST_F(ObjectsTest, becomeListsAgain) {
  const Dataframe events = this->events()
                               .filter("MET_pt > 30")
                               .explode("Muon")
                               .filter("Muon.pt > 20")
                               .define("ratio", "Muon.pt / MET_pt")
                               .filter([](float eta) { return eta > 0; }, {"Muon.eta"})
                               .implode();
  const auto pt = events.take<Array<float>>("Muon.pt");
  const auto ratio = events.take<Array<float>>("ratio");
  const auto met = events.take<float>("MET_pt");
  const auto left = events.explode("Muon").take<float>("Muon.pt");
  const auto numbers = events.take<std::uint32_t>("#Muon");
  const auto pairs = events.filter("count(Muon) == 2").filter("count(Muon.pt) == 2").count();
  const auto hardest =
      events.filter("count(Muon) > 0").define("hardest", "max(Muon.pt)").take<float>("hardest");
  std::vector<std::vector<float>> pts, ratios;
  std::vector<float> mets, maxima;
  std::vector<std::uint32_t> counts;
  std::uint64_t twos = 0;
  truth.forEach([&](std::size_t event, std::size_t first, std::size_t last) {
    if (truth.met[event] <= 30)
      return;
    mets.push_back(truth.met[event]);
    pts.emplace_back();
    ratios.emplace_back();
    for (std::size_t i = first; i < last; ++i)
      if (truth.pt[i] > 20 && truth.eta[i] > 0) {
        pts.back().push_back(truth.pt[i]);
        ratios.back().push_back(truth.pt[i] / truth.met[event]);
      }
    counts.push_back(static_cast<std::uint32_t>(pts.back().size()));
    twos += pts.back().size() == 2 ? 1 : 0;
    if (!pts.back().empty())
      maxima.push_back(std::ranges::max(pts.back()));
  });
  EXPECT_EQ(*pt, pts);
  std::vector<float> ofAll;
  for (const std::vector<float>& some : pts)
    ofAll.insert(ofAll.end(), some.begin(), some.end());
  EXPECT_EQ(*left, ofAll);
  EXPECT_EQ(*numbers, counts);
  EXPECT_EQ(*ratio, ratios);
  EXPECT_EQ(*met, mets);
  EXPECT_EQ(*pairs, twos);
  EXPECT_EQ(*hardest, maxima);
}

TEST_F(ObjectsTest, mayAllBeFilteredOut) {
  const Dataframe none = events().explode("Muon").filter("Muon.pt < -1").implode();
  const auto lists = none.take<Array<float>>("Muon.pt");
  EXPECT_EQ(*lists, std::vector<std::vector<float>>(truth.size()));
}

TEST_F(ObjectsTest, vary) {
  const Dataframe muons =
      events().vary("Muon.pt", "up", "1.1 * Muon.pt").explode("Muon").filter("Muon.pt > 50");
  const auto count = muons.count();
  const auto varied = variations(count);
  const auto above = [&](float scale) {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(truth.pt, [&](float pt) { return scale * pt > 50; }));
  };
  EXPECT_EQ(*count, above(1));
  EXPECT_NEAR(static_cast<double>(*varied.at("up")), static_cast<double>(above(1.1F)), 2);
  EXPECT_GT(*varied.at("up"), *count);
}

TEST_F(ObjectsTest, mayBeOfDefinedLists) {
  const Dataframe hard =
      events()
          .define("hard", [](Array<float> pt) { return pt[pt > 50]; }, {"Muon.pt"})
          .explode("hard");
  EXPECT_EQ(*hard.count(), static_cast<std::uint64_t>(
                               std::ranges::count_if(truth.pt, [](float pt) { return pt > 50; })));
  EXPECT_GT(**hard.min("hard"), 50);
}

TEST_F(ObjectsTest, reportMistakes) {
  expectError(ErrorKind::usage, "implode() needs an explode()", [&] { (void)events().implode(); });
  expectError(ErrorKind::name, "no collection 'Muo' (did you mean 'Muon'?)",
              [&] { (void)events().explode("Muo"); });
  expectError(ErrorKind::name, "'Muon' are objects; name one of their members, such as 'Muon.pt'",
              [&] {
                (void)events().histogram({10, 0, 1}, "Muon");
              });
  expectError(ErrorKind::type, "'MET_pt' is a float32, not a list",
              [&] { (void)events().explode("MET_pt"); });
  const auto wrong =
      events()
          .define("Muon.hard", [](Array<float> pt) { return pt[pt > 50]; }, {"Muon.pt"})
          .explode("Muon")
          .sum("Muon.hard");
  expectError(ErrorKind::usage, "entry ", [&] { (void)*wrong; });
  const auto throwing = events()
                            .explode("Muon")
                            .filter(
                                [](float pt) -> bool {
                                  if (pt < 2)
                                    throw std::runtime_error("too soft");
                                  return true;
                                },
                                {"Muon.pt"})
                            .count();
  std::size_t entry = 0;
  truth.forEach([&](std::size_t event, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      if (truth.pt[i] < 2 && entry == 0)
        entry = event;
  });
  expectError(ErrorKind::usage, "entry " + std::to_string(entry) + ", filter '': too soft",
              [&] { (void)*throwing; });
}

} // namespace
} // namespace kaon
