#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

/// The name of a C++ type in one spelling: without `std::` and blanks that mean nothing.
[[nodiscard]] std::string normalTypeName(std::string_view name);

/// A type's name taken apart: "vector<pair<int,float>>" is "vector" of "pair<int,float>".
struct TypeParts {
  std::string_view name;
  std::vector<std::string_view> arguments;
};

/// Takes a name in its normal spelling apart; the parts point into it.
[[nodiscard]] TypeParts partsOfType(std::string_view normalName);

/// Whether it is a std::array.
[[nodiscard]] bool isStandardArray(std::string_view normalName) noexcept;

} // namespace kaon::root
