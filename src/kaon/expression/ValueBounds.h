#pragma once

#include <kaon/detail/expression/Expression.h>

#include <functional>
#include <optional>

namespace kaon::expression {

/// The known bounds of a column's values in some entries, through all lists.
struct ValueBounds {
  double least = 0; ///< At most the least value; rounded down if a double cannot represent it.
  double greatest = 0;
  bool mayBeNan = true; ///< For floats: whether NaN may occur.
};

/// Returns the extremes of a column; nothing if unknown.
using KnownValueBounds = std::function<std::optional<ValueBounds>(const Input& column)>;

/// Returns whether a condition can be true for any entry with these extremes. If not, the entries
/// need not be read. Returns true in case of doubt. The expression must have one number per entry.
[[nodiscard]] bool canHold(const Expression& expression, const KnownValueBounds& known);
/// Returns the bounds of an expression's values, through all lists.
[[nodiscard]] ValueBounds boundsOf(const Expression& expression, const KnownValueBounds& known);

} // namespace kaon::expression
