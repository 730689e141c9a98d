#pragma once

#include <kaon/expression/Expression.h>

#include <functional>
#include <optional>

namespace kaon::expression {

/// What is known of the values of a column in some entries, in all its lists.
struct Extremes {
  double least = 0; ///< no value is less; where a double cannot be it, the next lower one
  double greatest = 0;
  bool mayBeNan = true; ///< of floats: whether there may be NaN beside these
};

/// The extremes of a column; nothing where they are not known.
using KnownExtremes = std::function<std::optional<Extremes>(const Input& column)>;

/// Whether a condition can be true in any of the entries whose columns have these extremes: if
/// not, nobody has to read them. True where it cannot be told. The expression is a number an entry.
[[nodiscard]] bool canHold(const Expression& expression, const KnownExtremes& known);
/// What follows for the values of an expression, in all its lists.
[[nodiscard]] Extremes extremesOf(const Expression& expression, const KnownExtremes& known);

} // namespace kaon::expression
