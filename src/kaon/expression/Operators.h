#pragma once

#include <kaon/base/Error.h>
#include <kaon/detail/expression/Graph.h>
#include <kaon/detail/expression/Scope.h>
#include <kaon/detail/expression/Value.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace kaon::expression {

/// Throws an error about the current part of an expression.
using Complaint = std::function<void(ErrorKind, const std::string&)>;

/// Adds steps to a graph. Determines types, converts operands, repeats values over lists, and
/// computes constants at once.
class Operators {
public:
  explicit Operators(Graph& graph) : m_graph(&graph) {}

  /// The text of the next steps, and the function that reports their errors.
  struct Place {
    std::string text;
    Complaint complain;
  };
  void setPlace(Place place) { m_place = std::move(place); }
  [[nodiscard]] const Place& place() const { return m_place; }
  [[nodiscard]] const std::string& text() const { return m_place.text; }

  [[nodiscard]] detail::ColumnType typeOf(Value value) const {
    return m_graph->at(value.node).type;
  }
  [[nodiscard]] bool isConstant(Value value) const { return m_graph->isConstant(value.node); }

  template <class T>
  [[nodiscard]] Value literal(T value) {
    return {constant(scalarOf<T>(), bytesOf(value)), true};
  }
  /// Returns a text in quotes, which can only be compared with texts.
  [[nodiscard]] Value text(std::string_view characters);
  /// Returns the number in place of a missing value: NaN, 0 or False.
  [[nodiscard]] Value nothing(Scalar type);

  /// Returns the result of a Python operator on numbers.
  [[nodiscard]] Value arithmetic(Operation operation, Value a, Value b);
  /// Returns the lesser or greater of two values. Integers give an integer, even if only one is
  /// signed.
  [[nodiscard]] Value extreme(Operation operation, Value a, Value b);
  [[nodiscard]] Value power(Value a, Value b);
  [[nodiscard]] Value comparison(Operation operation, Value a, Value b);
  [[nodiscard]] Value bits(Operation operation, Value a, Value b);
  [[nodiscard]] Value logical(Operation operation, Value a, Value b);
  [[nodiscard]] Value inverted(Value a); ///< `not`
  [[nodiscard]] Value negative(Value a);
  [[nodiscard]] Value complement(Value a); ///< `~`
  [[nodiscard]] Value absolute(Value a);
  [[nodiscard]] Value choice(Value condition, Value a, Value b);
  /// Returns a formula of floats; integers are converted to float64.
  [[nodiscard]] Value formula(Operation operation, std::span<const Value> operands);
  /// Returns a formula in float64 for operands of any type.
  [[nodiscard]] Value exactFormula(Operation operation, std::span<const Value> operands);
  /// Throws Error(type) if two operands are momenta, energies or masses in different units. Columns
  /// without unit fit all others.
  void requireOneUnit(std::span<const Value> operands) const;
  /// Throws Error(type) if a momentum is in another unit than GeV, in which particles' masses are.
  void requireGeV(Value momentum) const;

  [[nodiscard]] Value converted(Value a, Scalar type);
  [[nodiscard]] Value asBool(Value a);
  [[nodiscard]] Value asIndex(Value a); ///< int64
  /// Returns bools in the same lists: which values exist.
  [[nodiscard]] Value presence(Value a);
  /// Returns bools in `depth` lists: whether the optional list around each of them exists.
  [[nodiscard]] Value presenceAt(Value a, unsigned depth);
  /// Returns the result of has(): bools of the values, or of the lists if only these may be
  /// missing.
  [[nodiscard]] Value has(Value a);
  /// Returns `a`, also missing where `present` is false. If `present` has as many lists as `a`,
  /// single values are missing; if fewer, whole lists.
  [[nodiscard]] Value missingUnless(Value a, Value present);
  /// Returns bools that are true where both operands are true. An operand without a step is true
  /// everywhere.
  [[nodiscard]] Value both(Value present, Value further);
  /// Returns `a` with other values in place of missing values.
  [[nodiscard]] Value withDefault(Value a, Value otherwise);
  /// Returns whether the value is computed as a condition, unlike stored bools.
  [[nodiscard]] bool isCondition(Value a) const;
  /// Returns an integer that is written as a number; nothing for other values.
  [[nodiscard]] std::optional<std::int64_t> writtenInteger(Value a);
  /// Converts two values to a common type: their own, or the type of arithmetic with them.
  void unify(Value& a, Value& b);

