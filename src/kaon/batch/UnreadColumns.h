#pragma once

#include <kaon/batch/Source.h>

#include <string>
#include <string_view>

namespace kaon {

/// Warns of what a source has but cannot read, if there is any: `consequence` says what that means,
/// such as "are left out".
void warnOfUnreadable(const Source& source, std::string_view consequence);

/// Why there is nothing of this name, if the source has it, or something in it, but cannot read it:
/// to be said behind that there is nothing; else "".
[[nodiscard]] std::string whyUnread(const Source& source, std::string_view name);

} // namespace kaon
