#include <kaon/detail/expression/Evaluation.h>

#include "expression/TestColumns.h"
#include "support/Allocations.h"
#include "support/Errors.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::expression {
namespace {

using kaon::test::expectContains;
using test::Lists;
using test::TestColumns;

/// Returns three events with two, no and three muons.
TestColumns events() {
  TestColumns columns;
  columns.add<float>("Muon.pt", Lists<float>{{30, 10}, {}, {50, 40, 5}});
  columns.add<float>("Muon.eta", Lists<float>{{0, 1}, {}, {-1, 2, 0.5F}});
  columns.add<float>("Muon.phi", Lists<float>{{0, 3}, {}, {-3, 3, 1}});
  columns.add<float>("Muon.mass", Lists<float>{{0, 0}, {}, {0, 0, 0}});
  columns.add<std::int32_t>("Muon.charge", Lists<std::int32_t>{{1, -1}, {}, {1, 1, -1}});
  columns.add<float>("Jet.pt", Lists<float>{{100}, {25, 20}, {}});
  columns.add<float>("Jet.eta", Lists<float>{{1}, {0, 0}, {}});
  columns.add<float>("Jet.phi", Lists<float>{{3}, {0, 0}, {}});
  columns.add<std::int16_t>("Jet.muon", Lists<std::int16_t>{{1}, {-1, -1}, {}});
  columns.add("Hits.charge", std::vector<Lists<float>>{{{1, 2}, {}}, {}, {{3}, {4, 5}}});
  columns.add<float>("MET_pt", std::vector<float>{15, 25, 35});
  columns.add<std::int32_t>("run", std::vector<std::int32_t>{1, 2, 3});
  columns.add<std::uint8_t>("flags", std::vector<std::uint8_t>{250, 5, 0});
  columns.add<std::uint64_t>("event", std::vector<std::uint64_t>{~std::uint64_t{0}, 10, 11});
  columns.add<bool>("trigger", std::vector<bool>{true, false, true});
  columns.add<double>("weight", std::vector<double>{0.5, -1, 2});
  return columns;
}

TEST(Evaluation, hasPythonsArithmetic) {
  const TestColumns e = events();
  EXPECT_EQ(e.valuesOf("run + 1"), "[2, 3, 4]");
  EXPECT_EQ(e.valuesOf("run / 2"), "[0.5, 1, 1.5]");
  EXPECT_EQ(e.valuesOf("-run // 2"), "[-1, -1, -2]");
  EXPECT_EQ(e.valuesOf("-run % 3"), "[2, 1, 0]");
  EXPECT_EQ(e.valuesOf("-7.5 % run"), "[0.5, 0.5, 1.5]");
  EXPECT_EQ(e.valuesOf("-7.5 // run"), "[-8, -4, -3]");
  EXPECT_EQ(e.valuesOf("run // 0 + run % 0"), "[0, 0, 0]");
  EXPECT_EQ(e.valuesOf("-weight // (1 / 0)"), "[-1, 0, -1]");     // rounds down, as Python does
  EXPECT_EQ(e.valuesOf("1 / (-weight // -3)"), "[inf, -1, inf]"); // divides by 0, not by -0
  EXPECT_EQ(e.valuesOf("-run ** 2"), "[-1, -4, -9]");
  EXPECT_EQ(e.valuesOf("2 ** run"), "[2, 4, 8]");
  EXPECT_EQ(e.valuesOf("run ** 3"), "[1, 8, 27]");
  EXPECT_EQ(e.valuesOf("2 ** 3 ** 0 + 0 * run"), "[2, 2, 2]");
  EXPECT_EQ(e.valuesOf("(run + 1) * 2 - 1"), "[3, 5, 7]");
  EXPECT_EQ(e.valuesOf("event % 2"), "[1, 0, 1]");
  EXPECT_EQ(e.valuesOf("flags * 100"), "[25000, 500, 0]");
  EXPECT_EQ(e.valuesOf("0x10 + 1_000 + run"), "[1017, 1018, 1019]");
}

TEST(Evaluation, hasPythonsLogic) {
  const TestColumns e = events();
  EXPECT_EQ(e.valuesOf("run == 2 or trigger and not run == 1"), "[False, True, True]");
  EXPECT_EQ(e.valuesOf("1 < run <= 3"), "[False, True, True]");
  EXPECT_EQ(e.valuesOf("run in (1, 3)"), "[True, False, True]");
  EXPECT_EQ(e.valuesOf("run not in [1, 3]"), "[False, True, False]");
  EXPECT_EQ(e.valuesOf("run if trigger else -run"), "[1, -2, 3]");
  EXPECT_EQ(e.valuesOf("where(trigger, run, 0.5)"), "[1, 0.5, 3]");
  EXPECT_EQ(e.valuesOf("(run == 2) | trigger"), "[True, True, True]");
  EXPECT_EQ(e.valuesOf("~trigger & True"), "[False, True, False]");
  EXPECT_EQ(e.valuesOf("flags & 4 | run << 1"), "[2, 4, 6]");
  EXPECT_EQ(e.valuesOf("flags >> 1 ^ 1"), "[124, 3, 1]");
  EXPECT_EQ(e.valuesOf("not flags"), "[False, False, True]");
  EXPECT_EQ(e.valuesOf("event > -1"), "[True, True, True]");
  EXPECT_EQ(e.valuesOf("True"), "[True, True, True]");
  EXPECT_EQ(e.valuesOf("-9223372036854775808 + 0 * run"),
            "[-9223372036854775808, -9223372036854775808, -9223372036854775808]");
}

/// The rules of docs/expressions.md for values that a type cannot hold.
TEST(Evaluation, hasRulesForOverflowAndUndefinedValues) {
  TestColumns e = events();
  constexpr auto least = std::numeric_limits<std::int64_t>::lowest();
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  e.add<std::int64_t>("id", std::vector<std::int64_t>{least, -7, most});
  e.add<std::int64_t>("bits", std::vector<std::int64_t>{64, -1, 63});
  EXPECT_EQ(e.valuesOf("id + 1"), "[-9223372036854775807, -6, -9223372036854775808]");
  EXPECT_EQ(e.valuesOf("id // -1"), "[-9223372036854775808, 7, -9223372036854775807]");
  EXPECT_EQ(e.valuesOf("id % -1"), "[0, 0, 0]");
  EXPECT_EQ(e.valuesOf("abs(id)"), "[-9223372036854775808, 7, 9223372036854775807]");
  EXPECT_EQ(e.valuesOf("0 - event"), "[1, 18446744073709551606, 18446744073709551605]");
  EXPECT_EQ(e.valuesOf("event + -1 < 10"), "[False, True, False]"); // as float64
  EXPECT_EQ(e.valuesOf("id << bits"), "[0, 0, -9223372036854775808]");
  EXPECT_EQ(e.valuesOf("id >> bits"), "[-1, -1, 0]");
  EXPECT_EQ(e.valuesOf("trigger + trigger"), "[2, 0, 2]");
  EXPECT_EQ(e.valuesOf("-trigger"), "[-1, 0, -1]");
  EXPECT_EQ(e.valuesOf("int(event)"), "[-1, 10, 11]");
  EXPECT_EQ(e.valuesOf("int(weight * 1e300) - id * 0"),
            "[9223372036854775807, -9223372036854775808, 9223372036854775807]");
  EXPECT_EQ(e.valuesOf("int(0 / (run - 1))"), "[0, 0, 0]"); // one of them converts NaN
  EXPECT_EQ(e.valuesOf("weight // 0"), "[inf, -inf, inf]");
  EXPECT_EQ(e.valuesOf("isnan(weight % 0) and isnan((run - run) / 1 // 0)"), "[True, True, True]");
  EXPECT_EQ(e.valuesOf("isnan(max(weight, 0 / (run - 1)))"), "[True, False, False]");
  expectContains(e.errorOf("run + 2 ** 63"), "beyond 64 bits");
  expectContains(e.errorOf("event & run"),
                 "no integer type has the values of both uint64 and int32; convert");
}

TEST(Evaluation, comparesIntegersOfAllTypesExactly) {
  TestColumns e = events();
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  e.add<std::int64_t>("id", std::vector<std::int64_t>{most, -1, 11});
  // 2^63 exceeds int64. As float64, it would equal the greatest of these values.
  EXPECT_EQ(e.valuesOf("id == 9223372036854775808"), "[False, False, False]");
  EXPECT_EQ(e.valuesOf("id >= 9223372036854775808"), "[False, False, False]");
  EXPECT_EQ(e.valuesOf("id < 9223372036854775808"), "[True, True, True]");
  EXPECT_EQ(e.valuesOf("9223372036854775808 > id"), "[True, True, True]");
  EXPECT_EQ(e.valuesOf("id != 18446744073709551615"), "[True, True, True]");
  EXPECT_EQ(e.valuesOf("9223372036854775807 < 9223372036854775808"), "[True, True, True]");
  EXPECT_EQ(e.valuesOf("event >= -1"), "[True, True, True]");
  EXPECT_EQ(e.valuesOf("-1 == event"), "[False, False, False]");
  // Compares columns; the values of `event` are 2^64 - 1, 10 and 11.
  EXPECT_EQ(e.valuesOf("id < event"), "[True, True, False]");
  EXPECT_EQ(e.valuesOf("id <= event"), "[True, True, True]");
  EXPECT_EQ(e.valuesOf("id == event"), "[False, False, True]");
  EXPECT_EQ(e.valuesOf("event != id"), "[True, True, False]");
  EXPECT_EQ(e.valuesOf("event > id"), "[True, True, False]");
  EXPECT_EQ(e.valuesOf("event >= id"), "[True, True, True]");
  EXPECT_EQ(e.valuesOf("event < run"), "[False, False, False]");
  EXPECT_EQ(e.valuesOf("Muon.charge < event"), "[[True, True], [], [True, True, True]]");
  EXPECT_EQ(e.valuesOf("event > Muon.charge"), "[[True, True], [], [True, True, True]]");
}

TEST(Evaluation, comparesTexts) {
  TestColumns e = events();
  const auto text = [](std::string_view s) {
    return std::vector<std::uint8_t>(s.begin(), s.end());
  };
  e.add<std::uint8_t>("title", Lists<std::uint8_t>{text("odd"), {}, text("odd \xc3\xa9")});
  e.add("label", std::vector<Lists<std::uint8_t>>{{text("b")}, {}, {text("a"), text("bb")}});
  EXPECT_EQ(e.valuesOf("title == 'odd'"), "[True, False, False]");
  EXPECT_EQ(e.valuesOf("'odd' != title"), "[False, True, True]");
  EXPECT_EQ(e.valuesOf("title == ''"), "[False, True, False]");
  EXPECT_EQ(e.valuesOf("title in ('odd \xc3\xa9', \"\")"), "[False, True, True]");
  EXPECT_EQ(e.valuesOf("title not in ['odd', 'even'] and run > 1"), "[False, True, True]");
  EXPECT_EQ(e.valuesOf("label == 'bb'"), "[[False], [], [False, True]]");
  EXPECT_EQ(e.valuesOf("any(label in ('a', 'b'))"), "[True, False, True]");
}

TEST(Evaluation, comparesTextsWithEachOther) {
  TestColumns e = events();
  e.addTexts("title", std::vector<std::string>{"odd", "", "odd \xc3\xa9"});
  e.addTexts("other", std::vector<std::string>{"odd", "even", "odd e"});
  e.addTexts("Track.tag", Lists<std::string>{{"odd", "b"}, {}, {"odd"}});
  e.addTexts("Track.truth", Lists<std::string>{{"b", "b"}, {}, {"od"}});
  e.addTexts("Track.words", std::vector<Lists<std::string>>{{{"b", "odd"}, {}}, {}, {{"", "od"}}});
  EXPECT_EQ(e.typeOf("title == other"), "bool");
  EXPECT_EQ(e.valuesOf("title == other"), "[True, False, False]");
  EXPECT_EQ(e.valuesOf("title != other"), "[False, True, True]");
  EXPECT_EQ(e.valuesOf("title < other"), "[False, True, False]"); // compares bytes, unsigned
  EXPECT_EQ(e.valuesOf("title <= other"), "[True, True, False]");
  EXPECT_EQ(e.valuesOf("'e' < other <= 'odd'"), "[True, True, False]");
  EXPECT_EQ(e.valuesOf("'f' > other"), "[False, True, False]");
  EXPECT_EQ(e.valuesOf("title in (other, '')"), "[True, True, False]");
  EXPECT_EQ(e.valuesOf("'a' < 'b' and run > 1"), "[False, True, True]");
  // Compares lists value by value, and a text with each text of a list.
  EXPECT_EQ(e.typeOf("Track.tag == Track.truth"), "list of bool");
  EXPECT_EQ(e.valuesOf("Track.tag == Track.truth"), "[[False, True], [], [False]]");
  EXPECT_EQ(e.valuesOf("Track.truth < Track.tag"), "[[True, False], [], [True]]");
  EXPECT_EQ(e.valuesOf("title == Track.tag"), "[[True, False], [], [False]]");
  EXPECT_EQ(e.valuesOf("title > Track.tag"), "[[False, True], [], [True]]");
  EXPECT_EQ(e.valuesOf("Track.words == Track.tag"), "[[[False, True], []], [], [[False, False]]]");
  EXPECT_EQ(e.valuesOf("Track.words <= title"), "[[[True, True], []], [], [[True, True]]]");
  EXPECT_EQ(e.valuesOf("sum(Track.tag == 'odd')"), "[1, 0, 1]");
  EXPECT_EQ(e.valuesOf("count(Track[Track.tag == Track.truth])"), "[1, 0, 0]");
  EXPECT_EQ(e.valuesOf("Track.tag[1] == 'b' if count(Track) > 1 else False"),
            "[True, False, False]");
  EXPECT_EQ(e.valuesOf("count(Track.words)"), "[[2, 0], [], [2]]"); // counts texts, not bytes
  EXPECT_EQ(e.valuesOf("index(Track.words)"), "[[[0, 1], []], [], [[0, 1]]]");
  EXPECT_EQ(e.valuesOf("index(Track.tag)"), "[[0, 1], [], [0]]");
  expectContains(e.errorOf("index(title)"), "'title' is not a list");
  e.addTexts("names", Lists<std::string>{{"odd"}, {}, {"odd", "b"}});
  expectContains(e.errorOf("Track.tag == names"), "Track.tag has 2 values and names 1 in entry 0");
}

TEST(Evaluation, goesThroughListsValueByValue) {
  const TestColumns e = events();
  EXPECT_EQ(e.valuesOf("Muon.pt * 2"), "[[60, 20], [], [100, 80, 10]]");
  EXPECT_EQ(e.valuesOf("Muon.pt > 20 and abs(Muon.eta) < 1.5"),
            "[[True, False], [], [True, False, False]]");
  EXPECT_EQ(e.valuesOf("Muon.pt - MET_pt"), "[[15, -5], [], [15, 5, -30]]");
  EXPECT_EQ(e.valuesOf("Hits.charge + run"), "[[[2, 3], []], [], [[6], [7, 8]]]");
  EXPECT_EQ(e.valuesOf("min(Muon.pt, MET_pt, 33)"), "[[15, 10], [], [33, 33, 5]]");
  EXPECT_EQ(e.valuesOf("Muon.pt if Muon.charge > 0 else 0"), "[[30, 0], [], [50, 40, 0]]");
}

TEST(Evaluation, reducesTheInnermostLists) {
  const TestColumns e = events();
  EXPECT_EQ(e.valuesOf("sum(Muon.pt)"), "[40, 0, 95]");
  EXPECT_EQ(e.valuesOf("sum(Muon.charge)"), "[0, 0, 1]");
  EXPECT_EQ(e.valuesOf("sum(Muon.pt > 20)"), "[1, 0, 2]");
  EXPECT_EQ(e.valuesOf("prod(Muon.pt)"), "[300, 1, 10000]");
  EXPECT_EQ(e.valuesOf("prod(Muon.charge)"), "[-1, 1, -1]");
  EXPECT_EQ(e.valuesOf("prod(Muon.pt > 7)"), "[1, 1, 0]");
  EXPECT_EQ(e.valuesOf("any(Muon.pt > 45)"), "[False, False, True]");
  EXPECT_EQ(e.valuesOf("all(Muon.pt > 7)"), "[True, True, False]");
  EXPECT_EQ(e.valuesOf("count(Muon)"), "[2, 0, 3]");
  EXPECT_EQ(e.valuesOf("max(Muon.pt)"), "[30, -inf, 50]");
  EXPECT_EQ(e.valuesOf("min(Muon.pt)"), "[10, inf, 5]");
  EXPECT_EQ(e.valuesOf("max(Muon.charge)"), "[1, -2147483648, 1]");
  EXPECT_EQ(e.valuesOf("isnan(mean(Hits.charge))"), "[[False, True], [], [False, False]]");
  EXPECT_EQ(e.valuesOf("min(Muon.pt > 20)"), "[False, True, False]");
  EXPECT_EQ(e.valuesOf("max(Muon.pt > 45)"), "[False, False, True]");
  EXPECT_EQ(e.valuesOf("argmax(Muon.pt)"), "[0, -1, 0]");
  EXPECT_EQ(e.valuesOf("argmin(Muon.pt)"), "[1, -1, 2]");
  EXPECT_EQ(e.valuesOf("count(Hits.charge)"), "[[2, 0], [], [1, 2]]");
  EXPECT_EQ(e.valuesOf("sum(sum(Hits.charge))"), "[3, 0, 12]");
}

TEST(Evaluation, keepsIntegersOfListsExact) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(), odd = (1LL << 53) + 1;
  TestColumns e;
  e.add<std::int64_t>("Hit.time", Lists<std::int64_t>{{odd, odd + 2}, {most, 2, -2}, {}});
  e.add<std::uint64_t>("Hit.id", Lists<std::uint64_t>{{~0ULL - 1, 1}, {1ULL << 63, 0, 5}, {}});
  e.add<std::int64_t>("late", std::vector<std::int64_t>{most, -5, odd});
  e.add<std::uint64_t>("id", std::vector<std::uint64_t>{~0ULL, 7, odd - 1});
  EXPECT_EQ(e.valuesOf("sum(Hit.time)"), "[18014398509481988, 9223372036854775807, 0]");
  EXPECT_EQ(e.valuesOf("sum(Hit.id)"), "[18446744073709551615, 9223372036854775813, 0]");
  EXPECT_EQ(e.valuesOf("mean(Hit.time) == 9007199254740994"), "[True, False, False]");
  EXPECT_EQ(e.valuesOf("prod(Hit.id[1:])"), "[1, 0, 1]");
  EXPECT_EQ(e.typeOf("min(late, id)"), "int64");
  EXPECT_EQ(e.typeOf("max(late, id)"), "uint64");
  EXPECT_EQ(e.valuesOf("min(late, id)"), "[9223372036854775807, -5, 9007199254740992]");
  EXPECT_EQ(e.valuesOf("max(late, id)"), "[18446744073709551615, 7, 9007199254740993]");
  EXPECT_EQ(e.typeOf("min(late, id, 1.5)"), "float64");
  const auto refused = [&](const std::string& text, const std::string& part) {
    kaon::test::expectError(ErrorKind::usage, part, [&] { (void)e.valuesOf(text); });
  };
  refused("sum(Hit.time[:2])", "'sum(Hit.time[:2])' is beyond int64 in entry 1");
  refused("sum(Hit.id | 9223372036854775808)", "is beyond uint64 in entry 0");
  refused("prod(Hit.time)", "is beyond int64 in entry 0");
}

