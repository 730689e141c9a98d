#pragma once

#include <kaon/detail/expression/Scope.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::expression {

/// Objects that an expression stands for.
struct ObjectMembers {
  std::vector<std::string> names; ///< Members that are values: "pt", "momentum.x", "first.pt".
  unsigned depth = 0;             ///< Number of lists around the objects.
};

/// Returns the objects that an expression stands for; nothing if it has values. Throws the errors
/// of Expression.
[[nodiscard]] std::optional<ObjectMembers> objectMembers(std::string_view text, const Scope& scope);

} // namespace kaon::expression
