#pragma once

#include <kaon/model/Json.h>

#include <string>
#include <string_view>

namespace kaon {

/// A member as podio's definitions write it, "std::array<float, 3> values{1}[mm] // comment", as
/// kaon's documents have it. Relations are written so too. Throws Error(corrupt), which begins with
/// `where`, for a line without type or name.
[[nodiscard]] Json memberOfLine(std::string_view line, std::string_view where);

/// The inverse.
[[nodiscard]] std::string lineOfMember(const Json& member);

} // namespace kaon
