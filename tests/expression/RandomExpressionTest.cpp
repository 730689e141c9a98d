#include <kaon/detail/expression/Evaluation.h>

#include "expression/TestColumns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace kaon::expression {
namespace {

using test::Lists;
using test::TestColumns;

/// An expression, and a function that computes its values in one event in another way.
struct Written {
  using Values = std::vector<double>; // one value for a number
  std::string text;
  bool isList = false;
  std::function<Values(std::size_t event)> values;
};

/// Compares with NaN as the least value, so that NaN appears in results.
bool isLess(double a, double b) { return a < b || (std::isnan(a) && !std::isnan(b)); }

double pythonModulo(double a, double b) { return a - b * std::floor(a / b); }

/// Writes random valid expressions, beginning with their innermost parts.
class Writer {
public:
  explicit Writer(unsigned seed) : m_engine(seed) {
    constexpr std::size_t events = 40;
    const bool hasObjects = below(8) > 0;
    for (std::size_t event = 0; event < events; ++event) {
      const std::size_t size = hasObjects ? below(4) : 0;
      m_x.emplace_back(size);
      m_y.emplace_back(size);
      for (std::size_t i = 0; i < size; ++i) {
        m_x[event][i] = static_cast<double>(below(21)) - 10;
        m_y[event][i] = static_cast<double>(below(9)) / 2;
      }
      m_w.push_back(static_cast<double>(below(13)) - 6);
    }
    columns.add("A.x", m_x);
    columns.add("A.y", m_y);
    columns.add("w", m_w);
  }

  [[nodiscard]] std::size_t below(std::size_t limit) { return m_engine() % limit; }
  [[nodiscard]] std::size_t events() const { return m_w.size(); }

  [[nodiscard]] Written number(unsigned depth, bool isList) {
    if (depth == 0)
      return isList ? listColumn() : plainNumber();
    if (!isList)
      switch (below(7)) {
      case 0:
        return reduced(depth - 1);
      case 1:
        return selectedSum(depth - 1);
      case 2:
        return firstOf(depth - 1);
      default:
        break;
      }
    switch (below(6)) {
    case 0:
      return chosen(depth - 1, isList);
    case 1:
      return negated(number(depth - 1, isList));
    case 2:
      return modulo(number(depth - 1, isList));
    default:
      return arithmetic(depth - 1, isList);
    }
  }

  [[nodiscard]] Written condition(unsigned depth, bool isList) {
    if (depth > 0)
      switch (below(isList ? 4 : 5)) {
      case 0: {
        const Written a = condition(depth - 1, isList),
                      b = condition(depth - 1, below(2) && isList);
        return below(2) == 0
                   ? joined(a, " and ", b, [](double x, double y) { return x != 0 && y != 0; })
                   : joined(a, " or ", b, [](double x, double y) { return x != 0 || y != 0; });
      }
      case 1: {
        const Written a = condition(depth - 1, isList);
        return mapped("(not " + a.text + ")", a, [](double x) { return x == 0; });
      }
      case 2: {
        const Written a = number(depth - 1, isList), b = number(depth - 1, below(2) && isList);
        const Written chain =
            joined(a, " <= ", b, [](double x, double y) { return x <= y && y < 3; });
        Written result = chain;
        result.text = "(" + a.text + " <= " + b.text + " < 3)";
        return result;
      }
      case 4:
        return quantified(depth - 1);
      default:
        break;
      }
    return compared(depth > 0 ? depth - 1 : 0, isList);
  }

  TestColumns columns;

private:
  using Function = std::function<double(double, double)>;

  [[nodiscard]] Written listColumn() {
    if (below(8) == 0)
      return {"float(index(A))", true, [this](std::size_t event) { return indices(event); }};
    if (below(2) == 0)
      return {"A.x", true, [this](std::size_t event) { return m_x[event]; }};
    return {"A.y", true, [this](std::size_t event) { return m_y[event]; }};
  }
  [[nodiscard]] Written::Values indices(std::size_t event) const {
    Written::Values values(m_x[event].size());
    std::iota(values.begin(), values.end(), 0.0);
    return values;
  }
  [[nodiscard]] Written plainNumber() {
    if (below(2) == 0)
      return {"w", false, [this](std::size_t event) { return Written::Values{m_w[event]}; }};
    const double value = static_cast<double>(below(10)) / 4;
    std::ostringstream text;
    text << value;
    return {text.str(), false, [value](std::size_t) { return Written::Values{value}; }};
  }
  static Written mapped(std::string text, const Written& a, std::function<double(double)> f) {
    return {std::move(text), a.isList, [a, f](std::size_t event) {
              Written::Values values = a.values(event);
              std::ranges::transform(values, values.begin(), f);
              return values;
            }};
  }
  static Written joined(const Written& a, const char* sign, const Written& b, Function f) {
    return {"(" + a.text + sign + b.text + ")", a.isList || b.isList, [a, b, f](std::size_t event) {
              const Written::Values x = a.values(event), y = b.values(event);
              Written::Values values(a.isList ? x.size() : b.isList ? y.size() : 1);
              for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = f(x[a.isList ? i : 0], y[b.isList ? i : 0]);
              return values;
            }};
  }
  static Written reducedBy(const std::string& name, const Written& a,
                           std::function<double(const Written::Values&)> f) {
    return {name + "(" + a.text + ")", false,
            [a, f](std::size_t event) { return Written::Values{f(a.values(event))}; }};
  }