TEST(Evaluation, selectsByConditions) {
  const TestColumns e = events();
  EXPECT_EQ(e.valuesOf("Muon.pt[Muon.pt > 20]"), "[[30], [], [50, 40]]");
  EXPECT_EQ(e.valuesOf("Muon[Muon.pt > 20].eta"), "[[0], [], [-1, 2]]");
  EXPECT_EQ(e.valuesOf("count(Muon[Muon.pt > 20 and abs(Muon.eta) < 2.4]) >= 2"),
            "[False, False, True]");
  EXPECT_EQ(e.valuesOf("Muon[Muon.pt > 7][Muon[Muon.pt > 7].charge > 0].pt"),
            "[[30], [], [50, 40]]");
  EXPECT_EQ(e.valuesOf("Hits.charge[Hits.charge > 1.5]"), "[[[2], []], [], [[3], [4, 5]]]");
  EXPECT_EQ(e.valuesOf("Hits.charge[count(Hits.charge) > 0]"), "[[[1, 2]], [], [[3], [4, 5]]]");
}

TEST(Evaluation, selectsByIndices) {
  const TestColumns e = events();
  EXPECT_EQ(e.valuesOf("Muon.pt[:2]"), "[[30, 10], [], [50, 40]]");
  EXPECT_EQ(e.valuesOf("Muon.pt[-2:]"), "[[30, 10], [], [40, 5]]");
  EXPECT_EQ(e.valuesOf("Muon.pt[1:-1]"), "[[], [], [40]]");
  EXPECT_EQ(e.valuesOf("first(Muon.pt, 0)"), "[30, 0, 50]");
  EXPECT_EQ(e.valuesOf("last(Muon.pt, -1)"), "[10, -1, 5]");
  EXPECT_EQ(e.valuesOf("get(Muon.pt, 2, MET_pt)"), "[15, 25, 5]");
  EXPECT_EQ(e.valuesOf("get(Muon.pt, argmax(Muon.eta), 0)"), "[10, 0, 40]");
  EXPECT_EQ(e.valuesOf("first(Hits.charge, 0)"), "[[1, 0], [], [3, 4]]");
  EXPECT_EQ(e.valuesOf("Muon.pt[argsort(Muon.eta)]"), "[[30, 10], [], [50, 5, 40]]");
  EXPECT_EQ(e.valuesOf("Muon[argsort(-Muon.pt)].charge[:1]"), "[[1], [], [1]]");
  EXPECT_EQ(e.valuesOf("sort(Muon.pt)"), "[[10, 30], [], [5, 40, 50]]");
  EXPECT_EQ(e.valuesOf("take(Muon.pt, Jet.muon, 0)"), "[[10], [0, 0], []]");
}

