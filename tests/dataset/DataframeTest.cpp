#include <kaon/dataset/Dataframe.h>

#include "support/CollisionEvents.h"
#include "support/Errors.h"
#include "support/Files.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace kaon {
namespace {

using test::CollisionEvents;
using test::expectContains;
using test::expectError;

/// A file of 40 000 events, and the same events in memory.
class DataframeTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    s_events = std::make_unique<CollisionEvents>(40'000);
    s_folder = std::make_unique<test::TemporaryDirectory>();
    s_events->write(path());
  }
  static void TearDownTestSuite() {
    s_folder.reset();
    s_events.reset();
  }
  [[nodiscard]] static std::string path() { return *s_folder / "events.kaon"; }
  [[nodiscard]] static Dataframe events() { return dataset(path(), "events"); }
  [[nodiscard]] static const CollisionEvents& truth() { return *s_events; }

  /// Returns the number of events that pass.
  template <class IsWanted>
  [[nodiscard]] static std::uint64_t countIf(IsWanted isWanted) {
    std::uint64_t count = 0;
    truth().forEach([&](std::size_t event, std::size_t first, std::size_t last) {
      count += isWanted(event, first, last) ? 1 : 0;
    });
    return count;
  }

private:
  static inline std::unique_ptr<CollisionEvents> s_events;
  static inline std::unique_ptr<test::TemporaryDirectory> s_folder;
};

TEST_F(DataframeTest, filtersAndCounts) {
  const Dataframe high = events().filter([](float met) { return met > 50; }, {"MET_pt"});
  const Dataframe pairs =
      high.filter([](Array<float> pt) { return pt.size() == 2; }, {"Muon.pt"}, "two muons");
  const auto all = events().count();
  const auto highs = high.count();
  const auto both = pairs.count();
  EXPECT_EQ(*all, truth().size());
  EXPECT_EQ(*highs, countIf([](std::size_t event, auto, auto) { return truth().met[event] > 50; }));
  EXPECT_EQ(*both, countIf([](std::size_t event, std::size_t first, std::size_t last) {
    return truth().met[event] > 50 && last - first == 2;
  }));
}

TEST_F(DataframeTest, callsFunctionsForEntriesObjectsAndBatches) {
  const Dataframe defined =
      events()
          .define("leading", [](Array<float> pt) { return max(pt, -1.F); }, {"Muon.pt"})
          .define("twice", [](float pt) { return 2 * pt; }, {"Muon.pt"})
          .define("share", [](float pt, float met) { return pt / (met + 1); },
                  {"Muon.pt", "MET_pt"})
          .define("central", [](Array<float> pt, Array<float> eta) { return pt[abs(eta) < 1]; },
                  {"Muon.pt", "Muon.eta"})
          .define("root",
                  [](std::span<const float> met) {
                    std::vector<float> roots;
                    for (const float value : met)
                      roots.push_back(std::sqrt(value));
                    return roots;
                  },
                  {"MET_pt"});
  const auto leading = defined.take<float>("leading");
  const auto twice = defined.take<Array<float>>("twice");
  const auto share = defined.take<Array<float>>("share");
  const auto central = defined.take<Array<float>>("central");
  const auto root = defined.take<float>("root");
  ASSERT_EQ(leading->size(), truth().size());
  truth().forEach([&](std::size_t event, std::size_t first, std::size_t last) {
    float most = -1;
    std::vector<float> twices, shares, centrals;
    for (std::size_t i = first; i < last; ++i) {
      const float pt = truth().pt[i];
      most = std::max(most, pt);
      twices.push_back(2 * pt);
      shares.push_back(pt / (truth().met[event] + 1));
      if (std::abs(truth().eta[i]) < 1)
        centrals.push_back(pt);
    }
    EXPECT_EQ((*leading)[event], most);
    EXPECT_EQ((*twice)[event], twices);
    EXPECT_EQ((*share)[event], shares);
    EXPECT_EQ((*central)[event], centrals);
    EXPECT_EQ((*root)[event], std::sqrt(truth().met[event]));
  });
}

TEST_F(DataframeTest, definesAfterFiltersSeePassingEntries) {
  const auto scaled =
      events()
          .define("scaled", [](float met) { return 2 * met; }, {"MET_pt"})
          .filter([](Array<float> pt) { return pt.size() > 2; }, {"Muon.pt"})
          .define("sum", [](float scaledMet, Array<float> pt) { return scaledMet + sum(pt); },
                  {"scaled", "Muon.pt"})
          .filter([](double total) { return total > 200; }, {"sum"})
          .define("hardest", [](float pt, double total) { return pt / total; }, {"Muon.pt", "sum"});
  const auto sums = scaled.take<double>("sum");
  const auto shares = scaled.take<Array<double>>("hardest");
  std::vector<double> expected;
  std::vector<std::vector<double>> expectedShares;
  truth().forEach([&](std::size_t event, std::size_t first, std::size_t last) {
    double total = 2 * truth().met[event];
    double pts = 0;
    for (std::size_t i = first; i < last; ++i)
      pts += truth().pt[i];
    total += pts;
    if (last - first <= 2 || total <= 200)
      return;
    expected.push_back(total);
    expectedShares.emplace_back();
    for (std::size_t i = first; i < last; ++i)
      expectedShares.back().push_back(truth().pt[i] / total);
  });
  EXPECT_GT(expected.size(), 100U);
  EXPECT_EQ(*sums, expected);
  EXPECT_EQ(*shares, expectedShares);
}

