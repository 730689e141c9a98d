#pragma once

#include <kaon/expression/ListStep.h>

namespace kaon::expression {

/// Returns whether an operation returns one value for each list.
[[nodiscard]] constexpr bool isReduction(Operation operation) {
  return operation >= Operation::sum && operation <= Operation::indexOfGreatest;
}

/// Computes a reduction.
[[nodiscard]] detail::ColumnValues reduction(const ListStep& step, StepMemory& storage);

} // namespace kaon::expression
