#pragma once

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace kaon::detail {

/// Returns the value of an option, an enum whose values have these names in their order. Throws
/// Error(name) with a suggestion.
template <class Enum>
[[nodiscard]] Enum optionValue(std::string_view option, std::span<const std::string_view> names,
                               std::string_view name) {
  const auto place = std::ranges::find(names, name);
  if (place != names.end())
    return static_cast<Enum>(place - names.begin());
  std::string all;
  for (const std::string_view known : names)
    all.append(all.empty() ? "" : ", ").append(known);
  fail(ErrorKind::name, "'", name, "' is not a value of '", option, "'",
       suggestion(name, {names.begin(), names.end()}), "; its values are ", all);
}

} // namespace kaon::detail
