#pragma once

#include <kaon/detail/dataset/Node.h>

#include <string_view>

// What is different in a variation, "" for none.

namespace kaon {

/// Whether a column is another one in a variation.
[[nodiscard]] bool isVaried(const detail::ColumnId& id, std::string_view variation);
/// Whether there are other entries after a step in a variation; null: all entries.
[[nodiscard]] bool isVaried(const detail::Node* node, std::string_view variation);

} // namespace kaon
