#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bench {

/// Transverse momenta: 0.5 / sqrt(1 - 0.9999 u), u uniform in [0, 1). They fall as pT^-3 from 0.5
/// to 50, and every bit of their mantissas is random.
[[nodiscard]] std::vector<float> makeFloats(std::size_t count);

/// The digest of the first million of them.
inline constexpr std::uint64_t millionFloatsDigest = 0xaba6a85686f36c84;

/// The sum, as fast as memory is: partial sums of a few thousand floats each are floats.
[[nodiscard]] double sum(std::span<const float> values);

} // namespace bench
