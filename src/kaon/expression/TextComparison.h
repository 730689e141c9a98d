#pragma once

#include <kaon/detail/reading/ColumnValues.h>
#include <kaon/expression/ListStep.h>

namespace kaon::expression {

/// Computes a step that compares texts by their bytes; in UTF-8, this is the order of characters.
/// Throws Error(usage) with the entry's number if compared lists differ in length.
[[nodiscard]] detail::ColumnValues compareTexts(const ListStep& step, StepMemory& storage);

} // namespace kaon::expression
