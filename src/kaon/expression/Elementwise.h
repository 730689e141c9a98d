#pragma once

#include <kaon/detail/expression/Graph.h>
#include <kaon/expression/ElementwiseKernel.h>

namespace kaon::expression {

/// Whether an operation goes value by value: all from `negate` to `rapidity`, and `convert`.
[[nodiscard]] constexpr bool isElementwise(Operation operation) {
  return operation == Operation::convert ||
         (operation >= Operation::negate && operation <= Operation::rapidity);
}

/// The loop for an operation whose operands (of `where`: the last two) are of the type `operand`
/// and whose result is of the type `result`. Null: there is none for these types.
///
/// Arithmetic is done in int64, uint64, float32 or float64. Integers wrap around; `//` and `%` by
/// zero give 0 for them, as in NumPy; they round to -∞ as in Python. Floats follow IEEE 754; the
/// least and the greatest of two values is NaN if one is.
[[nodiscard]] ElementwiseKernel elementwiseKernel(Operation operation, Scalar operand,
                                                  Scalar result);

} // namespace kaon::expression
