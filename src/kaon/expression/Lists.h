#pragma once

#include <kaon/expression/ListStep.h>

namespace kaon::expression {

/// Computes a step that is not one of single values. The result lasts as long as the storage and
/// the operands. Throws Error(usage) with the entry where a list has no value of an index, and
/// Error(memory) where lists would become too long.
[[nodiscard]] detail::ColumnValues computeLists(const ListStep& step, Storage& storage);

} // namespace kaon::expression