TEST(Evaluation, tellsWhereObjectsStandInTheirCollection) {
  TestColumns e = events();
  EXPECT_EQ(e.valuesOf("index(Muon)"), "[[0, 1], [], [0, 1, 2]]");
  EXPECT_EQ(e.valuesOf("index(Muon[Muon.charge > 0])"), "[[0], [], [0, 1]]");
  EXPECT_EQ(e.valuesOf("index(Muon[argsort(Muon.eta)])"), "[[0, 1], [], [0, 2, 1]]");
  EXPECT_EQ(e.valuesOf("index(combinations(Muon, 2).second)"), "[[1], [], [1, 2, 2]]");
  EXPECT_EQ(e.valuesOf("index(combinations(Muon, 2))"), "[[0], [], [0, 1, 2]]");
  EXPECT_EQ(e.valuesOf("index(Muon[-1]) if count(Muon) > 0 else 9"), "[1, 9, 2]");
  EXPECT_EQ(e.valuesOf("index(concatenate(Muon, Jet)[1:2])"), "[[1], [1], [1]]");
  e.addAlias("pair", "combinations(Muon, 2)");
  e.addAlias("best", "pair[argmax(pair.first.pt + pair.second.pt)]");
  e.addAlias("others", "Muon[index(Muon) != index(best.first)]");
  EXPECT_EQ(e.valuesOf("sum(others.pt) if count(pair) > 0 else -1"), "[10, -1, 45]");
  // Positions of values in their list. Texts have positions in lists, but their characters do not.
  EXPECT_EQ(e.valuesOf("index(Muon.pt[Muon.charge > 0])"), "[[0], [], [0, 1]]");
  EXPECT_EQ(e.valuesOf("index(Hits.charge)"), "[[[0, 1], []], [], [[0], [0, 1]]]");
  expectContains(e.errorOf("index(MET_pt)"), "'MET_pt' is not a list");
  expectContains(e.errorOf("index(Muon[0] + Muon[1])"), "is not a list");
  expectContains(e.errorOf("local_index(Muon)"), "write index(x)");
}

