#pragma once

#include <kaon/detail/expression/Graph.h>

#include <cstdint>

namespace kaon::expression {

/// A column or number in an expression.
struct Value {
  std::uint32_t node = Node::none;
  /// A number in the text. It adopts the type of the other operand, like Python's numbers in NumPy.
  bool isLiteral = false;
  /// The step with bools in the same lists: true if the value exists. No step: all exist.
  std::uint32_t present = Node::none;
  /// Whether it is the value of a reference that leads to no object.
  bool isNothing = false;
  /// The step with bools in fewer lists: false if the whole list is missing. No step: all exist.
  std::uint32_t presentLists = Node::none;

  [[nodiscard]] bool mayBeMissing() const noexcept {
    return present != Node::none || mayLackLists();
  }
  [[nodiscard]] bool mayLackLists() const noexcept { return presentLists != Node::none; }
  /// The stored numbers, without the steps that tell which exist.
  [[nodiscard]] Value stored() const noexcept { return {node, isLiteral}; }
  /// Returns the value as if no list were missing as a whole.
  [[nodiscard]] Value withLists() const noexcept { return {node, isLiteral, present, isNothing}; }
};

} // namespace kaon::expression
