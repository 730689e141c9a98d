#pragma once

#include <kaon/codec/RoundTo.h>
#include <kaon/detail/codec/Element.h>

#include "support/Random.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <ostream>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kaon::test {

/// Values like those of an experiment.
struct Column {
  std::string name;
  codec::Element element;
  std::vector<std::byte> bytes;

  [[nodiscard]] std::span<const std::byte> first(std::size_t values) const {
    return std::span(bytes).first(values * element.size);
  }
  friend std::ostream& operator<<(std::ostream& out, const Column& column) {
    return out << column.name;
  }
};

template <class T, class Make>
Column column(std::string name, std::size_t count, Make make) {
  Column numbers{std::move(name),
                 {sizeof(T), std::is_floating_point_v<T>, std::is_signed_v<T>},
                 std::vector<std::byte>(count * sizeof(T))};
  for (std::size_t i = 0; i < count; ++i) {
    const T value = make(i);
    std::memcpy(numbers.bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
  return numbers;
}

/// Returns a float with `bits` bits of its mantissa.
inline float truncated(double value, int bits) {
  const auto number = static_cast<float>(value);
  std::uint32_t word;
  std::memcpy(&word, &number, sizeof(word));
  word &= ~std::uint32_t{0} << (23 - bits);
  float out;
  std::memcpy(&out, &word, sizeof(out));
  return out;
}

/// Returns a column as a writer stores it with this precision.
inline Column rounded(Column column, const Precision& precision) {
  codec::roundTo(precision, column.element, column.bytes, column.bytes);
  column.element.precision = precision;
  return column;
}

/// Returns one column of each relevant kind, with `count` rows.
inline std::vector<Column> columns(std::size_t count) {
  Random random(count);
  const auto uniform = [&] { return static_cast<double>(random.bits() >> 11) * 0x1p-53; };
  const auto momentum = [&] { return 0.5 / std::sqrt(1 - 0.9999 * uniform()); };
  const auto gauss = [&] { return uniform() + uniform() + uniform() + uniform() - 2; };
  std::uint64_t event = 1'000'000;
  double time = 0;
  static constexpr std::int32_t codes[] = {211, -211, 2212, 22, 2112, 11, -11, 321, -321, 0};
  struct Hit {
    float x, y, z;
  };
  std::vector<Column> kinds;
  kinds.push_back(column<std::uint64_t>("events", count, [&](auto) {
    return event += random.chance(0.3) ? 1 + random.below(5) : 1;
  }));
  kinds.push_back(column<std::int8_t>("charges", count, [&](auto) {
    return static_cast<std::int8_t>(static_cast<int>(random.below(3)) - 1);
  }));
  kinds.push_back(
      column<std::int32_t>("codes", count, [&](auto) { return codes[random.below(10)]; }));
  kinds.push_back(column<std::int16_t>("status", count, [&](auto) {
    return static_cast<std::int16_t>(1000 * (1 + random.below(2)) + 10 * random.below(8));
  }));
  kinds.push_back(column<float>("pt", count, [&](auto) { return static_cast<float>(momentum()); }));
  kinds.push_back(
      column<float>("eta", count, [&](auto) { return static_cast<float>(2 * gauss()); }));
  kinds.push_back(
      column<float>("truncated", count, [&](auto) { return truncated(momentum(), 10); }));
  kinds.push_back(column<float>("vertices", count, [&](auto) {
    return random.chance(0.25) ? 0.f : static_cast<float>(gauss());
  }));
  kinds.push_back(column<float>("times", count, [&](std::size_t i) {
    if (i % 9 == 0)
      time = 100 + gauss();
    return static_cast<float>(time);
  }));
  kinds.push_back(column<double>("energies", count, [&](auto) { return momentum(); }));
  kinds.push_back(column<float>("constant", count, [](auto) { return 91.2f; }));
  kinds.push_back(column<std::uint8_t>(
      "flags", count, [&](auto) { return static_cast<std::uint8_t>(random.chance(0.5)); }));
  kinds.push_back(column<std::uint32_t>("counts", count, [&](auto) {
    return static_cast<std::uint32_t>(random.below(6) + random.below(6));
  }));
  kinds.push_back(column<std::uint64_t>("noise", count, [&](auto) { return random.bits(); }));
  kinds.push_back(column<Hit>("hits", count, [&](auto) {
    return Hit{static_cast<float>(gauss()), static_cast<float>(gauss()), 1};
  }));
  kinds.back().element = {sizeof(Hit), false, false};
  kinds.push_back(
      rounded(column<float>("slopes", count, [&](auto) { return static_cast<float>(gauss()); }),
              detail::bitsIn(-2, 2, 12)));
  kinds.push_back(rounded(column<double>("widths", count, [&](auto) { return gauss(); }),
                          stepsOf(-2, 2, 0.02)));
  kinds.push_back(rounded(column<float>("outliers", count,
                                        [&](std::size_t i) {
                                          if (i % 900 == 7)
                                            return std::numeric_limits<float>::quiet_NaN();
                                          return static_cast<float>(i % 70 == 3 ? 1e6 * uniform()
                                                                                : gauss());
                                        }),
                          stepsOf(-2, 2, 0.001)));
  return kinds;
}

} // namespace kaon::test