TEST_F(DataframeTest, redefinesAndNamesAnew) {
  const Dataframe changed = events()
                                .redefine("MET_pt", [](float met) { return met + 1; }, {"MET_pt"})
                                .alias("missing", "MET_pt")
                                .redefine("MET_pt", [](float met) { return met + 10; }, {"MET_pt"});
  EXPECT_EQ(changed.take<float>("missing")->front(), truth().met.front() + 1);
  EXPECT_EQ(changed.take<float>("MET_pt")->front(), truth().met.front() + 1 + 10);
  EXPECT_EQ(changed.columns().front(), "MET_pt");
}

TEST_F(DataframeTest, reduces) {
  const Dataframe all = events();
  const auto sum = all.sum("Muon.pt");
  const auto least = all.min("Muon.eta");
  const auto greatest = all.max("run");
  const auto mean = all.mean("MET_pt");
  const auto stats = all.stats("MET_pt");
  const auto none = all.filter([](float) { return false; }, {"MET_pt"}).mean("MET_pt");
  double expected = 0;
  for (const float pt : truth().pt)
    expected += pt;
  EXPECT_NEAR(*sum, expected, 1e-6 * expected);
  EXPECT_EQ(*least, std::ranges::min(truth().eta));
  EXPECT_EQ(*greatest, truth().run.back());
  double total = 0;
  for (const float met : truth().met)
    total += met;
  const double average = total / static_cast<double>(truth().size());
  double squares = 0;
  for (const float met : truth().met)
    squares += (met - average) * (met - average);
  EXPECT_NEAR(**mean, average, 1e-9);
  EXPECT_EQ(stats->count, truth().size());
  EXPECT_NEAR(stats->deviation(), std::sqrt(squares / static_cast<double>(truth().size() - 1)),
              1e-9);
  EXPECT_EQ(*none, std::nullopt);
}

TEST_F(DataframeTest, takesColumnsOfAnyType) {
  const auto pt = events().take("Muon.pt");
  EXPECT_EQ(pt->type, (detail::ColumnType{Scalar::Float32, 1}));
  ASSERT_EQ(pt->values.size(), truth().pt.size() * sizeof(float));
  EXPECT_EQ(std::memcmp(pt->values.data(), truth().pt.data(), pt->values.size()), 0);
  ASSERT_EQ(pt->offsets.size(), 1U);
  EXPECT_TRUE(std::ranges::equal(pt->offsets[0], truth().muons));
  EXPECT_EQ(events().filter("MET_pt < 0").take("run")->values.size(), 0U);
}

TEST_F(DataframeTest, reducesByFunctions) {
  const auto greatest =
      events().reduce([](double a, double b) { return std::max(a, b); }, "Muon.pt");
  const auto bits = events().reduce([](std::int32_t a, std::int32_t b) { return a | b; }, "run");
  EXPECT_EQ(**greatest, std::ranges::max(truth().pt));
  EXPECT_EQ(**bits, 4095);
  EXPECT_EQ(*events().filter("MET_pt < 0").reduce([](float a, float b) { return a + b; }, "MET_pt"),
            std::nullopt);
}

TEST_F(DataframeTest, averagesInProfiles) {
  const auto eta = events().profile({2, -3, 3}, "Muon.eta", "Muon.pt");
  const auto weighted = events().profile({2, -3, 3}, "Muon.eta", "Muon.pt", "MET_pt");
  std::vector<double> counts(2), sums(2), weights(2), weightedSums(2);
  truth().forEach([&](std::size_t event, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t bin = truth().eta[i] < 0 ? 0 : 1;
      counts[bin] += 1;
      sums[bin] += truth().pt[i];
      weights[bin] += truth().met[event];
      weightedSums[bin] += truth().met[event] * truth().pt[i];
    }
  });
  for (int bin = 0; bin < 2; ++bin) {
    const auto i = static_cast<std::size_t>(bin);
    EXPECT_EQ(eta->at(bin).sum_of_weights(), counts[i]);
    EXPECT_NEAR(eta->at(bin).value(), sums[i] / counts[i], 1e-6);
    EXPECT_NEAR(weighted->at(bin).value(), weightedSums[i] / weights[i], 1e-3);
  }
}

/// The variance within each part of the dataset is smaller than that of the whole.
TEST_F(DataframeTest, hasTheVariancesOfWholeDatasetsInProfiles) {
  const Dataframe shifted = events().define("shifted", "Muon.pt + 100 * (dataset.entry // 10000)");
  const auto plain = shifted.profile({2, -3, 3}, "Muon.eta", "shifted");
  const auto weighted = shifted.profile({2, -3, 3}, "Muon.eta", "shifted", "MET_pt");
  std::array<std::vector<std::array<double, 2>>, 2> bins; // values and weights
  truth().forEach([&](std::size_t event, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      bins[truth().eta[i] < 0 ? 0 : 1].push_back(
          {truth().pt[i] + 100. * static_cast<double>(event / 10000), truth().met[event]});
  });
  const auto varianceOf = [](const auto& values, auto weightOf) {
    double weights = 0, squares = 0, sum = 0, deltas = 0;
    for (const auto& value : values) {
      weights += weightOf(value);
      squares += weightOf(value) * weightOf(value);
      sum += weightOf(value) * value[0];
    }
    for (const auto& value : values)
      deltas += weightOf(value) * std::pow(value[0] - sum / weights, 2);
    return deltas / (weights - squares / weights);
  };
  for (int bin = 0; bin < 2; ++bin) {
    const auto& values = bins.at(static_cast<std::size_t>(bin));
    const double expected = varianceOf(values, [](const auto&) { return 1.; });
    EXPECT_NEAR(plain->at(bin).variance(), expected, 1e-9 * expected);
    const double ofWeighted = varianceOf(values, [](const auto& value) { return value[1]; });
    EXPECT_NEAR(weighted->at(bin).variance(), ofWeighted, 1e-9 * ofWeighted);
  }
}

