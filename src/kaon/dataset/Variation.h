#pragma once

#include <kaon/detail/dataset/DataframeNode.h>

#include <string_view>

// The differences of a variation from the nominal result. "" is the nominal one.

namespace kaon {

/// Returns whether a column differs in a variation.
[[nodiscard]] bool isVaried(const detail::ColumnId& id, std::string_view variation);
/// Returns whether the entries after a step differ in a variation. Null: all entries.
[[nodiscard]] bool isVaried(const detail::DataframeNode* node, std::string_view variation);

} // namespace kaon
