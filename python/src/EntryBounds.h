#pragma once

#include <kaon/event/Reader.h>

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace kaon::python {

/// The bits of the least and the greatest value, whether there are no values except NaN, and
/// whether there are NaNs.
using BoundsOfValues = std::tuple<std::uint64_t, std::uint64_t, bool, bool>;
/// The first entry, the entry after the last, and the bounds if the file has them.
using BoundsOfEntries = std::tuple<std::uint64_t, std::uint64_t, std::optional<BoundsOfValues>>;

/// Returns the bounds of a member's values in each cluster, or in each page. Throws Error(usage) if
/// the member does not exist.
[[nodiscard]] std::vector<BoundsOfEntries> boundsOf(const Category& category, std::uint32_t table,
                                                    std::uint32_t member, bool byPage);

} // namespace kaon::python
