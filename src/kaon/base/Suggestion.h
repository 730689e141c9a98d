#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// Returns the number of letters that differ, were added or are missing, ignoring case; two swapped
/// neighbours count once.
[[nodiscard]] std::size_t mistakesIn(std::string_view name, std::string_view known);

/// Returns " (did you mean 'x'?)" with the nearest known name, or "". Namespaces may differ.
[[nodiscard]] std::string suggestion(std::string_view name, const std::vector<std::string>& known);

} // namespace kaon
