#include <kaon/detail/expression/Evaluation.h>
#include <kaon/expression/Optionals.h>
#include <kaon/expression/ValueBounds.h>

#include "expression/TestColumns.h"
#include "support/Errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace kaon::expression {
namespace {

using kaon::test::expectError;
using test::Lists;
using test::TestColumns;

/// Returns three events with three, no and two hits. Missing times are stored as 0.
TestColumns events() {
  TestColumns columns;
  columns.add<float>("H.energy", Lists<float>{{1, 2, 3}, {}, {4, 5}});
  columns.add<float>("H.time.value", Lists<float>{{1.5F, 0, 4}, {}, {0, 0}});
  columns.add<bool>("H.time.has_value", Lists<bool>{{true, false, true}, {}, {false, false}});
  columns.addOptional("H.time");
  columns.add<std::int32_t>("H.n.value", Lists<std::int32_t>{{0, 7, 0}, {}, {3, 0}});
  columns.add<bool>("H.n.has_value", Lists<bool>{{true, true, false}, {}, {true, false}});
  columns.addOptional("H.n");
  columns.add<bool>("H.good.value", Lists<bool>{{true, false, false}, {}, {true, true}});
  columns.add<bool>("H.good.has_value", Lists<bool>{{true, true, false}, {}, {true, true}});
  columns.addOptional("H.good");
  columns.add<float>("H.at.value.x", Lists<float>{{1, 0, 3}, {}, {0, 5}});
  columns.add<float>("H.at.value.y", Lists<float>{{2, 0, 4}, {}, {0, 12}});
  columns.add<bool>("H.at.has_value", Lists<bool>{{true, false, true}, {}, {false, true}});
  columns.addOptional("H.at");
  columns.add<std::int32_t>("H.best", Lists<std::int32_t>{{2, 1, -1}, {}, {1, 0}});
  columns.add<float>("start.value", std::vector<float>{0, 2, 0});
  columns.add<bool>("start.has_value", std::vector<bool>{false, true, true});
  columns.addOptional("start");
  columns.add<float>("MET", std::vector<float>{10, 20, 30});
  return columns;
}

TEST(Optionals, areMissingWhereTheyAre) {
  const TestColumns e = events();
  EXPECT_EQ(e.valuesOf("H.time"), "[[1.5, None, 4], [], [None, None]]");
  EXPECT_EQ(e.valuesOf("start"), "[None, 2, 0]");
  EXPECT_EQ(e.valuesOf("H.at.x"), "[[1, None, 3], [], [None, 5]]");
  EXPECT_EQ(e.valuesOf("H.n"), "[[0, 7, None], [], [3, None]]");
  EXPECT_EQ(e.typeOf("H.time"), "list of float32");
}

TEST(Optionals, arithmeticWithMissingValuesIsMissing) {
  const TestColumns e = events();
  EXPECT_EQ(e.valuesOf("H.time + 1"), "[[2.5, None, 5], [], [None, None]]");
  EXPECT_EQ(e.valuesOf("-H.time"), "[[-1.5, None, -4], [], [None, None]]");
  EXPECT_EQ(e.valuesOf("H.time * H.n"), "[[0, None, None], [], [None, None]]");
  EXPECT_EQ(e.valuesOf("H.energy + start"), "[[None, None, None], [], [4, 5]]");
  EXPECT_EQ(e.valuesOf("H.time + start"), "[[None, None, None], [], [None, None]]");
  EXPECT_EQ(e.valuesOf("sqrt(H.n)"), "[[0, 2.64575, None], [], [1.73205, None]]");
  EXPECT_EQ(e.valuesOf("H.n ** 2"), "[[0, 49, None], [], [9, None]]");
  EXPECT_EQ(e.valuesOf("H.n & 1"), "[[0, 1, None], [], [1, None]]");
  EXPECT_EQ(e.valuesOf("abs(H.n - 5)"), "[[5, 2, None], [], [2, None]]");
  EXPECT_EQ(e.valuesOf("int(H.time)"), "[[1, None, 4], [], [None, None]]");
  EXPECT_EQ(e.valuesOf("min(H.time, 2)"), "[[1.5, None, 2], [], [None, None]]");
  EXPECT_EQ(e.valuesOf("atan2(H.at.y, H.at.x) > 1.1"), "[[True, False, False], [], [False, True]]");
  EXPECT_EQ(e.valuesOf("hypot(H.at.x, H.at.y)"), "[[2.23607, None, 5], [], [None, 13]]");
  EXPECT_EQ(e.valuesOf("H.time - H.time"), "[[0, None, 0], [], [None, None]]");
}

TEST(Optionals, testsOfMissingValuesAreFalse) {
  const TestColumns e = events();
  EXPECT_EQ(e.valuesOf("H.time > 3"), "[[False, False, True], [], [False, False]]");
  EXPECT_EQ(e.valuesOf("H.time < 3"), "[[True, False, False], [], [False, False]]");
  EXPECT_EQ(e.valuesOf("H.time != 3"), "[[True, False, True], [], [False, False]]");
  EXPECT_EQ(e.valuesOf("H.time == H.time"), "[[True, False, True], [], [False, False]]");
  EXPECT_EQ(e.valuesOf("not (H.time > 3)"), "[[True, True, False], [], [True, True]]");
  EXPECT_EQ(e.valuesOf("-1 < H.time < 3"), "[[True, False, False], [], [False, False]]");
  EXPECT_EQ(e.valuesOf("H.n in (0, 7)"), "[[True, True, False], [], [False, False]]");
  EXPECT_EQ(e.valuesOf("H.n not in (0, 7)"), "[[False, False, True], [], [True, True]]");
  EXPECT_EQ(e.valuesOf("isnan(H.time)"), "[[False, False, False], [], [False, False]]");
  EXPECT_EQ(e.valuesOf("isfinite(H.time)"), "[[True, False, True], [], [False, False]]");
  EXPECT_EQ(e.valuesOf("not H.good"), "[[False, True, True], [], [False, False]]");
  EXPECT_EQ(e.valuesOf("H.good and H.energy > 0"), "[[True, False, False], [], [True, True]]");
  EXPECT_EQ(e.valuesOf("H.good | (H.energy > 2)"), "[[True, False, True], [], [True, True]]");
  EXPECT_EQ(e.valuesOf("H.n and True"), "[[False, True, False], [], [True, False]]");
  EXPECT_EQ(e.valuesOf("start >= 0"), "[False, True, True]");
}

TEST(Optionals, areLeftOutOfReductions) {
  const TestColumns e = events();
  EXPECT_EQ(e.valuesOf("count(H.time)"), "[2, 0, 0]");
  EXPECT_EQ(e.valuesOf("count(H)"), "[3, 0, 2]");
  EXPECT_EQ(e.valuesOf("count(H.at)"), "[2, 0, 1]");
  EXPECT_EQ(e.valuesOf("sum(H.time)"), "[5.5, 0, 0]");
  EXPECT_EQ(e.valuesOf("mean(H.time)"), "[2.75, nan, nan]");
  EXPECT_EQ(e.valuesOf("min(H.time)"), "[1.5, inf, inf]");
  EXPECT_EQ(e.valuesOf("max(-H.time)"), "[-1.5, -inf, -inf]");
  EXPECT_EQ(e.valuesOf("prod(H.n)"), "[0, 1, 3]");
  EXPECT_EQ(e.valuesOf("any(H.good)"), "[True, False, True]");
  EXPECT_EQ(e.valuesOf("all(H.good)"), "[False, True, True]");
  EXPECT_EQ(e.valuesOf("argmax(H.time)"), "[2, -1, -1]");
  EXPECT_EQ(e.valuesOf("argmin(H.n)"), "[0, -1, 0]");
  EXPECT_EQ(e.valuesOf("argmax(H.at.x)"), "[2, -1, 1]");
  EXPECT_EQ(e.valuesOf("sum(H.time > 1)"), "[2, 0, 0]");
}

TEST(Optionals, haveDefaults) {
  const TestColumns e = events();
  EXPECT_EQ(e.valuesOf("has(H.time)"), "[[True, False, True], [], [False, False]]");
  EXPECT_EQ(e.valuesOf("has(H.energy)"), "[[True, True, True], [], [True, True]]");
  EXPECT_EQ(e.valuesOf("has(MET)"), "[True, True, True]");
  EXPECT_EQ(e.valuesOf("has(H.at)"), "[[True, False, True], [], [False, True]]");
  EXPECT_EQ(e.valuesOf("has(H.time + start)"), "[[False, False, False], [], [False, False]]");
  EXPECT_EQ(e.valuesOf("default(H.time, -1)"), "[[1.5, -1, 4], [], [-1, -1]]");
  EXPECT_EQ(e.valuesOf("default(H.time, H.n)"), "[[1.5, 7, 4], [], [3, None]]");
  EXPECT_EQ(e.valuesOf("default(H.time, MET)"), "[[1.5, 10, 4], [], [30, 30]]");
  EXPECT_EQ(e.valuesOf("default(H.energy, 0)"), "[[1, 2, 3], [], [4, 5]]");
  EXPECT_EQ(e.valuesOf("H.time if has(H.time) else H.energy"), "[[1.5, 2, 4], [], [4, 5]]");
  EXPECT_FALSE(Expression("H.time if has(H.time) else 0", e).mayBeMissing());
  EXPECT_EQ(e.valuesOf("H.time if H.energy > 2 else 0"), "[[0, 0, 4], [], [None, None]]");
  EXPECT_EQ(e.valuesOf("where(H.energy > 2, 0, H.time)"), "[[1.5, None, 0], [], [0, 0]]");
}

TEST(Optionals, areSelected) {
  const TestColumns e = events();
  EXPECT_EQ(e.valuesOf("H.time[has(H.time)]"), "[[1.5, 4], [], []]");
  EXPECT_EQ(e.valuesOf("H[has(H.time)].energy"), "[[1, 3], [], []]");
  EXPECT_EQ(e.valuesOf("H[H.energy > 1].time"), "[[None, 4], [], [None, None]]");
  EXPECT_EQ(e.valuesOf("H[H.energy > 1].at.x"), "[[None, 3], [], [None, 5]]");
  EXPECT_EQ(e.valuesOf("has(H[H.energy > 1].at)"), "[[False, True], [], [False, True]]");
  EXPECT_EQ(e.valuesOf("H.at[H.energy > 1].y"), "[[None, 4], [], [None, 12]]");
  EXPECT_EQ(e.valuesOf("H[H.good].energy"), "[[1], [], [4, 5]]");
  EXPECT_EQ(e.valuesOf("H.time[:2]"), "[[1.5, None], [], [None, None]]");
  EXPECT_EQ(e.valuesOf("H.time[1] if count(H) > 1 else -1"), "[None, -1, None]");
  EXPECT_EQ(e.valuesOf("first(H.time, -1)"), "[1.5, -1, None]");
  EXPECT_EQ(e.valuesOf("get(H.energy, 2, start)"), "[3, 2, 0]");
  EXPECT_EQ(e.valuesOf("get(H.energy, 7, start)"), "[None, 2, 0]");
  EXPECT_EQ(e.valuesOf("get(H.time, 1, start)"), "[None, 2, None]");
  EXPECT_EQ(e.valuesOf("take(H.time, H.best, 9)"), "[[4, None, 9], [], [None, None]]");
  EXPECT_EQ(e.valuesOf("concatenate(H.time, H.energy)"),
            "[[1.5, None, 4, 1, 2, 3], [], [None, None, 4, 5]]");
  EXPECT_EQ(e.valuesOf("combinations(H, 2).first.time"), "[[1.5, 1.5, None], [], [None]]");
  EXPECT_EQ(e.valuesOf("sum(pairs(H, H).second.time)"), "[[5.5, 5.5, 5.5], [], [0, 0]]");
  const auto refused = [&](const std::string& text, const std::string& part) {
    expectError(ErrorKind::type, part, [&] { (void)Expression(text, e); });
  };
  refused("H.energy[H.n]", "an index must not be missing; write default(H.n, -1)");
  refused("sort(H.time)", "'H.time' may be missing, which is not allowed here");
  refused("has(H)", "objects, which are never missing");
}

/// Adds optional arrays of two values, per hit and per event.
TestColumns arrays() {
  TestColumns e = events();
  e.add<float>("H.range.value",
               std::vector<Lists<float>>{{{1, 2}, {0, 0}, {3, 4}}, {}, {{0, 0}, {0, 5}}});
  e.add<bool>("H.range.has_value", Lists<bool>{{true, false, true}, {}, {false, true}});
  e.addOptional("H.range");
  e.add<float>("H.at.value.ends",
               std::vector<Lists<float>>{{{1, 2}, {0, 0}, {3, 4}}, {}, {{0, 0}, {0, 5}}});
  e.add<float>("H.plain",
               std::vector<Lists<float>>{{{1, 1}, {2, 2}, {3, 3}}, {}, {{4, 4}, {5, 5}}});
  e.add<float>("window.value", Lists<float>{{3, 4}, {0, 0}, {5, 6}});
  e.add<bool>("window.has_value", std::vector<bool>{true, false, true});
  e.addOptional("window");
  return e;
}

TEST(OptionalArrays, areMissingAsAWhole) {
  const TestColumns e = arrays();
  EXPECT_EQ(e.valuesOf("H.range"), "[[[1, 2], None, [3, 4]], [], [None, [0, 5]]]");
  EXPECT_EQ(e.valuesOf("H.at.ends"), "[[[1, 2], None, [3, 4]], [], [None, [0, 5]]]");
  EXPECT_EQ(e.valuesOf("window"), "[[3, 4], None, [5, 6]]");
  EXPECT_EQ(e.valuesOf("has(H.range)"), "[[True, False, True], [], [False, True]]");
  EXPECT_EQ(e.valuesOf("has(window)"), "[True, False, True]");
  EXPECT_EQ(e.valuesOf("default(window, -1)"), "[[3, 4], [-1, -1], [5, 6]]");
  EXPECT_EQ(e.valuesOf("default(H.range, H.plain)"),
            "[[[1, 2], [2, 2], [3, 4]], [], [[4, 4], [0, 5]]]");
  EXPECT_EQ(e.valuesOf("default(H.range, H.at.ends)"),
            "[[[1, 2], None, [3, 4]], [], [None, [0, 5]]]");
  EXPECT_FALSE(Expression("default(window, 0)", e).mayBeMissing());
  EXPECT_FALSE(Expression("window if has(window) else 0", e).mayBeMissing());
}

TEST(OptionalArrays, haveMissingValues) {
  const TestColumns e = arrays();
  EXPECT_EQ(e.valuesOf("window + 1"), "[[4, 5], None, [6, 7]]");
  EXPECT_EQ(e.valuesOf("-H.range * H.plain"),
            "[[[-1, -2], None, [-9, -12]], [], [None, [-0, -25]]]");
  EXPECT_EQ(e.valuesOf("H.range + H.at.ends"), "[[[2, 4], None, [6, 8]], [], [None, [0, 10]]]");
  EXPECT_EQ(e.valuesOf("window + start"), "[[None, None], None, [5, 6]]");
  EXPECT_EQ(e.valuesOf("has(window + start)"), "[[False, False], [False, False], [True, True]]");
  for (const char* reduction : {"sum", "mean", "min", "max", "prod", "argmax"})
    EXPECT_TRUE(e.valuesOf(std::string(reduction) + "(window)").find(", None, ") !=
                std::string::npos);
  EXPECT_EQ(e.valuesOf("count(window)"), "[2, None, 2]");
  EXPECT_EQ(e.valuesOf("count(H.range)"), "[[2, None, 2], [], [None, 2]]");
  EXPECT_EQ(e.valuesOf("sum(sum(H.range))"), "[10, 0, 5]");
  EXPECT_EQ(e.valuesOf("sum(has(H.range))"), "[2, 0, 1]");
  EXPECT_EQ(e.valuesOf("sort(-H.range)"), "[[[-2, -1], None, [-4, -3]], [], [None, [-5, -0]]]");
  EXPECT_EQ(e.valuesOf("index(window)"), "[[0, 1], None, [0, 1]]");
  EXPECT_EQ(e.valuesOf("concatenate(window, window)"), "[[3, 4, 3, 4], None, [5, 6, 5, 6]]");
}

TEST(OptionalArrays, doNotPassTests) {
  const TestColumns e = arrays();
  EXPECT_EQ(e.valuesOf("window > -1"), "[[True, True], [False, False], [True, True]]");
  EXPECT_EQ(e.valuesOf("not (window > 4)"), "[[True, True], [True, True], [False, False]]");
  EXPECT_EQ(e.valuesOf("any(window > -1)"), "[True, False, True]");
  EXPECT_EQ(e.valuesOf("all(window > -1)"), "[True, False, True]");
  EXPECT_EQ(e.valuesOf("sum(window) > -1"), "[True, False, True]");
  EXPECT_EQ(e.valuesOf("window[0] < 9"), "[True, False, True]");
  EXPECT_EQ(e.valuesOf("isnan(window)"), "[[False, False], [False, False], [False, False]]");
  EXPECT_EQ(e.valuesOf("H[sum(H.range) > 2].energy"), "[[1, 3], [], [5]]");
}

TEST(OptionalArrays, areSelected) {
  const TestColumns e = arrays();
  EXPECT_EQ(e.valuesOf("window[0]"), "[3, None, 5]");
  EXPECT_EQ(e.valuesOf("window[window > 3]"), "[[4], None, [5, 6]]");
  EXPECT_EQ(e.valuesOf("window[window > 3][0]"), "[4, None, 5]"); // no error for missing lists
  EXPECT_EQ(e.valuesOf("first(window[window > 3])"), "[4, None, 5]");
  EXPECT_EQ(e.valuesOf("first(H.range[H.range > 1])"), "[[2, None, 3], [], [None, 5]]");
  EXPECT_EQ(e.valuesOf("first(window, 9)"), "[3, None, 5]"); // default for shorter lists
  EXPECT_EQ(e.valuesOf("get(H.range, 2, 9)"), "[[9, None, 9], [], [None, 9]]");
  EXPECT_EQ(e.valuesOf("window[:1]"), "[[3], None, [5]]");
  EXPECT_EQ(e.valuesOf("take(window, H.best, 7)"), "[[7, 4, 7], None, [6, 5]]");
  EXPECT_EQ(e.valuesOf("H.range[H.energy > 1]"), "[[None, [3, 4]], [], [None, [0, 5]]]");
  EXPECT_EQ(e.valuesOf("H[H.energy > 1].at.ends"), "[[None, [3, 4]], [], [None, [0, 5]]]");
  EXPECT_EQ(e.valuesOf("H[1].range if count(H) > 1 else -1"), "[None, [], [0, 5]]");
  EXPECT_EQ(e.valuesOf("H.range[1][0] if count(H) > 1 else -1"), "[None, -1, 0]");
  EXPECT_EQ(e.valuesOf("combinations(H, 2).second.range"),
            "[[None, [3, 4], [3, 4]], [], [[0, 5]]]");
  EXPECT_EQ(e.valuesOf("where(MET > 25, window, 1)"), "[[1, 1], [1, 1], [5, 6]]");
  EXPECT_EQ(e.valuesOf("where(MET > 15, window, 1)"), "[[1, 1], None, [5, 6]]");
  EXPECT_EQ(e.valuesOf("where(window > 3, 1, window)"), "[[3, 1], [None, None], [1, 1]]");
}

TEST(OptionalArrays, areFollowedByRelations) {
  TestColumns e = arrays();
  e.add<float>("K.range", std::vector<Lists<float>>{{{7, 8}}, {{8, 9}}, {{0, 1}}});
  e.add<std::int32_t>("T.hit.index", Lists<std::int32_t>{{0, 1, -1}, {0}, {0, 0, 1}});
  e.add<std::uint32_t>("T.hit.collection", Lists<std::uint32_t>{{1, 1, 0}, {2}, {1, 2, 1}});
  e.addRelation("T.hit", {{"H", 1}});
  e.add<std::int32_t>("T.any.index", Lists<std::int32_t>{{0, 1, -1}, {0}, {0, 0, 1}});
  e.add<std::uint32_t>("T.any.collection", Lists<std::uint32_t>{{1, 1, 0}, {2}, {1, 2, 1}});
  e.addRelation("T.any", {{"H", 1}, {"K", 2}});
  EXPECT_EQ(e.valuesOf("T.hit.range"), "[[[1, 2], None, None], [None], [None, None, [0, 5]]]");
  EXPECT_EQ(e.valuesOf("T.any.range"), "[[[1, 2], None, None], [[8, 9]], [None, [0, 1], [0, 5]]]");
  EXPECT_EQ(e.valuesOf("sum(T.any.range)"), "[[3, None, None], [17], [None, 1, 5]]");
}

TEST(Optionals, areFollowedByRelations) {
  TestColumns e = events();
  e.add<float>("K.time.value", Lists<float>{{7}, {8}, {0}});
  e.add<bool>("K.time.has_value", Lists<bool>{{true}, {true}, {false}});
  e.addOptional("K.time");
  e.add<float>("K.at.value.x", Lists<float>{{7}, {8}, {0}});
  e.add<bool>("K.at.has_value", Lists<bool>{{true}, {true}, {false}});
  e.addOptional("K.at");
  e.add<std::int32_t>("T.hit.index", Lists<std::int32_t>{{0, 1, -1}, {0}, {0, 0, 1}});
  e.add<std::uint32_t>("T.hit.collection", Lists<std::uint32_t>{{1, 1, 0}, {2}, {1, 2, 1}});
  e.addRelation("T.hit", {{"H", 1}});
  e.addRelation("T.any", {{"H", 1}, {"K", 2}});
  e.add<std::int32_t>("T.any.index", Lists<std::int32_t>{{0, 1, -1}, {0}, {0, 0, 1}});
  e.add<std::uint32_t>("T.any.collection", Lists<std::uint32_t>{{1, 1, 0}, {2}, {1, 2, 1}});
  EXPECT_EQ(e.valuesOf("T.hit.time"), "[[1.5, None, None], [None], [None, None, None]]");
  EXPECT_EQ(e.valuesOf("T.hit.at.x"), "[[1, None, None], [None], [None, None, 5]]");
  EXPECT_EQ(e.valuesOf("T.any.time"), "[[1.5, None, None], [8], [None, None, None]]");
  expectError(ErrorKind::type, "'at' of their objects may be missing",
              [&] { (void)Expression("T.any.at.x", e); });
}

TEST(Optionals, areConditionsThatAreFalseWhereTheyAreMissing) {
  const TestColumns e = events();
  EXPECT_FALSE(Expression("H.time > 3", e).mayBeMissing());
  const Expression good("first(H.good, False)", e);
  EXPECT_FALSE(good.asCondition().mayBeMissing());
}

/// The 0 stored for missing values may only widen bounds.
TEST(Optionals, boundsAllowForMissingValues) {
  const TestColumns e = events();
  const auto canHoldWith = [&](const std::string& text, double least, double greatest,
                               bool canBeMissing, bool canBeThere = true) {
    return canHold(Expression(text, e), [&](const Input& input) -> std::optional<ValueBounds> {
      if (input.name.ends_with(".has_value"))
        return ValueBounds{canBeMissing ? 0. : 1., canBeThere ? 1. : 0., false};
      return ValueBounds{least, greatest, false};
    });
  };
  EXPECT_FALSE(canHoldWith("any(H.time > 3)", 0, 2, true));
  EXPECT_TRUE(canHoldWith("any(H.time > 3)", 0, 4, true));
  EXPECT_FALSE(canHoldWith("any(H.time > 3)", 4, 5, true, false)); // all times are missing
  EXPECT_TRUE(canHoldWith("any(not (H.time > 3))", 4, 5, true));   // true for missing values
  EXPECT_FALSE(canHoldWith("any(not (H.time > 3))", 4, 5, false));
  EXPECT_TRUE(canHoldWith("any(default(H.time, 7) > 6)", 0, 1, true));
  EXPECT_FALSE(canHoldWith("any(default(H.time, 7) > 8)", 0, 1, true));
  EXPECT_TRUE(canHoldWith("any(not has(H.time))", 0, 1, true));
  EXPECT_FALSE(canHoldWith("any(not has(H.time))", 0, 1, false));
}

/// Compares with loops over std::optional.
TEST(Optionals, equalTheResultsOfLoops) {
  std::mt19937 random(7);
  const auto number = [&](int most) {
    return static_cast<int>(random() % static_cast<unsigned>(most));
  };
  Lists<float> x, a;
  Lists<bool> hasX, hasA;
  std::vector<std::vector<std::optional<float>>> xs, as;
  for (int entry = 0; entry < 300; ++entry) {
    for (auto* const lists : {&x, &a})
      lists->emplace_back();
    hasX.emplace_back(), hasA.emplace_back(), xs.emplace_back(), as.emplace_back();
    for (int i = number(6); i > 0; --i) {
      const auto add = [&](Lists<float>& values, Lists<bool>& has, auto& optionals) {
        const bool isThere = number(3) > 0;
        const auto value = static_cast<float>(number(9) - 3);
        values.back().push_back(isThere ? value : 0);
        has.back().push_back(isThere);
        optionals.back().push_back(isThere ? std::optional(value) : std::nullopt);
      };
      add(x, hasX, xs);
      add(a, hasA, as);
    }
  }
  TestColumns e;
  e.add<float>("H.x.value", x);
  e.add<bool>("H.x.has_value", hasX);
  e.add<float>("H.a.value", a);
  e.add<bool>("H.a.has_value", hasA);
  e.addOptional("H.x");
  e.addOptional("H.a");
  std::string sums = "[", products = "[", greatest = "[", chosen = "[";
  for (std::size_t entry = 0; entry < xs.size(); ++entry) {
    float sum = 0, product = 0, most = -std::numeric_limits<float>::infinity();
    int count = 0;
    for (std::size_t i = 0; i < xs[entry].size(); ++i) {
      const auto &one = xs[entry][i], &other = as[entry][i];
      sum += one.value_or(0);
      if (one && other)
        product += *one * *other;
      if (one)
        most = std::max(most, *one);
      count += !(one && *one > 1) && (other && *other <= 2) ? 1 : 0;
    }
    const auto append = [&](std::string& text, auto value) {
      std::ostringstream shown;
      shown << value;
      text += (entry > 0 ? ", " : "") + shown.str();
    };
    append(sums, sum), append(products, product), append(greatest, most), append(chosen, count);
  }
  EXPECT_EQ(e.valuesOf("sum(H.x)"), sums + "]");
  EXPECT_EQ(e.valuesOf("sum(H.x * H.a)"), products + "]");
  EXPECT_EQ(e.valuesOf("max(H.x)"), greatest + "]");
  EXPECT_EQ(e.valuesOf("sum(not (H.x > 1) and H.a <= 2)"), chosen + "]");
}

} // namespace
} // namespace kaon::expression
