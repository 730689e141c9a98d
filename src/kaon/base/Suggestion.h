#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// " (did you mean 'x'?)" with the known name nearest to `name`, or "" when none is near.
[[nodiscard]] std::string suggestion(std::string_view name, const std::vector<std::string>& known);

} // namespace kaon
