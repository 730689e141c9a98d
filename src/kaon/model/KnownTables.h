#pragma once

#include <kaon/model/Schema.h>

#include <string_view>

namespace kaon {

/// Throws Error(usage) unless a batch begins with the tables that its category has so far. The
/// batch may have fewer tables, or further ones.
void checkKnownTables(const Schema& batch, const Schema& known, std::string_view file,
                      std::string_view category);

} // namespace kaon
