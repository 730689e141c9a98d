#include <kaon/expression/ValueBounds.h>

#include "expression/TestColumns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace kaon::expression {
namespace {

using test::Lists;
using test::TestColumns;

/// Returns whether an expression can hold for MET_pt in [10, 20], run in [5, 8] and Muon.pt in [3,
/// 30].
bool canHold(const std::string& text) {
  TestColumns columns;
  columns.add<float>("MET_pt", std::vector<float>{10});
  columns.add<float>("x", std::vector<float>{10}); // without bounds
  columns.add<std::int32_t>("run", std::vector<std::int32_t>{5});
  columns.add<float>("Muon.pt", Lists<float>{{3}});
  const std::map<std::string, ValueBounds> known = {
      {"MET_pt", {10, 20, false}}, {"run", {5, 8}}, {"Muon.pt", {3, 30, false}}};
  return expression::canHold(
      Expression(text, columns), [&](const Input& input) -> std::optional<ValueBounds> {
        const auto found = known.find(input.name);
        return found == known.end() ? std::nullopt : std::optional(found->second);
      });
}

TEST(Bounds, tellWhetherAComparisonCanHold) {
  EXPECT_TRUE(canHold("MET_pt > 19"));
  EXPECT_FALSE(canHold("MET_pt > 20"));
  EXPECT_TRUE(canHold("MET_pt >= 20"));
  EXPECT_FALSE(canHold("MET_pt < 10"));
  EXPECT_TRUE(canHold("MET_pt <= 10"));
  EXPECT_FALSE(canHold("MET_pt == 21"));
  EXPECT_FALSE(canHold("20 < MET_pt < 30"));
  EXPECT_FALSE(canHold("run == 4"));
  EXPECT_TRUE(canHold("run != 5"));
  EXPECT_FALSE(canHold("run in (1, 2, 9)"));
  EXPECT_TRUE(canHold("x > 1000"));
  EXPECT_TRUE(canHold("MET_pt > x"));
}

TEST(Bounds, goThroughLogicAndArithmetic) {
  EXPECT_FALSE(canHold("MET_pt > 15 and run > 8"));
  EXPECT_TRUE(canHold("MET_pt > 15 or run > 8"));
  EXPECT_FALSE(canHold("MET_pt > 25 or run > 8"));
  EXPECT_FALSE(canHold("not run < 9"));
  EXPECT_FALSE(canHold("x > 3 and run > 8"));
  EXPECT_TRUE(canHold("not x > 3"));
  EXPECT_FALSE(canHold("MET_pt + run > 28.001"));
  EXPECT_TRUE(canHold("MET_pt + run >= 28"));
  EXPECT_FALSE(canHold("MET_pt * 2 > 41"));
  EXPECT_FALSE(canHold("MET_pt / 2 < 4.9"));
  EXPECT_FALSE(canHold("-MET_pt > -9"));
  EXPECT_FALSE(canHold("abs(MET_pt - 15) > 5.1"));
  EXPECT_FALSE(canHold("min(MET_pt, x) > 20"));
  EXPECT_FALSE(canHold("run - run > 3"));
  EXPECT_FALSE(canHold("False"));
}

/// Near the limit of float64, multiplying by 1 / y, which has few digits, would give another
/// number.
TEST(Bounds, haveQuotientsAsTheyAreComputed) {
  TestColumns columns;
  columns.add("x", std::vector<double>{1e306});
  columns.add("y", std::vector<double>{6.52e307});
  const std::string text = "x / y == 0.015337423312883437";
  ASSERT_EQ(columns.valuesOf(text), "[True]");
  EXPECT_TRUE(expression::canHold(Expression(text, columns), [](const Input& input) {
    const double value = input.name == "x" ? 1e306 : 6.52e307;
    return std::optional(ValueBounds{value, value, false});
  }));
}

TEST(Bounds, knowFunctionsOfLists) {
  EXPECT_FALSE(canHold("any(Muon.pt > 30)"));
  EXPECT_TRUE(canHold("any(Muon.pt > 29)"));
  EXPECT_FALSE(canHold("count(Muon[Muon.pt > 30]) >= 1"));
  EXPECT_FALSE(canHold("max(Muon.pt) > 30"));
  EXPECT_TRUE(canHold("max(Muon.pt) < 3")); // for an empty list
  EXPECT_TRUE(canHold("all(Muon.pt > 30)"));
  EXPECT_FALSE(canHold("count(Muon) > 0 and Muon.pt[0] > 30"));
  EXPECT_FALSE(canHold("first(Muon.pt, 0) > 30"));
  EXPECT_TRUE(canHold("sum(Muon.pt) > 1000"));
}

TEST(Bounds, mindThatComparisonsWithNanAreFalse) {
  TestColumns columns;
  columns.add<float>("x", std::vector<float>{1});
  const ValueBounds some{5, 6, true}, none{5, 6, false};
  const auto holds = [&](const char* text, const ValueBounds& extremes) {
    return expression::canHold(Expression(text, columns),
                               [&](const Input&) { return std::optional(extremes); });
  };
  EXPECT_TRUE(holds("not x > 4", some));
  EXPECT_FALSE(holds("not x > 4", none));
  EXPECT_TRUE(holds("x != x", some));
  EXPECT_FALSE(holds("x < 4", some));
}

TEST(Bounds, knowWhichCharactersTextsHave) {
  TestColumns columns;
  columns.addTexts("title", std::vector<std::string>{"bad"});
  const auto holds = [&](const char* text) {
    return expression::canHold(Expression(text, columns), [](const Input&) {
      return std::optional(ValueBounds{'a', 'd', false});
    });
  };
  EXPECT_TRUE(holds("title == 'cab'"));
  EXPECT_FALSE(holds("title == 'ace'"));
  EXPECT_FALSE(holds("'ace' == title"));
  EXPECT_FALSE(holds("title in ('even', '\xc3\xa9')"));
  EXPECT_TRUE(holds("title in ('even', '')"));
  EXPECT_TRUE(holds("title != 'ace'"));
  EXPECT_FALSE(holds("not title != 'ace'"));
  EXPECT_TRUE(holds("not title == 'ace'"));
  EXPECT_TRUE(holds("title < 'ace'"));
  EXPECT_TRUE(holds("title == title"));
}

/// If an expression holds for an entry, the extremes of the entries must not exclude it.
TEST(Bounds, neverExcludeEntriesThatPass) {
  std::mt19937 engine(7);
  const auto below = [&](unsigned limit) { return static_cast<int>(engine() % limit); };
  const std::vector<std::string> leaves = {"x", "y", "n", "1", "0.1", "-3"};
  const std::function<std::string(unsigned)> number = [&](unsigned depth) -> std::string {
    if (depth == 0)
      return leaves[engine() % leaves.size()];
    const std::string a = number(depth - 1), b = number(depth - 1);
    switch (below(7)) {
    case 0:
      return "(" + a + " + " + b + ")";
    case 1:
      return "(" + a + " - " + b + ")";
    case 2:
      return "(" + a + " * " + b + ")";
    case 3:
      return "(" + a + " / " + b + ")";
    case 4:
      return "abs(" + a + ")";
    case 5:
      return "max(" + a + ", " + b + ")";
    default:
      return "(" + a + " if " + b + " > 0 else " + b + ")";
    }
  };
  const std::function<std::string(unsigned)> condition = [&](unsigned depth) -> std::string {
    constexpr const char* signs[] = {" < ", " <= ", " == ", " != ", " > "};
    if (depth == 0)
      return "(" + number(2) + signs[below(5)] + number(1) + ")";
    const std::string a = condition(depth - 1), b = condition(depth - 1);
    const int which = below(3);
    return which == 0 ? "(not " + a + ")" : "(" + a + (which == 1 ? " and " : " or ") + b + ")";
  };
  unsigned excluded = 0;
  for (int i = 0; i < 5'000; ++i) {
    TestColumns columns;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const int shift = below(9) - 4;
    std::map<std::string, ValueBounds> known;
    std::vector<float> x, y;
    std::vector<std::int32_t> n;
    for (int entry = 0; entry < 5; ++entry) {
      x.push_back(static_cast<float>(below(7) + shift) / 10);
      y.push_back(below(9) == 0 ? nan : static_cast<float>(below(5)));
      n.push_back(below(4) + shift);
    }
    ValueBounds ofY{9, -9, false};
    for (const float value : y)
      if (std::isnan(value))
        ofY.mayBeNan = true;
      else
        ofY = {std::min<double>(ofY.least, value), std::max<double>(ofY.greatest, value),
               ofY.mayBeNan};
    known["x"] = {std::ranges::min(x), std::ranges::max(x), false};
    known["n"] = {double(std::ranges::min(n)), double(std::ranges::max(n)), false};
    known["y"] = ofY;
    columns.add("x", x);
    columns.add("y", y);
    columns.add("n", n);
    const std::string text = condition(2);
    const bool can = expression::canHold(Expression(text, columns), [&](const Input& input) {
      return std::optional(known.at(input.name));
    });
    excluded += can ? 0 : 1;
    if (!can) {
      ASSERT_EQ(columns.valuesOf(text), "[False, False, False, False, False]") << text;
    }
  }
  EXPECT_GT(excluded, 100U);
}

} // namespace
} // namespace kaon::expression
