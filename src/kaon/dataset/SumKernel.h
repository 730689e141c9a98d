#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace kaon::detail {

/// The number of independent sums, so that no addition waits for the previous one. Value i is added
/// to sum i % sumLanes.
inline constexpr std::size_t sumLanes = 16;

/// Adds whole rounds of values to the sums, with the widest vectors of the processor. All
/// processors compute identical sums. Returns the number of values added.
std::size_t addToLanes(std::span<const float> values, std::array<double, sumLanes>& sums) noexcept;

} // namespace kaon::detail
