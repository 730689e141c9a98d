#pragma once

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

} // namespace kaon::expression
