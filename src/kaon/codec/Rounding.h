#pragma once

#include <kaon/codec/Precision.h>

#include <cstddef>
#include <cstdint>

namespace kaon::codec {

// Rounds floats of 4 or 8 bytes to coarser grids. Results are the same with every instruction set:
// products are never contracted with sums (-ffp-contract=off).

/// The numbers low + step * k, k = 0 .. most: a product, then a sum, both of doubles.
struct Steps {
  double low = 0;
  double step = 0;
  std::uint32_t most = 0;
};
/// Returns the steps of a range that check() accepts.
[[nodiscard]] constexpr Steps stepsIn(const Precision& range) noexcept {
  return {range.low, range.step, range.last};
}

/// Keeps the highest `bits` bits of each mantissa, from 1 to one less than it has. Rounds to
/// nearest, ties to even. Infinities and NaNs are kept, and no other value becomes one.
void roundMantissas(unsigned size, unsigned bits, const std::byte* values, std::size_t count,
                    std::byte* out) noexcept;

/// Rounds values within half a step of a step to that step; keeps all others.
void roundToSteps(unsigned size, const Steps& steps, const std::byte* values, std::size_t count,
                  std::byte* out) noexcept;

/// Sets numbers[i] = k of values[i]. Returns false unless fromNumbers() restores each value bit for
/// bit.
[[nodiscard]] bool toNumbers(unsigned size, const Steps& steps, const std::byte* values,
                             std::size_t count, std::uint32_t* numbers) noexcept;

/// Sets values[i] = low + step * numbers[i]; numbers have 1, 2 or 4 bytes.
void fromNumbers(unsigned size, const Steps& steps, unsigned numberSize, const std::byte* numbers,
                 std::size_t count, std::byte* values) noexcept;

} // namespace kaon::codec
