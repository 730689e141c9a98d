#pragma once

#include <kaon/expression/ListStep.h>

namespace kaon::expression {

/// Computes a step that does not work value by value. The result is valid as long as the storage
/// and the operands. Throws Error(usage) with the entry's number for an index out of range, and
/// Error(memory) if lists become too long.
[[nodiscard]] detail::ColumnValues computeLists(const ListStep& step, StepMemory& storage);

} // namespace kaon::expression