  [[nodiscard]] Written arithmetic(unsigned depth, bool isList) {
    Written a = number(depth, isList), b = number(depth, isList && below(2) == 0);
    if (below(2) == 0)
      std::swap(a, b);
    switch (below(4)) {
    case 0:
      return joined(a, " + ", b, std::plus<>());
    case 1:
      return joined(a, " - ", b, std::minus<>());
    case 2:
      return joined(a, " * ", b, std::multiplies<>());
    default: {
      Written least = joined(a, ", ", b, [](double x, double y) { return isLess(y, x) ? y : x; });
      least.text = "min" + least.text;
      return least;
    }
    }
  }
  static Written negated(const Written& a) {
    return mapped("-" + a.text, a, [](double x) { return -x; });
  }
  static Written modulo(const Written& a) {
    return mapped("(" + a.text + " % 4)", a, [](double x) { return pythonModulo(x, 4); });
  }
  [[nodiscard]] Written chosen(unsigned depth, bool isList) {
    const Written condition = this->condition(depth, isList), a = number(depth, isList);
    const Written b = number(depth, isList && below(2) == 0);
    const Written either = joined(a, " ", b, [](double x, double) { return x; });
    return {"(" + a.text + " if " + condition.text + " else " + b.text + ")", either.isList,
            [=](std::size_t event) {
              Written::Values values = either.values(event);
              const Written::Values holds = condition.values(event), y = b.values(event);
              for (std::size_t i = 0; i < values.size(); ++i)
                if (holds[condition.isList ? i : 0] == 0)
                  values[i] = y[b.isList ? i : 0];
              return values;
            }};
  }
  [[nodiscard]] Written reduced(unsigned depth) {
    const Written a = number(depth, true);
    switch (below(5)) {
    case 4:
      return indexOfFirstSelected(depth);
    case 0:
      return reducedBy("sum", a, [](const Written::Values& v) {
        double sum = 0;
        for (const double x : v)
          sum += x;
        return sum;
      });
    case 1:
      return reducedBy("count", a, [](const Written::Values& v) { return double(v.size()); });
    case 2:
      return reducedBy("argmax", a, [](const Written::Values& v) {
        return v.empty() ? -1.0 : double(std::ranges::max_element(v) - v.begin());
      });
    default:
      return reducedBy("max", a, [](const Written::Values& v) {
        return v.empty() ? -std::numeric_limits<double>::infinity() : *std::ranges::max_element(v);
      });
    }
  }
  [[nodiscard]] Written quantified(unsigned depth) {
    const Written a = condition(depth, true);
    const auto holds = [](double x) { return x != 0; };
    if (below(2) == 0)
      return reducedBy("any", a,
                       [=](const Written::Values& v) { return std::ranges::any_of(v, holds); });
    return reducedBy("all", a,
                     [=](const Written::Values& v) { return std::ranges::all_of(v, holds); });
  }
  [[nodiscard]] Written selectedSum(unsigned depth) {
    const Written a = number(depth, true), mask = condition(depth, true);
    const bool isCount = below(2) == 0;
    return {(isCount ? "count(" : "sum(") + a.text + "[" + mask.text + "])", false,
            [=](std::size_t event) {
              const Written::Values values = a.values(event), wanted = mask.values(event);
              double sum = 0;
              for (std::size_t i = 0; i < values.size(); ++i)
                if (wanted[i] != 0)
                  sum += isCount ? 1 : values[i];
              return Written::Values{sum};
            }};
  }
  /// Returns an expression for the position of the first selected object among all objects.
  [[nodiscard]] Written indexOfFirstSelected(unsigned depth) {
    const Written mask = condition(depth, true);
    return {"first(index(A[" + mask.text + "]), 9)", false, [=](std::size_t event) {
              const Written::Values wanted = mask.values(event);
              const auto first = std::ranges::find_if(wanted, [](double x) { return x != 0; });
              return Written::Values{first == wanted.end() ? 9.0 : double(first - wanted.begin())};
            }};
  }
  /// Returns an expression for the first value when ordered by another list; 7 if the list is
  /// empty.
  [[nodiscard]] Written firstOf(unsigned depth) {
    const Written a = number(depth, true), key = number(depth, true);
    const Written ordered{"(" + a.text + ")[argsort(" + key.text + ")][:1]", true, {}};
    return {"(" + ordered.text + "[0] if count(" + a.text + ") > 0 else 7)", false,
            [=](std::size_t event) {
              const Written::Values values = a.values(event), keys = key.values(event);
              if (values.empty())
                return Written::Values{7};
              return Written::Values{
                  values[static_cast<std::size_t>(std::ranges::min_element(keys) - keys.begin())]};
            }};
  }
  [[nodiscard]] Written compared(unsigned depth, bool isList) {
    const Written a = number(depth, isList), b = number(depth, isList && below(2) == 0);
    switch (below(3)) {
    case 0:
      return joined(a, " < ", b, std::less<>());
    case 1:
      return joined(a, " >= ", b, std::greater_equal<>());
    default:
      return joined(a, " == ", b, std::equal_to<>());
    }
  }