TEST(Evaluation, tellsTheEntryOfAnIndexThatIsOutOfRange) {
  TestColumns e = events();
  e.setFirstEntry(1000);
  EXPECT_EQ(e.errorOf("Muon.pt[0] > 20"),
            "'Muon.pt[0]': Muon has 0 values in entry 1001, so index 0 is out of range; filter "
            "these entries out, or give a default, as in get(list, index, default)");
  expectContains(e.errorOf("Muon.pt[-3] > 20"), "Muon has 2 values in entry 1000");
  expectContains(e.errorOf("take(Muon.pt, Jet.muon)"), "entry 1001");
  expectContains(e.errorOf("Muon.pt[argmax(Muon.pt)]"), "does not count from the end");
}

TEST(Evaluation, looksOnlyWhereAConditionLeavesItOpen) {
  const TestColumns e = events();
  EXPECT_EQ(e.valuesOf("count(Muon) > 0 and Muon.pt[0] > 40"), "[False, False, True]");
  EXPECT_EQ(e.valuesOf("count(Muon) == 0 or Muon.pt[1] > 20"), "[False, True, True]");
  EXPECT_EQ(e.valuesOf("Muon.pt[0] if count(Muon) > 0 else -1"), "[30, -1, 50]");
  EXPECT_EQ(e.valuesOf("Muon.pt[0] if False else MET_pt"), "[15, 25, 35]");
  EXPECT_EQ(e.valuesOf("1 < 2 or Muon.pt[0] > 7"), "[True, True, True]");
  EXPECT_NE(e.errorOf("Muon.pt[0] if True else MET_pt"), "");
  EXPECT_EQ(e.valuesOf("count(Muon) >= 2 and Muon.pt[2 if count(Muon) > 2 else 1] > 7"),
            "[True, False, False]");
  EXPECT_NE(e.errorOf("count(Muon) > 1 and Muon.pt[2] > 0"), "");
  EXPECT_NE(e.errorOf("Muon.pt[0] > 40 and count(Muon) > 0"), "");
}

