#pragma once

#include <kaon/batch/Source.h>

#include <string_view>

namespace kaon {

/// Warns of what a source has but cannot read, if there is any: `consequence` says what that means,
/// such as "are left out".
void warnOfUnreadable(const Source& source, std::string_view consequence);

} // namespace kaon