  std::mt19937 m_engine;
  Lists<double> m_x, m_y;
  std::vector<double> m_w;
};

/// Evaluates an expression; returns its values in the form of Written.
std::vector<Written::Values> evaluated(const Writer& writer, const std::string& text) {
  const Expression expression(text, writer.columns);
  Evaluation evaluation({&expression, 1});
  evaluation.begin(writer.columns.entries(), writer.columns.columnsFor(evaluation.inputs()));
  const detail::ColumnValues values = evaluation.evaluate(0);
  const auto at = [&](std::size_t i) {
    return withScalar(expression.type().scalar, [&](auto zero) {
      return static_cast<double>(values.as<decltype(zero)>()[i]);
    });
  };
  std::vector<Written::Values> events(writer.events());
  for (std::size_t event = 0; event < events.size(); ++event) {
    const bool isList = expression.type().depth == 1;
    for (std::size_t i = isList ? values.offsets[0][event] : event;
         i < (isList ? values.offsets[0][event + 1] : event + 1); ++i)
      events[event].push_back(at(i));
  }
  return events;
}

TEST(RandomExpression, equalsTheResultOfEachEventAlone) {
  constexpr unsigned expressions = 3'000;
  Writer writer(1);
  for (unsigned i = 0; i < expressions; ++i) {
    const bool isList = writer.below(2) == 0;
    const auto depth = static_cast<unsigned>(writer.below(5));
    const Written written =
        writer.below(2) == 0 ? writer.condition(depth, isList) : writer.number(depth, isList);
    if (written.text.size() > 10'000)
      continue;
    const std::vector<Written::Values> computed = evaluated(writer, written.text);
    for (std::size_t event = 0; event < writer.events(); ++event) {
      const Written::Values expected = written.values(event);
      ASSERT_EQ(computed[event].size(), expected.size()) << written.text << " of event " << event;
      for (std::size_t k = 0; k < expected.size(); ++k)
        ASSERT_TRUE(computed[event][k] == expected[k] ||
                    (std::isnan(computed[event][k]) && std::isnan(expected[k])))
            << written.text << " of event " << event << ": " << computed[event][k] << ", not "
            << expected[k];
    }
  }
}

TEST(RandomExpression, isAnErrorOrHasValues) {
  constexpr std::array words = {"A",       ".",     "x",
                                "y",       "w",     "(",
                                ")",       "[",     "]",
                                ":",       ",",     "+",
                                "-",       "*",     "**",
                                "/",       "//",    "%",
                                "<",       "==",    ">=",
                                "and",     "or",    "not",
                                "if",      "in",    "else",
                                "0",       "1",     "2.5",
                                "1e30",    "-1",    "True",
                                "count",   "sum",   "max",
                                "take",    "first", "combinations",
                                "argsort", "A.x",   "A[A.x > 0]",
                                "&",       "|",     "~",
                                "<<",      "pairs", "'a'",
                                "pt",      "mass",  "sort",
                                "deltaR",  "A[0]",  "index"};
  std::mt19937 engine(2);
  const Writer writer(3);
  unsigned computed = 0, refused = 0;
  for (unsigned i = 0; i < 40'000; ++i) {
    std::string text;
    for (std::size_t count = 1 + engine() % 9; count > 0; --count)
      text.append(words[engine() % words.size()]).append(engine() % 4 == 0 ? " " : "");
    try {
      const Expression expression(text, writer.columns);
      if (expression.isRecord())
        continue;
      Evaluation evaluation({&expression, 1});
      evaluation.begin(writer.columns.entries(), writer.columns.columnsFor(evaluation.inputs()));
      static_cast<void>(writer.columns.textOf(evaluation.evaluate(0), expression.type()));
      ++computed;
    } catch (const Error& error) {
      EXPECT_NE(error.kind(), ErrorKind::corrupt) << text;
      ++refused;
    }
  }
  EXPECT_GT(computed, 500U);
  EXPECT_GT(refused, 10'000U);
}

} // namespace
} // namespace kaon::expression
