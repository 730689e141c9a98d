#pragma once

#include <kaon/expression/Graph.h>

#include <array>
#include <cstddef>

namespace kaon::expression {

/// What a step that goes value by value works on. Constants are one value for all.
struct ElementwiseOperands {
  std::array<const std::byte*, 4> values = {};
  std::array<bool, 4> isConstant = {};
  std::byte* result = nullptr;
  std::size_t size = 0; ///< of the result, and of all operands that are no constants
};

using ElementwiseKernel = void (*)(const ElementwiseOperands&);

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