  [[nodiscard]] Value reduction(Operation operation, Value a);
  /// Returns the lengths of the lists of a level (1: outermost).
  [[nodiscard]] Value count(Value lists, unsigned level);
  /// Returns the index of each value of a level in its list.
  [[nodiscard]] Value indices(Value lists, unsigned level);
  [[nodiscard]] Value inOrder(Operation operation, Value a); ///< sort, sortedIndices
  [[nodiscard]] Value concatenated(Value a, Value b);

  /// Returns the step that defines the lists of a value. Values that certainly share their lists
  /// have the same step.
  [[nodiscard]] Value listsOf(Value a);
  /// Returns the lists of a table's columns.
  [[nodiscard]] Value listsOfTable(const std::string& table, unsigned depth);
  /// @param text the name in messages, if not the column's
  [[nodiscard]] Value column(const ColumnName& column, std::string_view text = {});
  [[nodiscard]] Value rows(Operation operation, std::span<const Value> operands, unsigned level,
                           unsigned depth, std::uint64_t detail = 0);
  /// Returns the values at rows of `lists`, and `otherwise` for rowOfNone.
  [[nodiscard]] Value gathered(Value a, Value rows, Value lists, unsigned level, Value otherwise);
  [[nodiscard]] Value filled(Value a);

  [[noreturn]] void fail(ErrorKind kind, const std::string& message) const;

private:
  template <class T>
  [[nodiscard]] static std::uint64_t bytesOf(T value);
  [[nodiscard]] std::uint32_t constant(Scalar type, std::uint64_t bytes);
  template <class T>
  [[nodiscard]] T constantAs(Value a) const;
  [[nodiscard]] Scalar scalarOfValue(Value value) const { return typeOf(value).scalar; }
  [[nodiscard]] Scalar arithmeticType(Value a, Value b) const;
  [[nodiscard]] Scalar comparisonType(Value a, Value b) const;
  [[nodiscard]] bool fits(Value literal, Scalar type) const;
  [[nodiscard]] Value mixedComparison(Operation operation, Value a, Value b);
  [[nodiscard]] Value textComparison(Operation operation, Value a, Value b);
  [[nodiscard]] Value elementwise(Operation operation, Scalar type,
                                  std::span<const Value> operands);
  [[nodiscard]] Value elementwise(Operation operation, Scalar type,
                                  std::initializer_list<Value> operands) {
    return elementwise(operation, type, std::span(operands));
  }
  [[nodiscard]] Value spreadOver(Value value, Value lists, unsigned depth);
  [[nodiscard]] bool implies(std::uint32_t step, std::uint32_t other) const;
  [[nodiscard]] Value presentOf(Value result, std::span<const Value> operands);
  [[nodiscard]] Value gatheredLists(Value a, Value rows, Value lists, unsigned level,
                                    Value otherwise);
  [[nodiscard]] Value presentOnly(Value lists);
  [[nodiscard]] bool overflows(Operation operation, std::span<const Value> operands) const;
  /// Adds a step with these operands.
  [[nodiscard]] Value step(Node node, std::span<const Value> operands);
  [[nodiscard]] Value step(const Node& node, std::initializer_list<Value> operands) {
    return step(node, std::span(operands));
  }
  [[nodiscard]] Value folded(const Node& node, std::span<const Value> operands);
  [[nodiscard]] Value formulaAs(Operation operation, Scalar type, std::span<const Value> operands);
  void requireLists(Value a, const char* what) const;
  void requireNumbers(Value a) const;
  [[nodiscard]] std::uint32_t columnWithUnit(std::uint32_t step) const;

  Graph* m_graph;
  Place m_place;
  std::unordered_map<std::uint32_t, std::string> m_tables; // tables of inputs
  std::unordered_map<std::uint32_t, std::string> m_units;  // units of inputs, if they are known
};

} // namespace kaon::expression
