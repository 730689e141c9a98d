#pragma once

#include <kaon/dataset/MissingData.h>

#include <string_view>

namespace kaon::python {

/// Returns the policy of a name: "raise", "skip" or "report". Throws Error(usage), with a
/// suggestion, for other names.
[[nodiscard]] OnBadFile badFilePolicy(std::string_view name);

} // namespace kaon::python
