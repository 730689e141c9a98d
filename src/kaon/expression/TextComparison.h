#pragma once

#include <kaon/detail/batch/ColumnValues.h>
#include <kaon/expression/ListStep.h>

namespace kaon::expression {

/// Computes a step that compares texts, by their bytes, which is the order of characters in UTF-8.
/// Throws Error(usage) with the entry where lists that are compared differ in length.
[[nodiscard]] detail::ColumnValues compareTexts(const ListStep& step, Storage& storage);

} // namespace kaon::expression
