#pragma once

#include <kaon/model/Table.h>

namespace kaon {

/// Whether each row is an optional. It has no name, so that its members are ".value", or
/// ".value.x" and others of a component, and ".has_value".
[[nodiscard]] inline bool isOptionalRow(const Members& members) noexcept {
  return !members.empty() && members[0].name.starts_with('.');
}

} // namespace kaon
