#pragma once

#include <array>
#include <cstddef>

namespace kaon::expression {

/// The operands of a step that works value by value. A constant is one value for all.
struct ElementwiseOperands {
  std::array<const std::byte*, 4> values = {};
  std::array<bool, 4> isConstant = {};
  std::byte* result = nullptr;
  /// Number of values of the result, and of each operand that is not constant.
  std::size_t size = 0;
};

using ElementwiseKernel = void (*)(const ElementwiseOperands&);

} // namespace kaon::expression
