#pragma once

#include <kaon/detail/batch/ColumnValues.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kaon::expression {

/// What is done to columns. The groups are computed each in a way of its own, see Evaluation.cpp.
enum class Operation : std::uint8_t {
  input,    ///< parameter: its number
  constant, ///< parameter: the value's bytes
  text,     ///< a text in quotes; parameter: its number
  fill,     ///< a constant, for each entry
  convert,  ///< to the node's type
  spread,   ///< value, lists: each value of it for all values of the lists that lie in its place

  // One after another, value by value: all operands and the result are of the same lists.
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
  where, ///< condition, value, value
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
  rapidity,

  // Of the innermost lists: one value each.
  sum,
  product,
  any,
  all,
  count, ///< lists; parameter: of which level
  least,
  greatest,
  mean,
  indexOfLeast,
  indexOfGreatest,

  compareTexts, ///< parameter: the comparison, less to notEqual

  sort, ///< the values of each list, ascending
  sortedIndices,
  indices,     ///< lists; parameter: of which level; each value's index in its list
  concatenate, ///< two lists an entry as one

  // Rows: numbers of values, or of lists, among all that lie in the lists of the first operand at
  // the level `parameter` says (1: the outermost lists), or rowOfNone.
  rowsWhere,        ///< lists, mask: where it is true
  rowsAt,           ///< lists, index, guard: one of each list; the guard says where it matters
  rowsAtOrNone,     ///< lists, index: none where the list has no such value
  rowsTaken,        ///< lists, indices: those of each entry's list
  rowsTakenOrNone,  ///< lists, indices
  rowsSliced,       ///< lists; detail: begin and end
  rowsCombined,     ///< lists, rows of the first members; detail: 8 * how many members + which one
  rowsPaired,       ///< lists, other lists: for each of these all of the others
  rowsPairedBehind, ///< the same and rowsPaired: the rows of the others
  rowsRelated,      ///< lists, index, collection; detail: the number of the collection of the lists
  gather,           ///< values, rows, lists that they are of, what is taken for rowOfNone
};

/// Whether a value of it takes as long as ten additions or more.
[[nodiscard]] constexpr bool isCostly(Operation operation) noexcept {
  return (operation >= Operation::exponential && operation <= Operation::hyperbolicTangent) ||
         (operation >= Operation::power && operation <= Operation::rapidity) ||
         operation == Operation::sort || operation == Operation::sortedIndices ||
         (operation >= Operation::rowsCombined && operation <= Operation::rowsRelated);
}

inline constexpr std::uint32_t rowOfNone = ~std::uint32_t{0};

/// A step of a computation: an operation, and the earlier steps that it takes its operands from.
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
  detail::ColumnType type; ///< of lists only: bool, and its depth
  /// Only where the lists lie is looked at: the column may be any of the table of this name.
  bool isListsOnly = false;
  friend bool operator==(const Input&, const Input&) = default;
};

/// The steps of one or several expressions, operands first, the same step only once.
class Graph {
public:
  /// The number of the step, which is an earlier one if that does the same. `text` is what a user
  /// would recognise it by.
  std::uint32_t add(const Node& node, std::string_view text);
  std::uint32_t addInput(const Input& input, std::string_view text);
  std::uint32_t addText(std::string_view characters, std::string_view text);
  /// Adds all steps of another graph; returns the numbers that they have here.
  std::vector<std::uint32_t> add(const Graph& other);

  [[nodiscard]] const Node& at(std::uint32_t node) const { return m_nodes[node]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(m_nodes.size()); }
  [[nodiscard]] std::span<const Input> inputs() const { return m_inputs; }
  /// What stands between the quotes of a step that is a text.
  [[nodiscard]] std::string_view charactersOf(const Node& node) const {
    return m_characters[node.parameter];
  }
  [[nodiscard]] const std::string& textOf(std::uint32_t node) const { return m_texts[node]; }
  /// Which steps lead to this one, itself the last.
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
