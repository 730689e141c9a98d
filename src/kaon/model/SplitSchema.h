#pragma once

#include <kaon/model/Schema.h>

namespace kaon {

/// Returns the same tables in Layout::split, where each column is stored by itself.
[[nodiscard]] Schema splitSchema(const Schema& schema);

} // namespace kaon
