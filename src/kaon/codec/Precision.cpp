#include <kaon/codec/Precision.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace kaon {
namespace {

constexpr unsigned mostBits = std::numeric_limits<std::uint8_t>::max();

std::uint8_t bitsOf(unsigned bits) { return static_cast<std::uint8_t>(std::min(bits, mostBits)); }

} // namespace

Precision mantissaBits(unsigned bits) noexcept {
  return {Precision::Kind::mantissa, bitsOf(bits), 0, 0};
}

Precision stepsOf(double low, double high, double step) noexcept {
  const double last = std::ceil((high - low) / step);
  // Of what makes no sense 0, which check() refuses.
  const bool makesSense = last >= 1 && std::isfinite(last);
  const unsigned bits = makesSense ? static_cast<unsigned>(std::ilogb(last)) + 1 : 0;
  return {Precision::Kind::range, bitsOf(bits), low, step};
}

Precision bitsIn(double low, double high, unsigned bits) noexcept {
  const double last = std::ldexp(1.0, static_cast<int>(std::min(bits, mostBits))) - 1;
  return {Precision::Kind::range, bitsOf(bits), low, (high - low) / last};
}

} // namespace kaon
