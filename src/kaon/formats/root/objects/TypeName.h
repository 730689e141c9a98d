#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

/// Returns the name of a C++ type in its normal spelling: without `std::`, `const` before types,
/// and unnecessary blanks.
[[nodiscard]] std::string normalTypeName(std::string_view name);

/// The parts of a type's name: "vector<pair<int,float>>" is "vector" of "pair<int,float>".
struct TypeParts {
  std::string_view name;
  std::vector<std::string_view> arguments;
};

/// Splits a name in its normal spelling. The parts point into it.
[[nodiscard]] TypeParts partsOfType(std::string_view normalName);

/// Whether the name is that of a std::array.
[[nodiscard]] bool isStandardArray(std::string_view normalName) noexcept;

} // namespace kaon::root
