#include <kaon/dataset/KnownBounds.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace kaon::detail {

expression::ValueBounds numbersOf(const Extremes& extremes, Scalar type) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (extremes.hasNone)
    return {infinity, -infinity, extremes.hasNaN};
  const auto numberOf = [&](std::uint64_t bits, double outwards) {
    return withScalar(type, [&](auto value) {
      std::memcpy(&value, &bits, sizeof value);
      const auto number = static_cast<double>(value);
      constexpr double most = 9.0e15; // Integers below 2^53 are not rounded.
      return std::abs(number) > most ? std::nextafter(number, outwards) : number;
    });
  };
  return {numberOf(extremes.least, -infinity), numberOf(extremes.greatest, infinity),
          extremes.hasNaN};
}

} // namespace kaon::detail
