#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <span>
#include <vector>

namespace kaon::test {

/// Random numbers that are the same in every run and with every standard library. KAON_TEST_SEED, a
/// number, changes them: for more runs of the tests that damage files.
class Random {
public:
  explicit Random(std::uint64_t seed) : m_engine(seed + others()) {}

  /// Returns any number.
  [[nodiscard]] std::uint64_t bits() { return m_engine(); }
  /// Returns a number less than `limit`.
  [[nodiscard]] std::size_t below(std::size_t limit) { return m_engine() % limit; }
  [[nodiscard]] bool chance(double probability) {
    return static_cast<double>(m_engine() >> 11) * 0x1p-53 < probability;
  }
  void fill(std::span<std::byte> bytes) {
    for (std::byte& byte : bytes)
      byte = static_cast<std::byte>(m_engine());
  }
  [[nodiscard]] std::vector<std::byte> bytes(std::size_t count) {
    std::vector<std::byte> made(count);
    fill(made);
    return made;
  }

private:
  static std::uint64_t others() {
    const char* const named = std::getenv("KAON_TEST_SEED");
    return named ? std::strtoull(named, nullptr, 10) << 32 : 0;
  }

  std::mt19937_64 m_engine;
};

} // namespace kaon::test
