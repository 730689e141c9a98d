#pragma once

#include <cstdint>
#include <numbers>
#include <random>

namespace bench {

/// Rounds x to a float. Rounded products are the same if a compiler contracts a multiplication and
/// an addition into one operation.
[[nodiscard]] inline double rounded(double x) { return static_cast<float>(x); }

/// Random numbers that are the same on every machine, bit by bit. The standard library specifies
/// the engine, but not the distributions.
class Random {
public:
  static constexpr std::uint64_t defaultSeed = 20240607;
  explicit Random(std::uint64_t seed = defaultSeed) : m_engine(seed) {}

  [[nodiscard]] std::uint64_t bits() { return m_engine(); }
  /// Returns a number from 0 to limit - 1.
  [[nodiscard]] std::uint32_t below(std::uint32_t limit) {
    return static_cast<std::uint32_t>((bits() >> 32) * limit >> 32);
  }
  /// Returns a number in [0, 1) with 53 bits.
  [[nodiscard]] double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  /// Returns an almost normal number, rounded to a float: the sum of four uniform numbers, with
  /// mean 0 and variance 1.
  [[nodiscard]] double normal() {
    const std::uint64_t a = bits();
    const std::uint64_t b = bits();
    const auto sum =
        static_cast<std::int64_t>((a >> 32) + (a & 0xffffffff) + (b >> 32) + (b & 0xffffffff));
    constexpr std::int64_t mean = 8589934590;
    return rounded(static_cast<double>(sum - mean) * (std::numbers::sqrt3 * 0x1p-32));
  }

private:
  std::mt19937_64 m_engine;
};

} // namespace bench