TEST_F(DataframeTest, displaysTheFirstRows) {
  const auto display = events()
                           .filter([](std::uint32_t muons) { return muons > 1; }, {"#Muon"})
                           .define("isHigh", "MET_pt > 50")
                           .display({"run", "isHigh", "Muon.charge"}, 2);
  ASSERT_EQ(display->rows.size(), 2U);
  std::vector<std::string> expected;
  truth().forEach([&](std::size_t event, std::size_t first, std::size_t last) {
    if (last - first < 2 || !expected.empty())
      return;
    std::string charges;
    for (std::size_t i = first; i < last; ++i)
      charges += (i > first ? ", " : "") + std::to_string(truth().charge[i]);
    expected = {std::to_string(truth().run[event]), truth().met[event] > 50 ? "true" : "false",
                "[" + charges + "]"};
  });
  EXPECT_EQ(display->rows[0], expected);
  std::ostringstream text;
  text << *display;
  EXPECT_EQ(text.str().find("run  isHigh  Muon.charge\n0    "), 0U) << text.str();
}

TEST_F(DataframeTest, describesItself) {
  const std::string text = events()
                               .define("good", "Muon[Muon.pt > 20]")
                               .define("leading", "max(Muon.pt)")
                               .filter("leading > 5")
                               .describe();
  expectContains(text, "events.kaon:events\n");
  expectContains(text, "  leading      float32, defined\n");
  expectContains(text, "  Muon.pt      list of float32\n");
  expectContains(text, "filter leading > 5\n");
}

TEST_F(DataframeTest, describesSamplesOfSmallWeights) {
  const Dataframe signal = dataset(std::vector{Sample{"signal", {path()}, 1.3e-7}}, "events");
  expectContains(signal.describe(), "sample 'signal', weight 1.3e-07\n");
}

TEST_F(DataframeTest, aggregates) {
  const auto longest = events().aggregate(
      std::size_t{0}, [](std::size_t most, Array<float> pt) { return std::max(most, pt.size()); },
      [](std::size_t a, std::size_t b) { return std::max(a, b); }, {"Muon.pt"});
  EXPECT_EQ(*longest, 4U);
}

TEST_F(DataframeTest, aggregatesPassingEntries) {
  const auto addSizes = [](std::size_t sum, std::size_t next) { return sum + next; };
  const Dataframe some = events().filter("MET_pt > 50");
  const auto muons = some.aggregate(
      std::size_t{0}, [](std::size_t sum, Array<float> pt) { return sum + pt.size(); }, addSizes,
      {"Muon.pt"});
  const auto inBatches =
      some.aggregate(std::size_t{0},
                     [](std::size_t& sum, std::span<const float> pt, std::span<const float> eta) {
                       EXPECT_EQ(pt.size(), eta.size());
                       sum += pt.size();
                     },
                     addSizes, {"Muon.pt", "Muon.eta"});
  const auto hardest = some.aggregate(
      0.F,
      [](float most, std::span<const float> met) { return std::max(most, std::ranges::max(met)); },
      [](float a, float b) { return std::max(a, b); }, {"MET_pt"});
  std::size_t expected = 0;
  truth().forEach([&](std::size_t event, std::size_t first, std::size_t last) {
    expected += truth().met[event] > 50 ? last - first : 0;
  });
  EXPECT_EQ(*muons, expected);
  EXPECT_EQ(*inBatches, expected);
  EXPECT_EQ(*hardest, std::ranges::max(truth().met));
  expectError(ErrorKind::type, "'Muon.pt' is a list of float32", [&] {
    (void)some.aggregate(
        0, [](int n, std::span<const double>, std::span<const std::int32_t>) { return n; },
        [](int a, int) { return a; }, {"MET_pt", "Muon.pt"});
  });
}

/// Integers above 2^53, which doubles cannot store.
TEST_F(DataframeTest, keepsIntegersExact) {
  constexpr std::int64_t big = (std::int64_t{1} << 53) + 1;
  const auto first = truth().run.front();
  const std::vector<std::int32_t> runs(truth().run.begin(), truth().run.begin() + 500);
  const Dataframe all =
      events()
          .define("time", [=](std::int32_t run) { return run - first + big; }, {"run"})
          .define("id",
                  [=](std::int32_t run) {
                    return ~std::uint64_t{0} - static_cast<std::uint64_t>(run - first);
                  },
                  {"run"})
          .define("one", [](std::int32_t) { return true; }, {"run"})
          .define("small", [](std::int32_t) { return std::int16_t{-3}; }, {"run"})
          .range(0, runs.size());
  std::int64_t time = 0, last = 0;
  for (const std::int32_t run : runs) {
    time += run - first + big;
    last = std::max<std::int64_t>(last, run - first);
  }
  const auto many = static_cast<std::int64_t>(runs.size());
  const auto sum = all.sum("time"), ids = all.sum("id"), small = all.sum("small");
  const auto ones = all.sum("one");
  const auto greatest = all.max("time"), least = all.min("id"), most = all.max("id");
  const auto report = events()
                          .define("w", [=](std::int32_t run) { return big / 64 + run; }, {"run"})
                          .filter("run >= 0")
                          .report("w");
  EXPECT_EQ(sum->type, Scalar::Int64);
  EXPECT_EQ(*sum, time);
  EXPECT_EQ(std::int64_t{*sum}, time);
  EXPECT_EQ(**greatest, big + last);
  EXPECT_NE(**greatest, static_cast<double>(big + last) + 2);
  EXPECT_EQ((*least)->type, Scalar::UInt64);
  EXPECT_EQ(**least, ~std::uint64_t{0} - static_cast<std::uint64_t>(last));
  EXPECT_EQ(**most, ~std::uint64_t{0});
  EXPECT_LT(**most, 0x1p64);
  EXPECT_EQ(*small, -3 * many);
  EXPECT_EQ(small->type, Scalar::Int64);
  EXPECT_EQ(*ones, many);
  EXPECT_EQ(ones->type, Scalar::Int64);
  std::int64_t weight = 0;
  for (const std::int32_t run : truth().run)
    weight += big / 64 + run;
  EXPECT_EQ(report.cuts()[0].passedWeight, weight);
  EXPECT_DOUBLE_EQ(**all.mean("time"), static_cast<double>(time / many));
  // Only this result of the pass fails, and the error names its column.
  expectError(ErrorKind::type, "the sum of 'id' is beyond uint64", [&] { (void)*ids; });

  const auto stats = all.stats("time"), shifted = all.stats("run");
  EXPECT_EQ(stats->max, big + last);
  EXPECT_EQ(stats->min, big);
  EXPECT_NEAR(stats->deviation(), shifted->deviation(), 1e-9 * shifted->deviation());
}

