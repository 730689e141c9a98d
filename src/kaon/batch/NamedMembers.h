#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/batch/ColumnPlace.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::detail {

// What a source calls so. Where there is nothing, the error says if that is because it is not read.

/// As Schema::memberNamed().
[[nodiscard]] std::pair<std::uint32_t, std::uint32_t> memberNamed(const Source& source,
                                                                  std::string_view name);
/// As Schema::membersBelow().
[[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>>
membersBelow(const Source& source, std::string_view name);
/// As Schema::valueNamed().
[[nodiscard]] MemberPlace valueNamed(const Source& source, std::string_view name);
/// As membersBelow(), also by the own name of an optional: with the bools that say where optionals
/// are there.
[[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>>
valuesBelow(const Source& source, std::string_view name);
/// As columnPlace() of the schema.
[[nodiscard]] detail::ColumnPlace columnPlace(const Source& source, std::string_view name);

} // namespace kaon::detail
