#pragma once

#include <kaon/codec/Precision.h>

#include <cstddef>
#include <cstdint>

namespace kaon::codec {

// Floats of 4 or 8 bytes on coarser grids. Results are the same with every instruction set:
// products are never contracted with sums (-ffp-contract=off).

/// The numbers low + step * k, k = 0 .. most: a product, then a sum, both of doubles.
struct Steps {
  double low = 0;
  double step = 0;
  std::uint32_t most = 0;
};
/// The steps of a range that check() accepts.
[[nodiscard]] constexpr Steps stepsIn(const Precision& range) noexcept {
  return {range.low, range.step, range.last};
}

/// Keeps the uppermost `bits` bits of each mantissa, 1 to one less than it has. Rounds to nearest,
/// ties to even; infinities and NaNs stay, nothing else becomes one.
void roundMantissas(unsigned size, unsigned bits, const std::byte* values, std::size_t count,
                    std::byte* out) noexcept;

/// To the nearest step what is not further than half a step from one; all else stays.
void roundToSteps(unsigned size, const Steps& steps, const std::byte* values, std::size_t count,
                  std::byte* out) noexcept;

/// numbers[i] = k of values[i]. False unless each value is, bit for bit, what fromNumbers() makes
/// of it.
[[nodiscard]] bool toNumbers(unsigned size, const Steps& steps, const std::byte* values,
                             std::size_t count, std::uint32_t* numbers) noexcept;

/// values[i] = low + step * numbers[i]; numbers of 1, 2 or 4 bytes.
void fromNumbers(unsigned size, const Steps& steps, unsigned numberSize, const std::byte* numbers,
                 std::size_t count, std::byte* values) noexcept;

} // namespace kaon::codec
