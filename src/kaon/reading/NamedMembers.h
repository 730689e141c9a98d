#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/reading/ColumnLocator.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::detail {

// These functions find members of a source by name. If a name is unknown, the error says whether
// the file has it, but kaon cannot read it.

/// Returns the result of Schema::memberNamed().
[[nodiscard]] TableMember memberNamed(const Source& source, std::string_view name);
/// Returns the result of Schema::membersBelow().
[[nodiscard]] std::vector<TableMember> membersBelow(const Source& source, std::string_view name);
/// Returns the result of Schema::valueNamed().
[[nodiscard]] TableMember valueNamed(const Source& source, std::string_view name);
/// Returns the members of Schema::valuesBelow() and the bools that tell where optionals are
/// present.
[[nodiscard]] std::vector<TableMember> valuesBelow(const Source& source, std::string_view name);
/// Returns the result of columnPlace() for the schema.
[[nodiscard]] detail::ColumnLocator columnPlace(const Source& source, std::string_view name);

} // namespace kaon::detail
