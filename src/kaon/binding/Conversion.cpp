#include <kaon/binding/Conversion.h>

#include <kaon/detail/base/Memory.h>

#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <sstream>
#include <utility>

namespace kaon {
namespace {

template <class To, class From>
bool fits(From value) {
  if constexpr (std::integral<To> && std::integral<From>) {
    return std::in_range<To>(value);
  } else if constexpr (std::integral<To>) {
    // Both bounds are powers of two, or 0, and so exact in any float. NaN is never within them.
    const From beyond = std::ldexp(From{1}, std::numeric_limits<To>::digits);
    return value == std::trunc(value) && value >= From(std::numeric_limits<To>::min()) &&
           value < beyond;
  } else if constexpr (sizeof(To) < sizeof(From) && std::floating_point<From>) {
    return !std::isfinite(value) || std::abs(value) <= From{std::numeric_limits<To>::max()};
  } else {
    return true;
  }
}

template <class From, class To>
const std::byte* convertAll(const NumberRows& from, std::size_t rows, bool toBools, std::byte* to) {
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < from.extent; ++k, to += sizeof(To)) {
      const auto value = detail::loadAs<From>(from.at(row, k));
      if (!fits<To>(value) || (toBools && value != From{0} && value != From{1}))
        return from.at(row, k);
      const auto converted = static_cast<To>(value);
      std::memcpy(to, &converted, sizeof converted);
    }
  return nullptr;
}

} // namespace

const std::byte* convert(const NumberRows& from, std::size_t rows, Scalar type, std::byte* to) {
  return withScalar(from.type, [&]<class From>(From) {
    return withScalar(type, [&]<class To>(To) {
      return convertAll<From, To>(from, rows, type == Scalar::Bool, to);
    });
  });
}

std::optional<Extremes> convertExtremes(const Extremes& stored, Scalar from, Scalar type,
                                        std::span<const std::byte> missing) {
  Extremes extremes = stored;
  const auto convertOne = [&](std::uint64_t bits, std::uint64_t& to) {
    to = 0;
    const NumberRows one{{detail::bytesAt(&bits), 0}, from, 1};
    return convert(one, 1, type, detail::bytesAt(&to)) == nullptr;
  };
  if (!stored.hasNone && (!convertOne(stored.least, extremes.least) ||
                          !convertOne(stored.greatest, extremes.greatest)))
    return std::nullopt;
  withScalar(type, [&]<class T>(T) {
    for (std::size_t at = 0; at + sizeof(T) <= missing.size(); at += sizeof(T)) {
      const auto value = detail::loadAs<T>(missing.data() + at);
      if (value != value) { // NaN
        extremes.hasNaN = true;
        continue;
      }
      const bool isFirst = std::exchange(extremes.hasNone, false);
      const auto bytesOf = [](std::uint64_t& bits) { return detail::bytesAt(&bits); };
      if (isFirst || value < detail::loadAs<T>(bytesOf(extremes.least)))
        std::memcpy(bytesOf(extremes.least), &value, sizeof value);
      if (isFirst || value > detail::loadAs<T>(bytesOf(extremes.greatest)))
        std::memcpy(bytesOf(extremes.greatest), &value, sizeof value);
    }
  });
  return extremes;
}

std::string numberText(const std::byte* value, Scalar type) {
  std::ostringstream text;
  withScalar(type, [&]<class T>(T) { text << +detail::loadAs<T>(value); });
  return text.str();
}

} // namespace kaon