TEST(Evaluation, tellsTheEntryWhereListsDiffer) {
  TestColumns e = events();
  e.setFirstEntry(17);
  EXPECT_EQ(
      e.errorOf("Muon.pt + Jet.pt"),
      "Muon.pt has 2 values and Jet.pt 1 in entry 17: only lists of the same length can be "
      "combined value by value; pairs(a, b) combines each object of one with each of the other");
  EXPECT_NE(e.errorOf("count(Muon[Jet.pt > 20])").find("Muon has 2 values and"), std::string::npos);
  expectContains(e.errorOf("sum(Muon.pt[Jet.pt > 20])"), "entry 17");
}

TEST(Evaluation, knowsKinematics) {
  const TestColumns e = events();
  EXPECT_EQ(e.valuesOf("count(Muon) > 1 and 35 < (Muon[0] + Muon[1]).mass < 45"),
            "[True, False, False]");
  EXPECT_EQ(e.valuesOf("round(Muon.px)"), "[[30, -10], [], [-49, -40, 3]]");
  EXPECT_EQ(e.valuesOf("abs(Muon.p - Muon.E) < 1e-5"), "[[True, True], [], [True, True, True]]");
  EXPECT_EQ(e.valuesOf("abs(sum(Muon).px - sum(Muon.px)) < 1e-9"), "[True, True, True]");
  EXPECT_EQ(e.valuesOf("abs((Muon + Muon).pt - 2 * Muon.pt) < 1e-5"),
            "[[True, True], [], [True, True, True]]");
  EXPECT_EQ(e.valuesOf("round(100 * (Muon[0] - Muon[0]).pt) if trigger else 0"), "[0, 0, 0]");
  EXPECT_EQ(e.valuesOf("round(1000 * deltaPhi(Muon[0], Muon[1])) if trigger else 0"),
            "[-3000, 0, 283]");
  EXPECT_EQ(e.valuesOf("deltaR(0, 0, 3, 4 * trigger) > 3.5"), "[True, False, True]");
  EXPECT_EQ(e.typeOf("(Muon[0] + Muon[1]).mass"), "float64");
  EXPECT_EQ(e.typeOf("deltaR(Muon[0], Muon[1])"), "float32");
}

