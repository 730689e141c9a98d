#pragma once

#include <kaon/model/Table.h>

namespace kaon {

/// Returns whether each row is an optional. An optional row has no name: its members are ".value"
/// and ".has_value". The value of a component has the members ".value.x" and so on.
[[nodiscard]] inline bool isOptionalRow(const Members& members) noexcept {
  return !members.empty() && members[0].name.starts_with('.');
}

} // namespace kaon
