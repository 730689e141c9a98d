#pragma once

#include <kaon/expression/ListStep.h>

namespace kaon::expression {

/// Whether an operation makes one value of each list.
[[nodiscard]] constexpr bool isReduction(Operation operation) {
  return operation >= Operation::sum && operation <= Operation::indexOfGreatest;
}

/// Computes such a step.
[[nodiscard]] detail::ColumnValues reduction(const ListStep& step, Storage& storage);

} // namespace kaon::expression
