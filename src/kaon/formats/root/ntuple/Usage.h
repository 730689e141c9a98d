#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/ntuple/NTuple.h>

#include <cstdint>

namespace kaon::root {

/// Returns how a column of the schema is stored in the file, from the page lists.
[[nodiscard]] ColumnUsage usageOf(const NTuple& ntuple, std::uint32_t column);

} // namespace kaon::root
