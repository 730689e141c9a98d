#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bench {

/// Returns transverse momenta: 0.5 / sqrt(1 - 0.9999 u), u uniform in [0, 1). They fall as pT^-3
/// from 0.5 to 50, and all bits of their mantissas are random.
[[nodiscard]] std::vector<float> makeFloats(std::size_t count);

/// The digest of the first million of them.
inline constexpr std::uint64_t millionFloatsDigest = 0xaba6a85686f36c84;

/// Returns the sum at the speed of memory. Partial sums of a few thousand floats are floats.
[[nodiscard]] double sum(std::span<const float> values);

} // namespace bench