TEST(Evaluation, takesNoPlaceForAMomentum) {
  TestColumns e = events();
  e.add<float>("Muon.x", Lists<float>{{7, 7}, {}, {7, 7, 7}});
  e.add<float>("Muon.momentum.x", Lists<float>{{8, 8}, {}, {8, 8, 8}});
  EXPECT_EQ(e.valuesOf("Muon.px[:1]"), "[[8], [], [8]]");
  e = events();
  e.add<float>("Muon.x", Lists<float>{{7, 7}, {}, {7, 7, 7}});
  EXPECT_EQ(e.valuesOf("round(Muon.px[:1])"), "[[30], [], [-49]]");
}

TEST(Evaluation, sortsNanLast) {
  TestColumns e;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  e.add<float>("x", Lists<float>{{nan, 2, nan, 1, 2}});
  EXPECT_EQ(e.valuesOf("sort(x)"), "[[1, 2, 2, nan, nan]]");
  EXPECT_EQ(e.valuesOf("argsort(x)"), "[[3, 1, 4, 0, 2]]");
  EXPECT_EQ(e.valuesOf("max(x)"), "[nan]");
  EXPECT_EQ(e.valuesOf("argmin(x)"), "[0]");
}

TEST(Evaluation, combinesObjects) {
  const TestColumns e = events();
  EXPECT_EQ(e.valuesOf("combinations(Muon, 2).first.pt"), "[[30], [], [50, 50, 40]]");
  EXPECT_EQ(e.valuesOf("combinations(Muon, 2).second.pt"), "[[10], [], [40, 5, 5]]");
  EXPECT_EQ(e.valuesOf("combinations(Muon, 3).third.pt"), "[[], [], [5]]");
  EXPECT_EQ(e.valuesOf("count(combinations(Muon, 2))"), "[1, 0, 3]");
  EXPECT_EQ(e.valuesOf("any(combinations(Muon, 2).first.charge != "
                       "combinations(Muon, 2).second.charge)"),
            "[True, False, True]");
  EXPECT_EQ(e.valuesOf("combinations(Muon, 2)[combinations(Muon, 2).second.pt < 7].first.pt"),
            "[[], [], [50, 40]]");
  EXPECT_EQ(e.valuesOf("pairs(Muon, Jet).second.pt"), "[[[100], [100]], [], [[], [], []]]");
  EXPECT_EQ(e.valuesOf("pairs(Muon, Jet).first.pt"), "[[[30], [10]], [], [[], [], []]]");
  EXPECT_EQ(e.valuesOf("Jet[all(deltaR(pairs(Jet, Muon)) > 0.4)].pt"), "[[], [25, 20], []]");
}

TEST(Evaluation, putsListsBehindOthers) {
  const TestColumns e = events();
  EXPECT_EQ(e.valuesOf("concatenate(Muon.pt, Jet.pt)"), "[[30, 10, 100], [25, 20], [50, 40, 5]]");
  EXPECT_EQ(e.valuesOf("concatenate(Muon.charge, Jet.pt)"), "[[1, -1, 100], [25, 20], [1, 1, -1]]");
  EXPECT_EQ(e.valuesOf("count(concatenate(Muon, Jet))"), "[3, 2, 3]");
  EXPECT_EQ(e.valuesOf("concatenate(Muon, Jet)[1:].pt"), "[[10, 100], [20], [40, 5]]");
  EXPECT_EQ(e.valuesOf("concatenate(Muon[Muon.pt > 20], Jet).eta"), "[[0, 1], [0, 0], [-1, 2]]");
  EXPECT_EQ(e.valuesOf("concatenate(-Muon.pt[Muon.pt > 99], -Jet.pt)"), "[[-100], [-25, -20], []]");
  EXPECT_EQ(e.valuesOf("concatenate(-Jet.pt, -Muon.pt[Muon.pt > 99])"), "[[-100], [-25, -20], []]");
  EXPECT_NE(e.errorOf("concatenate(Muon.pt, MET_pt)"), "");
  EXPECT_NE(e.errorOf("concatenate(Muon, Jet).charge"), "");
}

/// The queries of https://github.com/iris-hep/adl-benchmarks-index that select by more than a plain
/// column.
TEST(Evaluation, answersTheQueriesOfTheField) {
  TestColumns e = events();
  e.add<float>("Jet.mass", Lists<float>{{5}, {5, 5}, {}});
  EXPECT_EQ(e.valuesOf("Jet.pt[abs(Jet.eta) < 1]"), "[[], [25, 20], []]");      // 3
  EXPECT_EQ(e.valuesOf("count(Jet[Jet.pt > 20]) >= 1"), "[True, True, False]"); // 4
  e.addAlias("pair", "combinations(Muon, 2)");
  e.addAlias("mass", "(pair.first + pair.second).mass"); // 5
  EXPECT_EQ(e.valuesOf("any(pair.first.charge != pair.second.charge and 30 < mass < 45)"),
            "[True, False, True]");
  e.addAlias("three", "combinations(Muon, 3)"); // 6, with muons
  e.addAlias("whole", "three.first + three.second + three.third");
  EXPECT_EQ(e.valuesOf("round(get(whole.pt, argmin(abs(whole.mass - 172.5)), -1))"),
            "[-1, -1, 86]");
  EXPECT_EQ(e.valuesOf("sum(Jet.pt[Jet.pt > 20 and all(deltaR(pairs(Jet, Muon)) > 0.4)])"), // 7
            "[0, 25, 0]");
  e.addAlias("lepton", "concatenate(Muon, Jet)"); // 8, with jets as electrons
  e.addAlias("leading", "lepton[argsort(-lepton.pt)]");
  EXPECT_EQ(e.valuesOf("leading.pt[0] if count(leading) >= 3 else -1"), "[100, -1, 50]");
}

