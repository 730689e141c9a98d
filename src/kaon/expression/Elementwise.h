#pragma once

#include <kaon/detail/expression/Graph.h>
#include <kaon/expression/ElementwiseKernel.h>

namespace kaon::expression {

/// Returns whether an operation works value by value: from `negate` to `rapidity`, and `convert`.
[[nodiscard]] constexpr bool isElementwise(Operation operation) {
  return operation == Operation::convert ||
         (operation >= Operation::negate && operation <= Operation::rapidity);
}

/// Returns the loop for an operation with operands of type `operand` and a result of type `result`.
/// For `where`, `operand` is the type of the last two operands. Returns null for unsupported types.
///
/// Arithmetic uses int64, uint64, float32 or float64. Integers wrap around; `//` rounds down as in
/// Python, and `//` and `%` by zero return 0 as in NumPy. Floats follow IEEE 754. `minimum` and
/// `maximum` return NaN if an operand is NaN.
[[nodiscard]] ElementwiseKernel elementwiseKernel(Operation operation, Scalar operand,
                                                  Scalar result);

} // namespace kaon::expression
