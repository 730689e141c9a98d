#include <kaon/codec/Precision.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace kaon {
namespace {

constexpr unsigned mostBits = std::numeric_limits<std::uint8_t>::max();

std::uint8_t bitsOf(unsigned bits) { return static_cast<std::uint8_t>(std::min(bits, mostBits)); }

/// Returns 0 for invalid numbers, which check() refuses.
std::uint32_t lastOf(double last) {
  const bool makesSense = last >= 1 && last <= std::numeric_limits<std::uint32_t>::max();
  return makesSense ? static_cast<std::uint32_t>(last) : 0;
}

} // namespace

Precision mantissaBits(unsigned bits) noexcept {
  return {Precision::Kind::mantissa, bitsOf(bits), 0, 0, 0};
}

Precision stepsOf(double low, double high, double step) noexcept {
  return {Precision::Kind::range, 0, low, step, lastOf(std::floor((high - low) / step + 0.5))};
}

Precision detail::bitsIn(double low, double high, unsigned bits) noexcept {
  const double last = std::ldexp(1.0, static_cast<int>(std::min(bits, mostBits))) - 1;
  return {Precision::Kind::range, 0, low, (high - low) / last, lastOf(last)};
}

} // namespace kaon
