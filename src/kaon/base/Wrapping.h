#pragma once

#include <type_traits>

namespace kaon {

namespace detail {

template <class T>
constexpr auto wrappingType() {
  if constexpr (std::is_integral_v<T>)
    return std::make_unsigned_t<T>();
  else
    return T();
}

} // namespace detail

/// In which sums, differences and products of Ts are computed: of integers that of the same size
/// that has no sign, as those of signed ones must not overflow.
template <class T>
using WrappingType = decltype(detail::wrappingType<T>());

/// f(a, b), a sum, difference or product. Integers that are too large for T wrap around. T is no
/// smaller than int, in which C++ computes smaller ones.
template <class F, class T>
constexpr T wrapping(F f, T a, T b) {
  static_assert(!std::is_integral_v<T> || sizeof(T) >= sizeof(int));
  return static_cast<T>(f(static_cast<WrappingType<T>>(a), static_cast<WrappingType<T>>(b)));
}

} // namespace kaon
