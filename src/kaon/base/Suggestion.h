#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// How many letters differ, were added or are missing, upper and lower case being equal; neighbours
/// that changed places are one mistake.
[[nodiscard]] std::size_t mistakesIn(std::string_view name, std::string_view known);

/// " (did you mean 'x'?)" with the known name nearest to `name`, or "" when none is near.
[[nodiscard]] std::string suggestion(std::string_view name, const std::vector<std::string>& known);

} // namespace kaon
