#include <kaon/expression/ValueBounds.h>

#include <kaon/detail/expression/Graph.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace kaon::expression {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The bounds of all values of a step, through all lists. Bools are 0 and 1.
struct Interval {
  double least = -infinity;
  double greatest = infinity;
  bool mayBeNan = true;
};

constexpr Interval anyBool{0, 1, false};

Interval boolOf(bool canBeFalse, bool canBeTrue) {
  return {canBeFalse ? 0.0 : 1.0, canBeTrue ? 1.0 : 0.0, false};
}

/// Widens an interval, because arithmetic may round in either direction. Integers may wrap around.
Interval rounded(Interval exact, Scalar type) {
  if (std::isnan(exact.least) || std::isnan(exact.greatest))
    return {};
  if (type == Scalar::Float32) {
    const auto down = [](float x) {
      return std::nextafter(x, -std::numeric_limits<float>::infinity());
    };
    const auto up = [](float x) {
      return std::nextafter(x, std::numeric_limits<float>::infinity());
    };
    return {down(static_cast<float>(exact.least)), up(static_cast<float>(exact.greatest)),
            exact.mayBeNan};
  }
  if (type == Scalar::Float64)
    return {std::nextafter(exact.least, -infinity), std::nextafter(exact.greatest, infinity),
            exact.mayBeNan};
  const double most = 9.0e15; // Below 2^53, no double is rounded, and no integer wraps around.
  if (exact.least < (type == Scalar::UInt64 ? 0 : -most) || exact.greatest > most)
    return {};
  return exact;
}

/// Returns an interval after a change of sign, which does not round floats.
Interval exact(Interval values, Scalar type) {
  return isFloat(type) ? values : rounded(values, type);
}

Interval constantOf(const Node& node) {
  const double value = withScalar(node.type.scalar, [&](auto zero) {
    std::memcpy(&zero, &node.parameter, sizeof zero);
    return static_cast<double>(zero);
  });
  if (std::isnan(value)) // no other value
    return {infinity, -infinity, true};
  if (!isFloat(node.type.scalar) && std::abs(value) > 9.0e15)
    return {std::nextafter(value, -infinity), std::nextafter(value, infinity), false};
  return {value, value, false};
}

bool isFinite(Interval a) { return std::isfinite(a.least) && std::isfinite(a.greatest); }

Interval product(Interval a, Interval b) {
  if (!isFinite(a) || !isFinite(b))
    return {}; // also for 0 * infinity
  const auto [least, greatest] = std::minmax(
      {a.least * b.least, a.least * b.greatest, a.greatest * b.least, a.greatest * b.greatest});
  return {least, greatest, a.mayBeNan || b.mayBeNan};
}

Interval quotient(Interval a, Interval b) {
  if (!isFinite(a) || !isFinite(b) || (b.least <= 0 && b.greatest >= 0))
    return {};
  const auto [least, greatest] = std::minmax(
      {a.least / b.least, a.least / b.greatest, a.greatest / b.least, a.greatest / b.greatest});
  return {least, greatest, a.mayBeNan || b.mayBeNan};
}

/// Bounds a comparison. With NaN, all comparisons but != are false.
Interval comparison(Operation operation, Interval a, Interval b) {
  const bool mayBeNan = a.mayBeNan || b.mayBeNan;
  const bool isOnePoint = a.least == a.greatest && b.least == b.greatest && a.least == b.least;
  const bool overlap = a.least <= b.greatest && b.least <= a.greatest;
  switch (operation) {
  case Operation::less:
    return boolOf(mayBeNan || a.greatest >= b.least, a.least < b.greatest);
  case Operation::lessEqual:
    return boolOf(mayBeNan || a.greatest > b.least, a.least <= b.greatest);
  case Operation::greater:
    return comparison(Operation::less, b, a);
  case Operation::greaterEqual:
    return comparison(Operation::lessEqual, b, a);
  case Operation::equal:
    return boolOf(mayBeNan || !isOnePoint, overlap);
  default:
    return boolOf(overlap, mayBeNan || !isOnePoint);
  }
}

Interval absolute(Interval a) {
  const double most = std::max(std::abs(a.least), std::abs(a.greatest));
  const bool hasZero = a.least <= 0 && a.greatest >= 0;
  return {hasZero ? 0 : std::min(std::abs(a.least), std::abs(a.greatest)), most, a.mayBeNan};
}

Interval unionOf(Interval a, Interval b) {
  return {std::min(a.least, b.least), std::max(a.greatest, b.greatest), a.mayBeNan || b.mayBeNan};
}

class IntervalRules {
public:
  IntervalRules(const Graph& graph, std::span<const Interval> intervals,
                const KnownValueBounds& known)
      : m_graph(&graph), m_intervals(intervals), m_known(&known) {}

  [[nodiscard]] Interval of(const Node& node) const {
    if (node.operation == Operation::input)
      return ofInput(m_graph->inputs()[node.parameter]);
    if (node.operation == Operation::constant)
      return constantOf(node);
    const Interval result = ofStep(node);
    const bool isBool = node.type.scalar == Scalar::Bool;
    return isBool && !(result.least >= 0 && result.greatest <= 1) ? anyBool : result;
  }

private:
  [[nodiscard]] Interval operand(const Node& node, std::size_t number) const {
    return m_intervals[node.operands[number]];
  }

  [[nodiscard]] Interval ofInput(const Input& input) const {
    const std::optional<ValueBounds> extremes =
        input.isListsOnly ? std::nullopt : (*m_known)(input);
    if (!extremes || !(extremes->least <= extremes->greatest))
      return {};
    return {extremes->least, extremes->greatest, isFloat(input.type.scalar) && extremes->mayBeNan};
  }