TEST(Number, isComparedAndConvertedExactly) {
  constexpr std::int64_t odd = (std::int64_t{1} << 53) + 1;
  EXPECT_NE(Number(odd), 0x1p53);
  EXPECT_GT(Number(odd), 0x1p53);
  EXPECT_LT(Number(0x1p53), Number(odd));
  EXPECT_EQ(Number(7), 7.0);
  EXPECT_LT(Number(-1), std::uint64_t{1});
  EXPECT_LT(Number(~std::uint64_t{0}), 0x1p64);
  EXPECT_LT(Number(std::numeric_limits<std::int64_t>::max()), 0x1p63);
  EXPECT_FALSE(Number(std::nan("")) == 0);
  EXPECT_FALSE(Number(0) < std::nan(""));
  EXPECT_EQ(std::uint64_t{Number(0x1p63)}, std::uint64_t{1} << 63);
  expectError(ErrorKind::type, "cannot be stored exactly as int64",
              [] { (void)std::int64_t{Number(0x1p63)}; });
  expectError(ErrorKind::type, "-1 cannot be stored exactly as uint32",
              [] { (void)std::uint32_t{Number(-1)}; });
  expectError(ErrorKind::type, "0.5 cannot be stored exactly as int32",
              [] { (void)std::int32_t{Number(0.5)}; });
  expectError(ErrorKind::type, "nan cannot be stored exactly as int32",
              [] { (void)std::int32_t{Number(std::nan(""))}; });
}

TEST_F(DataframeTest, findsExtremesOfAllTypesBesideNaNs) {
  const auto extremes = [](auto valueOf) {
    const Dataframe x = events().define("x", valueOf, {"run"});
    const auto least = x.min("x"), greatest = x.max("x");
    const auto stats = x.stats("x");
    return std::array{*least, *greatest, std::optional(stats->min), std::optional(stats->max)};
  };
  const auto first = truth().run.front();
  const float no = std::nanf(""), beyond = std::numeric_limits<float>::infinity();
  const auto mixed = [=](std::int32_t run) {
    return run == first + 1234 ? 7.5F : run % 3 == 0 ? no : -static_cast<float>(run % 1000);
  };
  EXPECT_EQ(extremes(mixed), (std::array<std::optional<Number>, 4>{-999, 7.5, -999, 7.5}));
  EXPECT_EQ(extremes([=](std::int32_t) { return no; }),
            (std::array<std::optional<Number>, 4>{std::nullopt, std::nullopt, beyond, -beyond}));
  EXPECT_EQ(extremes([=](std::int32_t) { return beyond; }),
            (std::array<std::optional<Number>, 4>{beyond, beyond, beyond, beyond}));
  const auto bytes = [](std::int32_t run) { return static_cast<std::uint8_t>(run % 99 + 3); };
  EXPECT_EQ(extremes(bytes), (std::array<std::optional<Number>, 4>{3, 101, 3, 101}));
  const auto minusOne = [](std::int32_t) { return std::int64_t{-1}; };
  EXPECT_EQ(extremes(minusOne), (std::array<std::optional<Number>, 4>{-1, -1, -1, -1}));
}

/// Values at bin edges, outside the axis, and NaN.
TEST_F(DataframeTest, putsValuesIntoTheBinsOfBoost) {
  const double low = 0.1, high = 0.7, beyond = std::numeric_limits<double>::infinity();
  std::vector<double> values = {-beyond, -1, -1e-9, -0.0, 1, beyond, std::nan("")};
  for (int i = -1; i < 9; ++i) {
    const double edge = low + (high - low) * i / 7;
    values.insert(values.end(), {std::nextafter(edge, -beyond), edge, edge + 1e-9});
  }
  const auto valueOf = [values](float met) {
    return values[std::bit_cast<std::uint32_t>(met) % values.size()];
  };
  for (const unsigned bins : {7U, 1'000'000U}) { // the second has more bins than a batch has values
    const Axis axis(bins, low, high);
    const Dataframe defined = events().define("x", valueOf, {"MET_pt"});
    const auto plain = defined.histogram(axis, "x");
    const auto weighted = defined.histogram(axis, "x", "MET_pt");
    Histogram expected(Histogram::axes_type{axis.axis}), expectedWeighted = expected;
    for (const float met : truth().met) {
      expected(valueOf(met));
      expectedWeighted(valueOf(met), boost::histogram::weight(static_cast<double>(met)));
    }
    EXPECT_TRUE(*plain == expected);
    for (int bin = -1; bin <= static_cast<int>(bins); ++bin)
      ASSERT_NEAR(weighted->at(bin).value(), expectedWeighted.at(bin).value(), 1e-3) << bin;
  }
}