TEST(Evaluation, followsRelations) {
  TestColumns e;
  e.add<std::int32_t>("Particles.PDG", Lists<std::int32_t>{{11, 22, 13}, {2212}});
  e.add("Particles.hits", std::vector<Lists<float>>{{{1}, {2, 3}, {}}, {{4}}});
  e.add("Particles.parents.index", std::vector<Lists<std::int32_t>>{{{}, {0, 2}, {-1}}, {{0}}});
  e.add("Particles.parents.collection",
        std::vector<Lists<std::uint32_t>>{{{}, {7, 7}, {0}}, {{7}}});
  e.add<std::int32_t>("Tracks.particle.index", Lists<std::int32_t>{{2, -1}, {0}});
  e.add<std::uint32_t>("Tracks.particle.collection", Lists<std::uint32_t>{{7, 0}, {7}});
  e.addRelation("Particles.parents", {{"Particles", 7}});
  e.addRelation("Tracks.particle", {{"Particles", 7}});
  EXPECT_EQ(e.valuesOf("Particles.parents.PDG"), "[[[], [11, 13], [0]], [[2212]]]");
  EXPECT_EQ(e.valuesOf("Tracks.particle.PDG"), "[[13, 0], [2212]]");
  EXPECT_EQ(e.valuesOf("Tracks.particle.hits"), "[[[], []], [[4]]]");
  EXPECT_EQ(e.valuesOf("Tracks.particle.parents.PDG"), "[[[0], []], [[2212]]]");
  EXPECT_EQ(e.valuesOf("Tracks[Tracks.particle.index >= 0].particle.PDG"), "[[13], [2212]]");
  EXPECT_EQ(e.valuesOf("count(Particles[Particles.PDG < 20].parents)"), "[[0, 1], []]");
  EXPECT_EQ(e.valuesOf("index(Particles[Particles.PDG < 20].parents)"), "[[[], [-1]], []]");
  e.add<std::int32_t>("Tracks.particle.index", Lists<std::int32_t>{{2, -1}, {1}});
  EXPECT_NE(e.errorOf("Tracks.particle.PDG").find("refers to object 1 of Particles in entry 1"),
            std::string::npos);
}

TEST(Evaluation, followsRelationsToSeveralCollections) {
  TestColumns e;
  e.add<float>("Barrel.energy", Lists<float>{{1, 2}, {}});
  e.add<float>("Endcap.energy", Lists<float>{{3}, {4}});
  e.add("Clusters.hits.index", std::vector<Lists<std::int32_t>>{{{1, 0, -1}}, {{0}, {}}});
  e.add("Clusters.hits.collection", std::vector<Lists<std::uint32_t>>{{{1, 2, 0}}, {{2}, {}}});
  e.addRelation("Clusters.hits", {{"Barrel", 1}, {"Endcap", 2}});
  EXPECT_EQ(e.valuesOf("Clusters.hits.energy"), "[[[2, 3, nan]], [[4], []]]");
  e.add<double>("Barrel.position.x", Lists<double>{{10, 20}, {}});
  e.add<double>("Barrel.position.y", Lists<double>{{1, 2}, {}});
  expectContains(e.errorOf("Clusters.hits.position.x"), "may lead to 'Endcap', whose objects have");
  e.add<double>("Endcap.position.x", Lists<double>{{30}, {40}});
  EXPECT_EQ(e.valuesOf("Clusters.hits.position.x"), "[[[20, 30, nan]], [[40], []]]");
  expectContains(e.errorOf("Clusters.hits.position.y"), "'Endcap.position', whose objects have no");
  expectContains(e.errorOf("Clusters.hits.position.z"), "'Clusters.hits.position' has no 'z'");
}

TEST(Evaluation, followsRelationsOfTheObjectsOfSeveralCollections) {
  TestColumns e;
  e.add<std::int32_t>("First.PDG", Lists<std::int32_t>{{11, 13}, {22}});
  e.add<std::int32_t>("Second.PDG", Lists<std::int32_t>{{1}, {}});
  e.add("First.weights", std::vector<Lists<float>>{{{1, 2}, {}}, {{3}}});
  e.add("Second.weights", std::vector<Lists<float>>{{{4}}, {}});
  e.add<std::int32_t>("First.mother.index", Lists<std::int32_t>{{0, 0}, {-1}});
  e.add<std::uint32_t>("First.mother.collection", Lists<std::uint32_t>{{2, 1}, {0}});
  e.add<std::int32_t>("Second.mother.index", Lists<std::int32_t>{{1}, {}});
  e.add<std::uint32_t>("Second.mother.collection", Lists<std::uint32_t>{{1}, {}});
  e.add("First.daughters.index", std::vector<Lists<std::int32_t>>{{{1, 0}, {}}, {{0}}});
  e.add("First.daughters.collection", std::vector<Lists<std::uint32_t>>{{{1, 2}, {}}, {{1}}});
  e.add("Second.daughters.index", std::vector<Lists<std::int32_t>>{{{0}}, {}});
  e.add("Second.daughters.collection", std::vector<Lists<std::uint32_t>>{{{1}}, {}});
  for (const char* relation :
       {"First.mother", "Second.mother", "First.daughters", "Second.daughters"})
    e.addRelation(relation, {{"First", 1}, {"Second", 2}});
  EXPECT_EQ(e.valuesOf("First.mother.PDG"), "[[1, 11], [0]]");
  EXPECT_EQ(e.valuesOf("First.mother.mother.PDG"), "[[13, 1], [0]]");
  EXPECT_EQ(e.valuesOf("First.mother.mother.mother.PDG"), "[[11, 13], [0]]");
  EXPECT_EQ(e.valuesOf("First.mother.weights"), "[[[4], [1, 2]], [[]]]");
  EXPECT_EQ(e.valuesOf("First.mother.daughters.PDG"), "[[[11], [13, 1]], [[]]]");
  EXPECT_EQ(e.valuesOf("First.daughters.mother.PDG"), "[[[11, 13], []], [[0]]]");
  EXPECT_EQ(e.valuesOf("First.daughters.weights"), "[[[[], [4]], []], [[[3]]]]");
  EXPECT_EQ(e.valuesOf("count(First[First.mother.mother.index >= 0])"), "[2, 0]");
  e.add("Second.weights", std::vector<Lists<float>>{{{}}, {}}); // without values
  e.addAlias("First.doubled", "First.weights * 2");
  e.addAlias("Second.doubled", "Second.weights * 2");
  EXPECT_EQ(e.valuesOf("First.mother.doubled"), "[[[], [2, 4]], [[]]]");
  e.add("Second.weights", std::vector<Lists<double>>{{{4}}, {}});
  expectContains(e.errorOf("First.mother.weights"),
                 "'weights' is list of lists of float32 in 'First', but list of lists of "
                 "float64 in 'Second'");
}

