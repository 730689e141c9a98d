#pragma once

#include <kaon/model/MemberTree.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kaon::expression {

/// A member that may be missing, as files store it.
struct OptionalMember {
  detail::MemberPlace present;              ///< the bool that says whether there is a value
  std::optional<detail::MemberPlace> value; ///< of a component or an array of such nothing
  std::string valuePath;                    ///< the beginning of the names of a component's members
};

/// The optional of this path in the rows of a table; nothing if it is none.
[[nodiscard]] std::optional<OptionalMember> optionalNamed(const Schema& schema, std::uint32_t table,
                                                          std::string_view path);

/// What expressions call a column: that of an optional's value by the optional's name. Nothing for
/// one that says whether there is a value.
[[nodiscard]] std::optional<std::string> columnNamed(const Schema& schema, std::uint32_t table,
                                                     std::uint32_t member);

} // namespace kaon::expression
