#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace kaon::detail {

/// Values that are added up side by side, so that none waits for the one before it: value i of a
/// sum is one of lane i % sumLanes.
inline constexpr std::size_t sumLanes = 16;

/// Adds whole rounds of lanes to their sums, by the widest vectors that the processor has: the same
/// to the last bit by all. Returns how many values that were.
std::size_t addToLanes(std::span<const float> values, std::array<double, sumLanes>& sums) noexcept;

} // namespace kaon::detail
