#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>

namespace kaon::detail {

/// A sum of integers of up to 64 bits, which is never rounded and never wraps around: it has 128
/// bits. Parts may be added in any order, with the same sum.
class ExactSum {
public:
  template <class T>
    requires std::is_integral_v<T>
  void add(T value) noexcept {
    m_sum += value;
  }
  void add(const ExactSum& next) noexcept { m_sum += next.m_sum; }

  /// Adds many: vectors of the processor add in 64 bits.
  template <class T>
    requires std::is_integral_v<T>
  void add(std::span<const T> values) noexcept {
    constexpr std::size_t most = std::size_t{1} << 31U; // of 32 bits, whose sum has 64
    for (; values.size() > most; values = values.subspan(most))
      addFew(values.first(most));
    addFew(values);
  }

  /// The sum as an integer of 64 bits; nothing if that cannot hold it.
  template <class T>
    requires std::is_integral_v<T>
  [[nodiscard]] std::optional<T> as() const noexcept {
    if (m_sum < std::numeric_limits<T>::lowest() || m_sum > std::numeric_limits<T>::max())
      return std::nullopt;
    return static_cast<T>(m_sum);
  }

  /// The mean of `count` values, at least one, whose sum this is.
  [[nodiscard]] double mean(std::uint64_t count) const noexcept {
    return static_cast<double>(m_sum) / static_cast<double>(count);
  }
  /// The greatest integer that is no greater than the mean.
  [[nodiscard]] ExactSum floorOfMean(std::uint64_t count) const noexcept {
    ExactSum floor;
    floor.m_sum = m_sum / count - (m_sum % count < 0 ? 1 : 0);
    return floor;
  }
  /// How much greater the mean is than that integer: from 0 to 1.
  [[nodiscard]] double restOfMean(std::uint64_t count) const noexcept {
    const Wide rest = m_sum % count;
    return static_cast<double>(rest < 0 ? rest + count : rest) / static_cast<double>(count);
  }
  /// The difference of two sums, rounded once.
  [[nodiscard]] double minus(const ExactSum& other) const noexcept {
    return static_cast<double>(m_sum - other.m_sum);
  }

private:
  __extension__ using Wide = __int128; // which ISO C++ lacks

  template <class T>
  void addFew(std::span<const T> values) noexcept {
    using Sum = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    if constexpr (sizeof(T) < sizeof(Sum)) {
      Sum sum = 0;
      for (const T value : values)
        sum += static_cast<Sum>(value);
      m_sum += sum;
    } else { // both halves by themselves
      std::uint64_t low = 0;
      Sum high = 0;
      for (const T value : values) {
        low += static_cast<std::uint64_t>(value) & 0xFFFFFFFFU;
        high += static_cast<Sum>(value) >> 32U;
      }
      m_sum += static_cast<Wide>(high) * (std::int64_t{1} << 32U) + static_cast<Wide>(low);
    }
  }

  Wide m_sum = 0;
};

} // namespace kaon::detail
