#pragma once

#include <kaon/detail/reading/ColumnValues.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kaon::expression {

/// The operations on columns. Each group is computed in its own way, see Evaluation.cpp.
enum class Operation : std::uint8_t {
  input,    ///< Parameter: the column's number.
  constant, ///< Parameter: the value's bytes.
  text,     ///< A text in quotes; parameter: its number.
  fill,     ///< Repeats a constant for each entry.
  convert,  ///< Converts to the node's type.
  spread,   ///< Operands: value, lists. Repeats each value for all values in its lists.

  // Operations value by value. All operands and the result have the same lists.
  negate,
  absolute,
  invert,
  logicalNot,
  add,
  subtract,
  multiply,
  divide,
  floorDivide,
  modulo,
  minimum,
  maximum,
  bitAnd,
  bitOr,
  bitXor,
  shiftLeft,
  shiftRight,
  logicalAnd,
  logicalOr,
  less,
  lessEqual,
  greater,
  greaterEqual,
  equal,
  notEqual,
  where, ///< operands: condition, value, value
  squareRoot,
  exponential,
  logarithm,
  logarithm10,
  sine,
  cosine,
  tangent,
  arcSine,
  arcCosine,
  arcTangent,
  hyperbolicSine,
  hyperbolicCosine,
  hyperbolicTangent,
  floor,
  ceiling,
  round,
  isNan,
  isFinite,
  power,
  arcTangent2,
  hypotenuse,
  deltaPhi,
  deltaR,
  transverseMass,
  px,
  py,
  pz,
  pt,
  phi,
  p,
  eta,
  theta,
  energy,
  mass,
  particleMass, ///< of a PDG number
  particleCharge,
  rapidity,

  // Operations that return one value for each innermost list.
  sum,
  product,
  any,
  all,
  count, ///< operand: lists; parameter: their level
  least,
  greatest,
  mean,
  indexOfLeast,
  indexOfGreatest,

  compareTexts, ///< parameter: the comparison, less to notEqual

  sort, ///< sorts the values of each list, ascending
  sortedIndices,
  indices,     ///< The index of each value in its list. Operand: lists; parameter: their level.
  concatenate, ///< Joins two lists of each entry.

  // Operations that return rows: the numbers of values or lists among all those in the lists of the
  // first operand. `parameter` is the level of these lists (1: outermost). A row may be rowOfNone.
  rowsWhere, ///< Operands: lists, mask. Rows where the mask is true.
  /// Operands: lists, index, guard. One row of each list; the guard tells where errors matter.
  rowsAt,
  rowsAtOrNone,    ///< Operands: lists, index. As rowsAt; rowOfNone for indices out of range.
  rowsTaken,       ///< Operands: lists, indices. Rows of each entry's list.
  rowsTakenOrNone, ///< Operands: lists, indices. As rowsTaken; rowOfNone for indices out of range.
  rowsSliced,      ///< Operand: lists; detail: begin and end.
  /// Operands: lists, rows of the first members. Detail: 8 * members + wanted member.
  rowsCombined,
  rowsPaired,       ///< Operands: lists, others. Each row, repeated for each of the others.
  rowsPairedBehind, ///< Operands: lists, others, their rowsPaired. The rows of the others.
  rowsRelated,      ///< Operands: lists, index, collection. Detail: the collection of the lists.
  gather,           ///< Operands: values, rows, lists, values for rowOfNone.
};

/// Returns whether one value takes as long as ten additions or more.
[[nodiscard]] constexpr bool isCostly(Operation operation) noexcept {
  return (operation >= Operation::exponential && operation <= Operation::hyperbolicTangent) ||
         (operation >= Operation::power && operation <= Operation::rapidity) ||
         operation == Operation::sort || operation == Operation::sortedIndices ||
         (operation >= Operation::rowsCombined && operation <= Operation::rowsRelated);
}

inline constexpr std::uint32_t rowOfNone = ~std::uint32_t{0};

/// A step of a computation: an operation on the results of earlier steps.
struct Node {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  Operation operation = Operation::constant;
  detail::ColumnType type;
  std::array<std::uint32_t, 4> operands = {none, none, none, none};
  std::uint64_t parameter = 0;
  std::uint64_t detail = 0;
  friend bool operator==(const Node&, const Node&) = default;

  [[nodiscard]] unsigned arity() const {
    unsigned count = 0;
    while (count < operands.size() && operands[count] != none)
      ++count;
    return count;
  }
};

/// A column that an expression needs.
struct Input {
  std::string name;
  detail::ColumnType type; ///< for isListsOnly: bool, with the depth of the lists
  /// Only the lists are read, not the values. `name` is then a table.
  bool isListsOnly = false;
  friend bool operator==(const Input&, const Input&) = default;
};

/// The steps of one or several expressions. Operands come first, and equal steps exist once.
class Graph {
public:
  /// Adds a step and returns its number. If an equal step exists, returns its number. `text` is the
  /// part of the expression, for messages.
  std::uint32_t add(const Node& node, std::string_view text);
  std::uint32_t addInput(const Input& input, std::string_view text);
  std::uint32_t addText(std::string_view characters, std::string_view text);
  /// Adds all steps of another graph. Returns their numbers in this graph.
  std::vector<std::uint32_t> add(const Graph& other);

  [[nodiscard]] const Node& at(std::uint32_t node) const { return m_nodes[node]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(m_nodes.size()); }
  [[nodiscard]] std::span<const Input> inputs() const { return m_inputs; }
  /// Returns the characters of a text step, without quotes.
  [[nodiscard]] std::string_view charactersOf(const Node& node) const {
    return m_characters[node.parameter];
  }
  [[nodiscard]] const std::string& textOf(std::uint32_t node) const { return m_texts[node]; }
  /// Returns the steps that a step depends on, and the step itself as the last.
  [[nodiscard]] std::vector<std::uint32_t> stepsTo(std::uint32_t node) const;
  [[nodiscard]] bool isConstant(std::uint32_t node) const {
    return m_nodes[node].operation == Operation::constant;
  }

private:
  struct Hash {
    std::size_t operator()(const Node& node) const noexcept;
  };
  std::vector<Node> m_nodes;
  std::vector<std::string> m_texts;
  std::vector<Input> m_inputs;
  std::vector<std::string> m_characters;
  std::unordered_map<Node, std::uint32_t, Hash> m_numbers;
};

} // namespace kaon::expression
