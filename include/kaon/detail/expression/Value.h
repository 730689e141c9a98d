#pragma once

#include <kaon/detail/expression/Graph.h>

#include <cstdint>

namespace kaon::expression {

/// A column or number in an expression.
struct Value {
  std::uint32_t node = Node::none;
  /// Written as a number: it takes the type of what it meets, as Python's numbers do in NumPy.
  bool isLiteral = false;
  /// Bools in the same lists: where there is a value, and not a missing one. No step: everywhere.
  std::uint32_t present = Node::none;
  /// What stands where there is no object.
  bool isNothing = false;
  /// Bools in fewer lists: where there is a list, which may be missing as a whole. No step:
  /// everywhere.
  std::uint32_t presentLists = Node::none;

  [[nodiscard]] bool mayBeMissing() const noexcept {
    return present != Node::none || mayLackLists();
  }
  [[nodiscard]] bool mayLackLists() const noexcept { return presentLists != Node::none; }
  /// Without what says where it is missing.
  [[nodiscard]] Value stored() const noexcept { return {node, isLiteral}; }
  /// As if no list were missing as a whole.
  [[nodiscard]] Value withLists() const noexcept { return {node, isLiteral, present, isNothing}; }
};

} // namespace kaon::expression
