#pragma once

#include <kaon/model/Json.h>

#include <string>
#include <string_view>

namespace kaon {

/// Converts a member as podio's definitions write it, "std::array<float, 3> values{1}[mm] //
/// comment", to the form of kaon's documents. Relations have the same form. Throws Error(corrupt),
/// beginning with `where`, for a line without type or name.
[[nodiscard]] Json memberOfLine(std::string_view line, std::string_view where);

/// Converts a member to the form of podio's definitions.
[[nodiscard]] std::string lineOfMember(const Json& member);

} // namespace kaon