TEST_F(DataframeTest, fillsHistograms) {
  const auto pt = events().histogram({20, 0, 100, "pT"}, "Muon.pt");
  const auto weighted = events().histogram({20, 0, 100}, "Muon.pt", "MET_pt");
  expectError(ErrorKind::type,
              "'Muon.pt' is a list of float32, but a weight must be one number for each value", [] {
                (void)events().histogram({20, 0, 100}, "MET_pt", "Muon.pt");
              });
  const auto map =
      events().histogram({{4, -2, 2}, Axis::ofEdges({0, 10, 100})}, {"Muon.eta", "Muon.pt"});
  std::vector<double> counts(20), weights(20), squares(20);
  std::vector<std::vector<double>> cells(4, std::vector<double>(2));
  double below = 0;
  truth().forEach([&](std::size_t event, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const double met = truth().met[event];
      const auto bin = static_cast<std::size_t>(truth().pt[i] / 5);
      counts[bin] += 1;
      weights[bin] += met;
      squares[bin] += met * met;
      const double eta = truth().eta[i];
      if (eta < -2)
        ++below;
      else if (eta < 2)
        ++cells[static_cast<std::size_t>(eta + 2)][truth().pt[i] < 10 ? 0 : 1];
    }
  });
  for (int bin = 0; bin < 20; ++bin) {
    const auto i = static_cast<std::size_t>(bin);
    EXPECT_EQ(pt->at(bin).value(), counts[i]);
    EXPECT_EQ(pt->at(bin).variance(), counts[i]);
    EXPECT_NEAR(weighted->at(bin).value(), weights[i], 1e-9 * weights[i]);
    EXPECT_NEAR(weighted->at(bin).variance(), squares[i], 1e-9 * squares[i]);
  }
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 2; ++y)
      EXPECT_EQ(map->at(x, y).value(),
                cells[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)]);
  EXPECT_EQ(map->at(-1, 0).value() + map->at(-1, 1).value(), below);
  EXPECT_EQ(pt->axis(0).bin(0).upper(), 5);
}

TEST_F(DataframeTest, reportsCuts) {
  const CutFlow cuts =
      events()
          .filter([](float met) { return met > 50; }, {"MET_pt"}, "missing energy")
          .filter([](std::uint32_t muons) { return muons == 2; }, {"#Muon"}, "pairs")
          .report();
  const auto rows = cuts.cuts();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].label, "missing energy");
  EXPECT_EQ(rows[0].entries, truth().size());
  EXPECT_EQ(rows[0].passed, rows[1].entries);
  EXPECT_EQ(rows[1].passed, countIf([](std::size_t event, std::size_t first, std::size_t last) {
              return truth().met[event] > 50 && last - first == 2;
            }));
  std::ostringstream text;
  text << cuts;
  expectContains(text.str(), "missing energy");
}

TEST_F(DataframeTest, printsSharesOfNegativeWeightsAndAlignsLabels) {
  const auto minus = events().define("minus", "0 * run - 1");
  std::ostringstream text;
  text << minus.filter("run >= 0", "µµ").filter("run >= 0", "two").report("minus");
  const std::string weight = "-" + std::to_string(truth().size());
  const std::string weights = std::string(14 - weight.size(), ' ') + weight;
  const std::string row = weights + weights + "  100.00 %\n";
  EXPECT_EQ(text.str(), "µµ " + row + "two" + row);
}

/// The results must be equal to the last bit.
TEST_F(DataframeTest, givesTheSameWithAnyNumberOfThreads) {
  const auto compute = [&](int threads) {
    tbb::task_arena arena(threads);
    return arena.execute([&] {
      const Dataframe some = events().filter([](float met) { return met > 3; }, {"MET_pt"});
      const auto histogram = some.histogram({50, 0, 100}, "Muon.pt", "MET_pt");
      const auto sum = some.sum("Muon.eta");
      const auto taken = some.take<float>("MET_pt");
      return std::tuple(*histogram, *sum, *taken, some.stats("Muon.pt")->squares);
    });
  };
  EXPECT_EQ(compute(1), compute(4));
}

TEST_F(DataframeTest, readsSeveralFilesAsOne) {
  const test::TemporaryDirectory folder;
  std::uint64_t high = 0;
  for (int file = 0; file < 3; ++file) {
    const CollisionEvents more(1000, 7 + static_cast<std::uint64_t>(file));
    more.write((folder / "part" + std::to_string(file) + (file == 1 ? ".root" : ".kaon")));
    for (const float met : more.met)
      high += met > 90 ? 1 : 0;
  }
  const Dataframe parts = dataset({(folder / "part*.kaon"), (folder / "part1.root")}, "events");
  const auto count = parts.count();
  const auto highs = parts.filter([](float met) { return met > 90; }, {"MET_pt"}).count();
  EXPECT_EQ(*count, 3000U);
  EXPECT_EQ(*highs, high);
  expectError(ErrorKind::missing, "no file matches",
              [&] { (void)dataset((folder / "none*.kaon"), "events"); });
}

TEST_F(DataframeTest, saysWhereFilesDiffer) {
  const test::TemporaryDirectory folder;
  CollisionEvents(100).write((folder / "a.kaon"));
  BatchWriter writer = batchWriter((folder / "b.kaon"));
  const std::vector<double> mets = {1., 2.};
  Columns columns(2);
  columns.add("MET_pt", mets);
  writer.write("events", columns.batch());
  writer.finish();
  const auto mean = dataset((folder / "*.kaon"), "events").mean("MET_pt");
  expectError(ErrorKind::type, "b.kaon:events: 'MET_pt' is a float64, but a float32 in ",
              [&] { (void)*mean; });
}

