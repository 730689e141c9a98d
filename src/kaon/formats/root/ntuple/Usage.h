#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/ntuple/NTuple.h>

#include <cstdint>

namespace kaon::root {

/// How a column of an RNTuple's schema lies in the file, as the page lists say.
[[nodiscard]] ColumnUsage usageOf(const NTuple& ntuple, std::uint32_t column);

} // namespace kaon::root
