#pragma once

#include <kaon/expression/Graph.h>
#include <kaon/expression/Scope.h>

#include <string_view>

namespace kaon::expression {

/// What an expression means: steps, the last of which is its result.
struct Bound {
  Graph graph;
  std::uint32_t root = Node::none; ///< none: it is a record, which only its members have values of
};

/// Reads an expression and finds what its names mean and the types of all its parts. Throws Error
/// with the text, a place in it, and what was meant.
[[nodiscard]] Bound bindExpression(std::string_view text, const Scope& scope);

} // namespace kaon::expression
