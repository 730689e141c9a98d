#pragma once

#include "common/Bank.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bench {

/// The result of an analysis of a bank: a histogram of momenta, and a number that depends on all
/// other values. It does not depend on the order of rows, nor on how many are added at a time. All
/// ways of reading must give the same result.
class BankSums {
public:
  /// Adds all 12 columns; the histogram is of |p|.
  void add(std::int32_t pid, float px, float py, float pz, float vx, float vy, float vz, float vt,
           std::int8_t charge, float beta, float chi2pid, std::int16_t status) {
    ++m_histogram[bin(std::sqrt(px * px + py * py + pz * pz))];
    m_sum += bits(pid) + bits(vx) + bits(vy) + bits(vz) + bits(vt) + bits(charge) + bits(beta) +
             bits(chi2pid) + bits(status);
  }
  void add(const BankView& rows) {
    fill(rows.px.size(), [&](std::size_t i) {
      return std::sqrt(rows.px[i] * rows.px[i] + rows.py[i] * rows.py[i] + rows.pz[i] * rows.pz[i]);
    });
    for (const auto column : {rows.vx, rows.vy, rows.vz, rows.vt, rows.beta, rows.chi2pid})
      addColumn(column);
    addColumn(rows.pid);
    addColumn(rows.charge);
    addColumn(rows.status);
  }

  /// Adds two columns; the histogram is of the transverse momentum.
  void add(float px, float py) { ++m_histogram[bin(std::sqrt(px * px + py * py))]; }
  void add(std::span<const float> px, std::span<const float> py) {
    fill(px.size(), [&](std::size_t i) { return std::sqrt(px[i] * px[i] + py[i] * py[i]); });
  }

  void add(const BankSums& others) {
    for (std::size_t i = 0; i < m_histogram.size(); ++i)
      m_histogram[i] += others.m_histogram[i];
    m_sum += others.m_sum;
  }

  friend bool operator==(const BankSums&, const BankSums&) = default;

private:
  static constexpr std::uint32_t bins = 200; // of 50 MeV
  [[nodiscard]] static std::uint32_t bin(float momentum) {
    return static_cast<std::uint32_t>(std::min(static_cast<int>(momentum * 20), int{bins} - 1));
  }
  [[nodiscard]] static std::uint32_t bits(float value) {
    return std::bit_cast<std::uint32_t>(value);
  }
  [[nodiscard]] static std::uint32_t bits(std::int32_t value) {
    return static_cast<std::uint32_t>(value);
  }

  template <class T>
  void addColumn(std::span<const T> values) {
    std::uint32_t sum = 0;
    for (const T value : values)
      sum += bits(value);
    m_sum += sum;
  }
  template <class Momentum>
  void fill(std::size_t rows, Momentum momentum) {
    constexpr std::size_t block = 512; // rows whose bins are computed together
    std::array<std::uint32_t, block> where;
    for (std::size_t first = 0; first < rows; first += block) {
      const std::size_t count = std::min(block, rows - first);
      for (std::size_t i = 0; i < count; ++i)
        where[i] = bin(momentum(first + i));
      for (std::size_t i = 0; i < count; ++i)
        ++m_histogram[where[i]];
    }
  }

  std::array<std::uint32_t, bins> m_histogram{};
  std::uint32_t m_sum = 0;
};

} // namespace bench
