#pragma once

#include <kaon/model/Schema.h>

#include <string_view>

namespace kaon {

/// Checks that a batch begins with the tables that the category it is written to has by now, as far
/// as it has so many: further ones may follow. Throws Error(usage).
void checkKnownTables(const Schema& batch, const Schema& known, std::string_view file,
                      std::string_view category);

} // namespace kaon