TEST_F(DataframeTest, varies) {
  const Dataframe varied =
      events()
          .vary("Muon.pt", "scale up", [](float pt) { return 1.1F * pt; }, {"Muon.pt"})
          .vary("Muon.pt", "scale down", [](float pt) { return 0.9F * pt; }, {"Muon.pt"})
          .vary("MET_pt", "scale up", [](float met) { return met - 1; }, {"MET_pt"})
          .define("leading", [](Array<float> pt) { return max(pt, 0.F); }, {"Muon.pt"})
          .filter([](float leading) { return leading > 50; }, {"leading"});
  const auto count = varied.count();
  const auto met = varied.sum("MET_pt");
  const auto counts = variations(count);
  const auto mets = variations(met);
  const auto expected = [&](float scale, float shift) {
    std::pair<std::uint64_t, double> passed;
    truth().forEach([&](std::size_t event, std::size_t first, std::size_t last) {
      float leading = 0;
      for (std::size_t i = first; i < last; ++i)
        leading = std::max(leading, scale == 1 ? truth().pt[i] : scale * truth().pt[i]);
      if (leading > 50) {
        ++passed.first;
        passed.second += truth().met[event] - shift;
      }
    });
    return passed;
  };
  EXPECT_EQ(*count, expected(1, 0).first);
  ASSERT_EQ(counts.size(), 2U);
  EXPECT_EQ(*counts.at("scale up"), expected(1.1F, 1).first);
  EXPECT_EQ(*counts.at("scale down"), expected(0.9F, 0).first);
  EXPECT_NEAR(*mets.at("scale up"), expected(1.1F, 1).second, 1);
  EXPECT_NEAR(*mets.at("scale down"), expected(0.9F, 0).second, 1);
}

TEST_F(DataframeTest, refusesTypesThatDoNotFit) {
  const Dataframe all = events();
  expectError(ErrorKind::name, "(did you mean 'Muon.pt'?)", [&] { (void)all.sum("Muon.Pt"); });
  expectError(ErrorKind::name, "(did you mean 'leading'?)", [&] {
    (void)all.define("leading", [](float met) { return met; }, {"MET_pt"}).sum("leadin");
  });
  expectError(ErrorKind::type, "'MET_pt' is a float32, which a function takes as float, not as",
              [&] { (void)all.filter([](int met) { return met > 0; }, {"MET_pt"}); });
  expectError(ErrorKind::type, "a bool for each entry, not a list of bool; use any() or all()",
              [&] { (void)all.filter([](float pt) { return pt > 0; }, {"Muon.pt"}); });
  expectError(ErrorKind::usage, "takes 1 argument, but 2 columns", [&] {
    (void)all.define("x", [](float) { return 1; }, {"MET_pt", "run"});
  });
  expectError(ErrorKind::name, "there is a column 'run' already",
              [&] { (void)all.define("run", [](float) { return 1; }, {"MET_pt"}); });
  // Expressions would use the new columns, everything else the old ones.
  expectError(ErrorKind::name, "there are objects 'Muon' already; give the new ones another name",
              [&] { (void)all.define("Muon", "Muon[Muon.pt > 20]"); });
  expectError(ErrorKind::name, "there are objects 'hard' already", [&] {
    (void)all.define("hard", "Muon[Muon.pt > 20]").define("hard", "Muon[Muon.pt > 30]");
  });
  expectError(ErrorKind::name, "no column is called 'x'",
              [&] { (void)all.redefine("x", [](float) { return 1; }, {"MET_pt"}); });
  expectError(ErrorKind::usage, "a histogram", [&] { (void)all.histogram({0, 0, 1}, "run"); });
}

/// Expressions need no name.
TEST_F(DataframeTest, takesExpressionsForColumns) {
  const auto named = events().define("x", "2 * MET_pt + count(Muon)");
  const std::string x = "2 * MET_pt + count(Muon)";
  EXPECT_EQ(*events().take<double>(x), *named.take<double>("x"));
  EXPECT_EQ(*events().mean(x), *named.mean("x"));
  EXPECT_EQ(events().stats(x)->max, named.stats("x")->max);
  EXPECT_TRUE(*events().histogram({10, 0, 200}, x, "MET_pt / 2") ==
              *named.histogram({10, 0, 200}, "x", "MET_pt / 2"));
  EXPECT_TRUE(*events().profile({10, 0, 200}, x, "Muon.pt[0] if count(Muon) > 0 else 0") ==
              *named.profile({10, 0, 200}, "x", "Muon.pt[0] if count(Muon) > 0 else 0"));
  EXPECT_EQ(*events().filter([](double y) { return y > 50; }, {x}).count(),
            *named.filter("x > 50").count());
  EXPECT_EQ(events().display({x}, 3)->rows, named.display({"x"}, 3)->rows);
  EXPECT_EQ(events().filter("MET_pt > 5").report(x).cuts()[0].weight, *named.sum("x"));
  EXPECT_EQ(nameOf(events().typeOf("Muon.pt > 5")), "list of bool");
  EXPECT_EQ(events().filter([](double) { return true; }, {x}).columns(), events().columns());
}

/// An expression uses the columns that exist when it is written, not columns that are defined
/// later.
TEST_F(DataframeTest, expressionsUseEarlierDefinitionsOfColumns) {
  const Dataframe twice = events().define("a", [](float x) { return x; }, {"2 * MET_pt"});
  const Dataframe none = twice.redefine("MET_pt", "0 * MET_pt");
  EXPECT_EQ(*none.sum("2 * MET_pt"), 0);
  EXPECT_DOUBLE_EQ(*none.sum("a"), 2 * double(*events().sum("MET_pt")));
  const auto varied = events().vary("MET_pt", "up", "2 * MET_pt").sum("3 * MET_pt");
  EXPECT_DOUBLE_EQ(*variations(varied).at("up"), 2 * double(*varied));
  EXPECT_NEAR(double(*events().sum("abs(Muon.pz)")) /
                  double(*events().sum("Muon.pt * sinh(abs(Muon.eta))")),
              1, 1e-5);
  EXPECT_EQ(*events().sum("Muon.pz"), *events().define("pz", "Muon.pz").sum("pz"));
  const Dataframe muons = events().explode("Muon");
  EXPECT_DOUBLE_EQ(*muons.sum("Muon.pt + 0"), *events().sum("Muon.pt"));
  EXPECT_EQ(*muons.filter("Muon.pt > 50").implode().sum("count(Muon)"),
            static_cast<double>(*muons.filter("Muon.pt > 50").count()));
}

