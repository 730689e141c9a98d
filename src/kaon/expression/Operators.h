#pragma once

#include <kaon/base/Error.h>
#include <kaon/detail/expression/Graph.h>
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

/// Throws an error about the part of an expression that is being looked at.
using Complaint = std::function<void(ErrorKind, const std::string&)>;

/// Adds steps to a graph: finds the types of what is combined, converts, spreads values over lists,
/// and computes what is constant at once.
class Operators {
public:
  explicit Operators(Graph& graph) : m_graph(&graph) {}

  /// What steps are called from now on, and how their errors are told.
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
  /// A text in quotes, which can be compared with others and nothing else.
  [[nodiscard]] Value text(std::string_view characters);
  /// What stands where there is no value: NaN, 0, False.
  [[nodiscard]] Value nothing(Scalar type);

  /// Python's operators on numbers.
  [[nodiscard]] Value arithmetic(Operation operation, Value a, Value b);
  /// The less or the greater of two: of integers an integer, also of signed and unsigned ones.
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
  /// A formula of floats: integers become float64.
  [[nodiscard]] Value formula(Operation operation, std::span<const Value> operands);
  /// A formula in float64 for operands of any type.
  [[nodiscard]] Value exactFormula(Operation operation, std::span<const Value> operands);

  [[nodiscard]] Value converted(Value a, Scalar type);
  [[nodiscard]] Value asBool(Value a);
  [[nodiscard]] Value asIndex(Value a); ///< int64
  /// Bools in the same lists: which values exist.
  [[nodiscard]] Value presence(Value a);
  /// Bools in `depth` lists: whether the optional list around each of them exists.
  [[nodiscard]] Value presenceAt(Value a, unsigned depth);
  /// What has() gives: bools of the values, or of the lists if only these may be missing.
  [[nodiscard]] Value has(Value a);
  /// Returns `a`, also missing where `present` is false: single values if `present` has as many
  /// lists, whole lists if it has fewer.
  [[nodiscard]] Value missingUnless(Value a, Value present);
  /// Bools of what is there only where both say so; no step: everything is there.
  [[nodiscard]] Value both(Value present, Value further);
  /// With other values where they are missing.
  [[nodiscard]] Value withDefault(Value a, Value otherwise);
  /// Whether it is a comparison or the like, and not bools that are stored.
  [[nodiscard]] bool isCondition(Value a) const;
  /// An integer that is written as a number; nothing if it is none that is known.
  [[nodiscard]] std::optional<std::int64_t> writtenInteger(Value a);
  /// The two in one type: their own, or that of arithmetic with them.
  void unify(Value& a, Value& b);

  [[nodiscard]] Value reduction(Operation operation, Value a);
  /// How many there are in each list of a level (1: the outermost lists).
  [[nodiscard]] Value count(Value lists, unsigned level);
  /// Which one of its list each value of a level is.
  [[nodiscard]] Value indices(Value lists, unsigned level);
  [[nodiscard]] Value inOrder(Operation operation, Value a); ///< sort, sortedIndices
  [[nodiscard]] Value concatenated(Value a, Value b);

  /// The step that says where the lists of a value lie: the same one for values of which it is
  /// known that their lists are the same.
  [[nodiscard]] Value listsOf(Value a);
  /// The lists of a table's columns.
  [[nodiscard]] Value listsOfTable(const std::string& table, unsigned depth);
  /// @param text what messages call it, if not its name
  [[nodiscard]] Value column(const std::string& name, detail::ColumnType type,
                             const std::string& table, std::string_view text = {});
  [[nodiscard]] Value rows(Operation operation, std::span<const Value> operands, unsigned level,
                           unsigned depth, std::uint64_t detail = 0);
  /// The values of rows that rows() gave of `lists`; `otherwise` for those that are none.
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

  Graph* m_graph;
  Place m_place;
  std::unordered_map<std::uint32_t, std::string> m_tables; // of inputs
};

} // namespace kaon::expression
