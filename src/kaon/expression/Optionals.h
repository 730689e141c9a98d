#pragma once

#include <kaon/model/MemberTree.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kaon::expression {

/// A member that may be missing, as stored in files.
struct OptionalMember {
  TableMember present;              ///< The bool that tells whether the value exists.
  std::optional<TableMember> value; ///< Empty for a component or an array of components.
  std::string valuePath;            ///< Prefix of the names of a component's members.
  std::uint32_t rows;               ///< The table with the rows of the value.
};

/// Returns the optional of this path in the rows of a table, or nothing.
[[nodiscard]] std::optional<OptionalMember> optionalNamed(const Schema& schema, TableNumber table,
                                                          std::string_view path);

/// Returns the name of a column in expressions. The value of an optional has the optional's name;
/// its presence has no name.
[[nodiscard]] std::optional<std::string> columnNamed(const Schema& schema, TableNumber table,
                                                     MemberNumber member);

} // namespace kaon::expression