/// Equal texts are computed once if they follow the same step in the same variation.
TEST_F(DataframeTest, computesAnExpressionThatIsAskedForAgain) {
  const Dataframe all = events().vary("MET_pt", "up", "MET_pt + 1");
  const Dataframe some = all.filter("count(Muon) > 0");
  const Dataframe other = some.redefine("MET_pt", "0 * MET_pt");
  const auto first = some.sum("max(Muon.pt) + MET_pt"), again = some.sum("max(Muon.pt) + MET_pt");
  const auto floats = some.take("max(Muon.pt) + MET_pt");
  const auto none = other.sum("max(Muon.pt) + MET_pt");
  const auto maximum = some.sum("max(Muon.pt)"), met = some.sum("MET_pt");
  EXPECT_EQ(*first, *again);
  EXPECT_NEAR(*first, double(*maximum) + double(*met), 1e-6 * double(*first));
  EXPECT_NEAR(*none, *maximum, 1e-6 * double(*none));
  EXPECT_EQ(floats->values.size(), *some.count() * sizeOf(floats->type.scalar));
  EXPECT_NEAR(*variations(again).at("up"), double(*first) + static_cast<double>(*some.count()),
              1e-6 * double(*first));
}

TEST_F(DataframeTest, reportsMistakesInExpressionsForColumns) {
  expectError(ErrorKind::usage, "MET_pt +", [&] { (void)events().sum("MET_pt +"); });
  expectError(ErrorKind::name, "did you mean 'MET_pt'", [&] { (void)events().sum("2 * MET_p"); });
  expectError(ErrorKind::type, "stands for objects, not for numbers",
              [&] { (void)events().take("Muon[Muon.pt > 5]"); });
  const Dataframe named = events().define("good", "Muon[Muon.pt > 5]");
  expectError(ErrorKind::name, "has no 'ptt'", [&] { (void)named.take("good.ptt"); });
  expectError(ErrorKind::name, "no column or collection 'MET_p'",
              [&] { (void)events().sum("MET_p % 2"); });
  expectError(ErrorKind::name, "no column is called 'MET_p'", [&] { (void)events().sum("MET_p"); });
  expectError(ErrorKind::name, "define() makes a column of an expression",
              [&] { (void)events().alias("x", "2 * MET_pt"); });
  expectError(ErrorKind::name, "define() makes a column of an expression",
              [&] { (void)events().snapshot("x.kaon", {"2 * MET_pt"}); });
}

/// Names too long for the buffer inside a string.
TEST_F(DataframeTest, knowsLongNames) {
  const std::string name = "the missing transverse momentum, doubled";
  const Dataframe doubled = events().define(name, "2 * MET_pt");
  EXPECT_EQ(doubled.take<float>(name)->front(), 2 * truth().met.front());
  expectError(ErrorKind::name, "no column is called 'a name that nothing has'",
              [&] { (void)doubled.sum("a name that nothing has"); });
}

/// One thread computes the results of a dataset; others wait for theirs.
TEST_F(DataframeTest, hasResultsForSeveralThreadsInOnePass) {
  std::atomic<std::size_t> calls = 0;
  std::atomic<bool> isOtherThere = false;
  const auto counted = events().define("met",
                                       [&](float met) {
                                         if (calls++ == 0)
                                           while (!isOtherThere)
                                             std::this_thread::yield();
                                         return met;
                                       },
                                       {"MET_pt"});
  const auto sum = counted.sum("met");
  const auto all = counted.take<float>("met");
  std::vector<float> taken;
  {
    const std::jthread other([&] {
      while (calls == 0)
        std::this_thread::yield();
      isOtherThere = true;
      taken = *all;
    });
    EXPECT_GT(*sum, 0);
  }
  EXPECT_EQ(taken, truth().met);
  EXPECT_EQ(calls, truth().met.size());
}

TEST_F(DataframeTest, refusesResultsOfThePassThatAFunctionIsCalledBy) {
  const auto all = events();
  const auto number = all.count();
  const auto share =
      all.define("share", [&](float met) { return met / static_cast<float>(*number); }, {"MET_pt"})
          .sum("share");
  expectError(ErrorKind::usage, "a function uses a result of the same pass that calls the function",
              [&] { (void)*share; });
  EXPECT_EQ(*number, truth().met.size());
  EXPECT_GT(*share, 0);
}

