#pragma once

#include <kaon/expression/ListStep.h>

#include <cstdint>

namespace kaon::expression {

/// Returns whether an operation selects rows of lists.
[[nodiscard]] constexpr bool isOfRows(Operation operation) {
  return operation >= Operation::rowsWhere && operation <= Operation::rowsRelated;
}

/// Computes a step that selects rows. Throws the errors of computeLists().
[[nodiscard]] detail::ColumnValues computeRows(const ListStep& step, StepMemory& storage);

/// Packs begin and end of a slice into the detail of its node.
[[nodiscard]] constexpr std::uint64_t packed(std::int32_t begin, std::int32_t end) {
  return std::uint64_t{static_cast<std::uint32_t>(begin)} << 32U | static_cast<std::uint32_t>(end);
}

} // namespace kaon::expression