TEST(Evaluation, goesFromBatchToBatch) {
  const TestColumns first = events();
  TestColumns second;
  second.add<float>("Muon.pt", Lists<float>{{1, 2, 3}});
  second.add<float>("MET_pt", std::vector<float>{4});
  const Expression expression("sum(Muon.pt * MET_pt)", first);
  Evaluation evaluation({&expression, 1});
  for (const auto& [batch, values] :
       {std::pair{&first, "[600, 0, 3325]"}, {&second, "[24]"}, {&first, "[600, 0, 3325]"}}) {
    evaluation.begin(batch->entries(), batch->columnsFor(evaluation.inputs()));
    EXPECT_EQ(batch->textOf(evaluation.evaluate(0), expression.type()), values);
  }
}

TEST(Evaluation, worksOnBatchesWithoutEntries) {
  TestColumns e;
  e.add<float>("Muon.pt", Lists<float>{});
  e.add<float>("Muon.eta", Lists<float>{});
  e.add<float>("Muon.phi", Lists<float>{});
  e.add<float>("MET_pt", std::vector<float>{});
  for (const char* text :
       {"MET_pt > 3", "1", "Muon.pt[0]", "Muon.pt * MET_pt", "sum(Muon.pt)", "sort(Muon.pt)",
        "count(Muon[Muon.pt > 3])", "argmax(Muon.pt)", "combinations(Muon, 2).first.pt",
        "any(deltaR(pairs(Muon, Muon)) > 1)", "first(Muon.pt, 0)", "concatenate(Muon, Muon).pt",
        "Muon[:2].pt", "mean(Muon.pt)", "all(Muon.pt > 0)"})
    EXPECT_EQ(e.valuesOf(text), "[]") << text;
}

TEST(Evaluation, refusesColumnsThatAreNotThoseOfTheEntries) {
  const TestColumns e = events();
  const Expression expression("Muon.pt + 1", e);
  Evaluation evaluation({&expression, 1});
  auto columns = e.columnsFor(evaluation.inputs());
  const auto fails = [&](const Entries& entries) {
    kaon::test::expectError(ErrorKind::usage, "'Muon.pt'", [&] {
      evaluation.begin(entries, columns);
      static_cast<void>(evaluation.evaluate(0));
    });
  };
  fails({2});
  columns[0].size = 4;
  fails({3});
  columns[0] = e.columnsFor(evaluation.inputs())[0];
  columns[0].values = nullptr;
  fails({3});
}

TEST(Evaluation, callsEntriesAsTheyWereBeforeASelection) {
  const TestColumns e = events();
  const Expression expression("Muon.pt[0]", e);
  Evaluation evaluation({&expression, 1});
  const std::vector<std::uint32_t> numbers = {3, 8, 9};
  evaluation.begin({3, 100, numbers}, e.columnsFor(evaluation.inputs()));
  kaon::test::expectError(ErrorKind::usage, "in entry 108",
                          [&] { static_cast<void>(evaluation.evaluate(0)); });
}

TEST(Evaluation, replacesAliasesByTheirDefinitions) {
  TestColumns e = events();
  e.addAlias("good", "Muon[Muon.pt > 20]");
  e.addAlias("dimuon", "good[0] + good[1]");
  e.addAlias("loop", "loop + 1");
  EXPECT_EQ(e.valuesOf("count(good) >= 2 and dimuon.mass > 0"), "[False, False, True]");
  expectContains(e.errorOf("loop"), "or to itself");
}

TEST(Evaluation, computesCommonPartsOnceAndAllocatesNothingLater) {
  const TestColumns e = events();
  const std::vector<Expression> expressions = {
      Expression("count(Muon[Muon.pt > 20])", e), Expression("sum(Muon[Muon.pt > 20].eta)", e),
      Expression("sqrt(Muon.pt) * MET_pt", e), Expression("combinations(Muon, 2).first.pt", e)};
  Evaluation evaluation(expressions);
  EXPECT_EQ(evaluation.inputs().size(), 4); // for Muon.pt, Muon, Muon.eta and MET_pt
  const auto columns = e.columnsFor(evaluation.inputs());
  const auto computeAll = [&] {
    evaluation.begin(e.entries(), columns);
    for (std::size_t i = 0; i < expressions.size(); ++i)
      static_cast<void>(evaluation.evaluate(i));
  };
  computeAll();
  const kaon::test::Allocations allocations;
  for (int batch = 0; batch < 10; ++batch)
    computeAll();
  EXPECT_EQ(allocations.count(), 0);
}

} // namespace
} // namespace kaon::expression