TEST_F(DataframeTest, saysInWhichEntryAFunctionThrew) {
  const auto throwing = events()
                            .filter([](float met) { return met > 1; }, {"MET_pt"})
                            .define("checked",
                                    [](std::int32_t run) {
                                      if (run == 1234)
                                        throw std::runtime_error("this run is bad");
                                      return run;
                                    },
                                    {"run"})
                            .sum("checked");
  std::size_t entry = 12340;
  while (truth().met[entry] <= 1)
    ++entry;
  expectError(ErrorKind::usage,
              "events.kaon:events, entry " + std::to_string(entry) +
                  ", column 'checked': this run is bad",
              [&] { (void)*throwing; });
  expectError(ErrorKind::usage, "this run is bad", [&] { (void)*throwing; }); // fails again
  const auto aggregated = events().aggregate(
      0,
      [](int sum, std::int32_t run) {
        if (run == 77)
          throw std::runtime_error("nor this one\nnor the next");
        return sum + run;
      },
      [](int a, int b) { return a + b; }, {"run"});
  expectError(ErrorKind::usage, "entry 770, result: nor this one\n  nor the next",
              [&] { (void)*aggregated; });
  std::size_t pair = 1000;
  while (truth().muons[pair + 1] - truth().muons[pair] < 2)
    ++pair;
  const auto reduced = events()
                           .define("number", "index(Muon) + 10 * dataset.entry")
                           .reduce(
                               [&](double sum, double number) {
                                 if (number == 10. * static_cast<double>(pair) + 1)
                                   throw std::runtime_error("a bad muon");
                                 return sum + number;
                               },
                               "number");
  expectError(ErrorKind::usage, "entry " + std::to_string(pair) + ", result: a bad muon",
              [&] { (void)*reduced; });
  const auto tooFew = events().define(
      "less", [](std::span<const float> met) { return std::vector<float>(met.size() - 1); },
      {"MET_pt"});
  expectError(ErrorKind::usage, ", column 'less': a function of a batch returned ",
              [&] { (void)*tooFew.sum("less"); });
}

TEST_F(DataframeTest, showsProgressAndEnds) {
  std::vector<double> shares;
  const auto count = events().count();
  run([&](double share) { shares.push_back(share); }, count);
  EXPECT_FALSE(shares.empty());
  EXPECT_EQ(shares.back(), 1);
  const auto sum = events().sum("Muon.pt");
  EXPECT_THROW(run([](double) { throw std::runtime_error("enough"); }, sum), std::runtime_error);
  EXPECT_GT(*sum, 0);
}

TEST_F(DataframeTest, endsAfterABatchOfSlowWork) {
  const test::TemporaryDirectory folder;
  CollisionEvents few(10'000); // one part of the dataset, with several batches
  few.write(folder / "few.kaon");
  std::size_t batches = 0;
  const auto slow = [&](std::span<const float> pt) {
    ++batches;
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    return std::vector<float>(pt.begin(), pt.end());
  };
  const auto begin = [&] {
    batches = 0;
    return dataset(folder / "few.kaon", "events").define("x", slow, {"MET_pt"}).sum("x");
  };
  oneapi::tbb::task_arena one(1);
  one.execute([&] {
    (void)*begin();
    const std::size_t all = batches;
    ASSERT_GT(all, 1U);
    const auto sum = begin();
    EXPECT_THROW(run([](double) { throw std::runtime_error("enough"); }, sum), std::runtime_error);
    EXPECT_EQ(batches, 1U);
  });
}

/// Functions that take 1 ms per entry: a batch of several hundred entries would take half a second.
TEST_F(DataframeTest, endsBetweenEntriesOfSlowFunctions) {
  std::atomic<std::size_t> calls = 0;
  const auto slowly = [&](auto value) {
    ++calls;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return value;
  };
  const auto ofEntry = [&](float met) { return slowly(met); };
  const auto ofList = [&](Array<float> pt) { return slowly(static_cast<int>(pt.size())); };
  const auto ofObject = [&](float pt) { return slowly(pt); };
  const auto ofObjectInEntry = [&](float pt, float met) { return slowly(pt * met); };
  const auto add = [&](double sum, float pt) { return sum + slowly(pt); };
  const auto sums = [](double a, double b) { return a + b; };
  const Dataframe all = events();
  const auto expectSoon = [&](const auto& result) {
    calls = 0;
    EXPECT_THROW(run([](double) { throw std::runtime_error("enough"); }, result),
                 std::runtime_error);
    EXPECT_GT(calls, 0U);
    EXPECT_LT(calls, 200U * threads());
  };
  expectSoon(all.define("x", ofEntry, {"MET_pt"}).sum("x"));
  expectSoon(all.define("x", ofList, {"Muon.pt"}).sum("x"));
  expectSoon(all.define("x", ofObject, {"Muon.pt"}).sum("x"));
  expectSoon(all.define("x", ofObjectInEntry, {"Muon.pt", "MET_pt"}).sum("x"));
  expectSoon(all.filter("run >= 0").filter("MET_pt > 1").define("x", ofEntry, {"MET_pt"}).sum("x"));
  expectSoon(all.aggregate(0., add, sums, {"MET_pt"}));
  expectSoon(all.reduce([&](float a, float b) { return a + slowly(b); }, "MET_pt"));
}

TEST_F(DataframeTest, endsAllThreadsSoonAfterAnException) {
  std::atomic<std::size_t> calls = 0;
  const auto slow = [&](std::uint64_t entry) {
    ++calls;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    if (entry == 20)
      throw std::runtime_error("no");
    return entry;
  };
  oneapi::tbb::task_arena two(2);
  two.execute([&] {
    const auto sum = events().define("x", slow, {"dataset.entry"}).sum("x");
    expectError(ErrorKind::usage, "entry 20, column 'x': no", [&] { (void)*sum; });
  });
  EXPECT_LT(calls, 2'000U);
}

TEST_F(DataframeTest, saysWhereAnythingIsThrown) {
  const auto throwing = events().define("y",
                                        [](std::int32_t run) {
                                          if (run == 77)
                                            throw 7; // NOLINT(hicpp-exception-baseclass)
                                          return run;
                                        },
                                        {"run"});
  const auto sum = throwing.sum("y");
  expectError(ErrorKind::usage, "entry 770, column 'y': an exception that is not derived",
              [&] { (void)*sum; });
}

} // namespace
} // namespace kaon
