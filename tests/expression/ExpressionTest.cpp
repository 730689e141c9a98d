#include <kaon/detail/expression/Expression.h>

#include "expression/TestColumns.h"
#include "support/Errors.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon::expression {
namespace {

using kaon::test::expectError;
using test::Lists;
using test::TestColumns;

TestColumns columns() {
  TestColumns columns;
  columns.add<float>("Muon.pt", Lists<float>{{30, 10}, {}});
  columns.add<float>("Muon.eta", Lists<float>{{0, 1}, {}});
  columns.add<std::int32_t>("Muon.charge", Lists<std::int32_t>{{1, -1}, {}});
  columns.add<std::uint16_t>("Muon.hits", Lists<std::uint16_t>{{1, 7}, {}});
  columns.add<double>("MET_pt", std::vector<double>{15, 25});
  columns.add<std::uint64_t>("event", std::vector<std::uint64_t>{15, 25});
  columns.add<bool>("trigger", std::vector<bool>{true, false});
  return columns;
}

TEST(Expression, hasATypeByNumPysRules) {
  const TestColumns c = columns();
  EXPECT_EQ(c.typeOf("Muon.pt * 2.5"), "list of float32");
  EXPECT_EQ(c.typeOf("Muon.pt + MET_pt"), "list of float64");
  EXPECT_EQ(c.typeOf("Muon.charge * Muon.pt"), "list of float64");
  EXPECT_EQ(c.typeOf("Muon.hits * Muon.pt"), "list of float32");
  EXPECT_EQ(c.typeOf("Muon.charge + 1"), "list of int64");
  EXPECT_EQ(c.typeOf("Muon.charge / 2"), "list of float64");
  EXPECT_EQ(c.typeOf("Muon.charge * 0.5"), "list of float64");
  EXPECT_EQ(c.typeOf("event + 1"), "uint64");
  EXPECT_EQ(c.typeOf("event - MET_pt"), "float64");
  EXPECT_EQ(c.typeOf("sum(Muon.pt)"), "float32");
  EXPECT_EQ(c.typeOf("sum(Muon.charge)"), "int64");
  EXPECT_EQ(c.typeOf("sum(Muon.pt > 20)"), "int64");
  EXPECT_EQ(c.typeOf("sum(Muon.hits)"), "uint64");
  EXPECT_EQ(c.typeOf("mean(Muon.pt)"), "float64");
  EXPECT_EQ(c.typeOf("max(Muon.hits)"), "uint16");
  EXPECT_EQ(c.typeOf("trigger + trigger"), "int64");
  EXPECT_EQ(c.typeOf("sqrt(Muon.pt)"), "list of float32");
  EXPECT_EQ(c.typeOf("sqrt(Muon.charge)"), "list of float64");
  EXPECT_EQ(c.typeOf("int(Muon.pt)"), "list of int64");
  EXPECT_EQ(c.typeOf("Muon.pt > 20"), "list of bool");
  EXPECT_EQ(c.typeOf("0 if trigger else 2.5"), "float64");
}

TEST(Expression, needsEachColumnOnce) {
  const TestColumns c = columns();
  const auto inputs = Expression("count(Muon[Muon.pt > 20 and Muon.pt < 30]) + MET_pt", c).inputs();
  std::vector<std::string> names;
  for (const Input& input : inputs)
    names.push_back(input.name);
  EXPECT_EQ(names, (std::vector<std::string>{"Muon.pt", "MET_pt"}));
  const auto counted = Expression("count(Muon) > 1", c).inputs();
  ASSERT_EQ(counted.size(), 1);
  EXPECT_EQ(counted[0], (Input{"Muon", {Scalar::Bool, 1}, true}));
}

TEST(Expression, hasTheSameStepOnce) {
  const TestColumns c = columns();
  const Expression e("MET_pt * 2 + MET_pt * (3 - 1)", c);
  EXPECT_EQ(e.graph().stepsTo(e.root()).size(), 4); // for MET_pt, 2, their product, and the sum
}

TEST(Expression, showsWhereSomethingIsWrong) {
  const TestColumns c = columns();
  EXPECT_EQ(c.errorOf("sum(Muon.pz2) > 3"), "'Muon' has no 'pz2' (did you mean 'pz'?)\n"
                                            "  sum(Muon.pz2) > 3\n"
                                            "      ^~~~~~~~");
  EXPECT_EQ(c.errorOf("MTE_pt > 3"),
            "there is no column or collection 'MTE_pt' (did you mean 'MET_pt'?)\n"
            "  MTE_pt > 3\n"
            "  ^~~~~~");
  EXPECT_EQ(c.errorOf("cuont(Muon)"), "there is no function 'cuont' (did you mean 'count'?)\n"
                                      "  cuont(Muon)\n"
                                      "  ^~~~~~~~~~~");
  EXPECT_EQ(c.errorOf("len(Muon)"), "there is no function 'len'; write count(x)\n"
                                    "  len(Muon)\n"
                                    "  ^~~~~~~~~");
  EXPECT_EQ(c.errorOf("trigger && event > 1"), "expressions are written as in Python: 'and'\n"
                                               "  trigger && event > 1\n"
                                               "          ^~");
  EXPECT_EQ(c.errorOf("(event + 1"), "')' is missing here: a bracket is not closed\n"
                                     "  (event + 1\n"
                                     "            ^");
}

TEST(Expression, refusesTextsThatAreNotExpressions) {
  const TestColumns c = columns();
  const auto refused = [&](const std::string& text, std::string_view part) {
    expectError(ErrorKind::usage, part, [&] { const Expression e(text, c); });
  };
  refused("", "the expression is empty");
  refused("event +", "a value is missing at the end");
  refused("event event", "the expression should end here");
  refused("event adn trigger", "did you mean 'and'?");
  refused("event = 3", "'=='");
  refused("!trigger", "'not'");
  refused("3abc", "'3abc' is not a number");
  refused("1e999", "not a number that a float64 can be");
  refused("99999999999999999999", "not an integer below 2**64");
  refused("0x", "not an integer");
  refused("2 ** 63", "beyond 64 bits");
  refused("1 << 63", "beyond 64 bits");
  refused("-9223372036854775807 - 2", "beyond 64 bits");
  refused("-9223372036854775809", "beyond 64 bits");
  refused("'MET", "not closed");
  refused("Muon.pt[]", "the index is missing");
  refused("Muon.pt[0, 1]", "only one index");
  refused("Muon.pt[:, 0]", "only one index");
  refused("np.sqrt(event)", "functions are called by their name alone");
  refused("Muon.pt.max()", "functions are called by their name alone");
  refused("AuxDyn:pt / 2", "write a name with a colon as in column('odd:name')");
  refused("Muon.pt[::2]", "slices have no steps");
  refused("1 if trigger", "'else' is missing");
  refused("event $ 3", "this means nothing here");
  refused("sqrt(1, 2)", "'sqrt' takes 1 value, not 2");
  refused(std::string(100'000, '1'), "100000 characters");
  refused(std::string("\xff"), "not text (UTF-8)");
  for (const std::string part :
       {"(", "-", "not ", "abs(", "1 if True else ", "2 ** ", "Muon.pt["}) {
    std::string text;
    while (text.size() < 9'000)
      text += part;
    refused(text + "1", "parts are nested more than");
  }
  std::string sum = "1";
  while (sum.size() < 10'000)
    sum += "+1";
  refused(sum, "parts are nested more than");
}

TEST(Expression, refusesBitsNextToComparisonsWithoutParentheses) {
  const TestColumns c = columns();
  const auto refused = [&](const std::string& text, const std::string& conditions,
                           const std::string& bits) {
    expectError(ErrorKind::usage, "write " + conditions + ", or " + bits + "\n  " + text,
                [&] { const Expression e(text, c); });
  };
  refused("event > 20 & MET_pt > 1", "(event > 20) & (MET_pt > 1)", "event > (20 & MET_pt) > 1");
  refused("event > 20 | MET_pt > 1", "(event > 20) | (MET_pt > 1)", "event > (20 | MET_pt) > 1");
  refused("event > 20 ^ MET_pt > 1", "(event > 20) ^ (MET_pt > 1)", "event > (20 ^ MET_pt) > 1");
  refused("event > 20 & trigger", "(event > 20) & trigger", "event > (20 & trigger)");
  refused("event & 4 == 4", "event & (4 == 4)", "(event & 4) == 4");
  refused("event & 4 in (0, 4)", "event & (4 in (0, 4))", "(event & 4) in (0, 4)");
  refused("(event > 20) & event < 30 | trigger", "(event > 20) & (event < 30) | trigger",
          "((event > 20) & event) < (30 | trigger)");
  const auto isRefused = [&](const std::string& text) {
    expectError(ErrorKind::usage, "need parentheses", [&] { const Expression e(text, c); });
  };
  isRefused("count(Muon[Muon.pt > 20 & Muon.hits > 1]) > 0");
  isRefused("not event > 20 & trigger and trigger");
  for (const std::string text :
       {"(event > 20) & (MET_pt > 1)", "(event & 4) == 4", "4 == (event & 4) != 8", "event & 4 | 1",
        "not trigger & trigger", "event & 4 + 1", "1 if trigger | trigger else 2",
        "event in (1 | 2, 4 & 5)", "(event & 4 == 4) if False else trigger"})
    if (text.starts_with("(event & 4 ==")) // the outer parentheses do not resolve it
      isRefused(text);
    else
      EXPECT_NO_THROW(const Expression e(text, c)) << text;
}

TEST(Expression, refusesValuesThatDoNotGoTogether) {
  const TestColumns c = columns();
  const auto refused = [&](const std::string& text, std::string_view part) {
    expectError(ErrorKind::type, part, [&] { const Expression e(text, c); });
  };
  refused("Muon.pt and trigger", "compare it with something");
  refused("Muon > 20", "name a member, as in 'Muon.pt'");
  refused("MET_pt[0]", "'MET_pt' is not a list: it has one value in each entry");
  refused("sum(MET_pt)", "needs lists, but 'MET_pt' is float64");
  refused("count(Muon.pt > 20)", "sum(Muon.pt > 20) counts the true ones");
  refused("count(not (Muon.pt > 20 and isfinite(Muon.eta)))", "counts the true ones");
  refused("Muon.pt[MET_pt]", "an index must be an integer");
  refused("Muon.pt[trigger]", "a selection must be a condition on each value");
  refused("MET_pt.x", "'MET_pt' is float64, which has no members");
  refused("event == 'a'", "'event' is uint64, not a text to be compared with one");
  refused("Muon.pt != 'a'", "not a text");
  refused("event in (1, 'a')", "not a text");
  refused("'a' < event", "'event' is uint64, not a text to be compared with one");
  refused("'a' == 1", "'1' is int64, not a text");
  refused("count('a')", "a text is not a number");
  refused("event + 'a'", "a text is not a number; use texts in comparisons");
  refused("sum('a')", "a text is not a number");
  refused("~MET_pt", "for bools and integers");
  refused("combinations(Muon.pt, 2)", "combinations() takes the objects");
}

TEST(Expression, canStandForObjects) {
  const TestColumns c = columns();
  const Expression good("Muon[Muon.pt > 20]", c);
  EXPECT_TRUE(good.isRecord());
  expectError(ErrorKind::type, "stands for objects", [&] { static_cast<void>(good.type()); });
  EXPECT_FALSE(Expression("Muon.pt", c).isRecord());
}

TEST(Expression, findsColumnsOfAnyName) {
  TestColumns c = columns();
  c.add<float>("beam energy (GeV)", std::vector<float>{1, 2});
  EXPECT_EQ(c.valuesOf("column('beam energy (GeV)') * 2"), "[2, 4]");
  expectError(ErrorKind::name, "did you mean 'event'?",
              [&] { const Expression e("column('evnt')", c); });
}

} // namespace
} // namespace kaon::expression