  [[nodiscard]] Interval ofStep(const Node& node) const {
    const Interval a = node.arity() > 0 ? operand(node, 0) : Interval{};
    const Interval b = node.arity() > 1 ? operand(node, 1) : Interval{};
    const Scalar type = node.type.scalar;
    switch (node.operation) {
    case Operation::spread:
    case Operation::fill:
    case Operation::sort:
      return a;
    case Operation::gather: // some of its values, or the values for rowOfNone
      return node.operands[3] == Node::none ? a : unionOf(a, operand(node, 3));
    case Operation::convert:
      if (type == Scalar::Bool)
        return comparison(Operation::notEqual, a, {0, 0, false});
      if (isFloat(m_graph->at(node.operands[0]).type.scalar) && !isFloat(type))
        return {};
      return rounded(a, type);
    case Operation::negate:
      return exact({-a.greatest, -a.least, a.mayBeNan}, type);
    case Operation::absolute:
      return exact(absolute(a), type);
    case Operation::logicalNot:
      return {1 - a.greatest, 1 - a.least, false};
    case Operation::add:
      return rounded({a.least + b.least, a.greatest + b.greatest, true}, type);
    case Operation::subtract:
      return rounded({a.least - b.greatest, a.greatest - b.least, true}, type);
    case Operation::multiply:
      return rounded(product(a, b), type);
    case Operation::divide:
      return rounded(quotient(a, b), type);
    case Operation::minimum:
      return {std::min(a.least, b.least), std::min(a.greatest, b.greatest),
              a.mayBeNan || b.mayBeNan};
    case Operation::maximum:
      return {std::max(a.least, b.least), std::max(a.greatest, b.greatest),
              a.mayBeNan || b.mayBeNan};
    case Operation::logicalAnd:
      return {std::min(a.least, b.least), std::min(a.greatest, b.greatest), false};
    case Operation::logicalOr:
      return {std::max(a.least, b.least), std::max(a.greatest, b.greatest), false};
    case Operation::where:
      return unionOf(b, operand(node, 2));
    case Operation::squareRoot:
      return a.least >= 0 ? rounded({std::sqrt(a.least), std::sqrt(a.greatest), a.mayBeNan}, type)
                          : Interval{};
    default:
      return ofLists(node, a, b);
    }
  }

  /// Bounds comparisons and reductions of lists. All other steps are unbounded.
  [[nodiscard]] Interval ofLists(const Node& node, Interval a, Interval b) const {
    const Scalar type =
        node.operands[0] == Node::none ? Scalar::Bool : m_graph->at(node.operands[0]).type.scalar;
    switch (node.operation) {
    case Operation::less:
    case Operation::lessEqual:
    case Operation::greater:
    case Operation::greaterEqual:
    case Operation::equal:
    case Operation::notEqual:
      return comparison(node.operation, a, b);
    case Operation::compareTexts:
      return ofTexts(node, a, b);
    case Operation::any: // of an empty list, `any` is false and `all` is true
      return {0, a.greatest, false};
    case Operation::all:
      return {a.least, 1, false};
    case Operation::sum:
      if (type == Scalar::Bool)
        return {0, a.greatest > 0 ? infinity : 0, false};
      return {};
    case Operation::count:
      return {0, infinity, false};
    case Operation::greatest: // of an empty list, less than all values
      return {-infinity, a.greatest, a.mayBeNan};
    case Operation::least:
      return {a.least, infinity, a.mayBeNan};
    default:
      return {};
    }
  }

  /// Bounds a comparison of texts. A text in quotes cannot equal texts that lack one of its
  /// characters.
  [[nodiscard]] Interval ofTexts(const Node& node, Interval a, Interval b) const {
    const Node &left = m_graph->at(node.operands[0]), &right = m_graph->at(node.operands[1]);
    const Node& literal = right.operation == Operation::text ? right : left;
    const Interval characters = &literal == &right ? a : b;
    bool canBeEqual = true;
    if (literal.operation == Operation::text)
      for (const char character : m_graph->charactersOf(literal)) {
        // Characters may be stored as signed or unsigned bytes.
        const auto isAmong = [&](int c) {
          return characters.least <= c && c <= characters.greatest;
        };
        canBeEqual = canBeEqual && (isAmong(static_cast<unsigned char>(character)) ||
                                    isAmong(static_cast<signed char>(character)));
      }
    switch (static_cast<Operation>(node.parameter)) {
    case Operation::equal:
      return boolOf(true, canBeEqual);
    case Operation::notEqual:
      return boolOf(canBeEqual, true);
    default:
      return anyBool;
    }
  }

  const Graph* m_graph;
  std::span<const Interval> m_intervals;
  const KnownValueBounds* m_known;
};

} // namespace

ValueBounds boundsOf(const Expression& expression, const KnownValueBounds& known) {
  const Graph& graph = expression.graph();
  std::vector<Interval> intervals(graph.size());
  const IntervalRules rules(graph, intervals, known);
  for (const std::uint32_t step : graph.stepsTo(expression.root()))
    intervals[step] = rules.of(graph.at(step));
  const Interval result = intervals[expression.root()];
  return {result.least, result.greatest, result.mayBeNan};
}

bool canHold(const Expression& expression, const KnownValueBounds& known) {
  const ValueBounds result = boundsOf(expression, known);
  return result.mayBeNan || result.least != 0 || result.greatest != 0;
}

} // namespace kaon::expression
