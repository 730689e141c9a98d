#pragma once

#include <kaon/model/Schema.h>

namespace kaon {

/// The same tables, each column of which lies by itself (Layout::split).
[[nodiscard]] Schema splitSchema(const Schema& schema);

} // namespace kaon
