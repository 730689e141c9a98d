#pragma once

#include <type_traits>

namespace kaon::detail {

template <class T>
constexpr auto wrappingType() {
  if constexpr (std::is_integral_v<T>)
    return std::make_unsigned_t<T>();
  else
    return T();
}

/// The type in which sums, differences and products of T are computed. For integers, the unsigned
/// type of the same size, because signed ones must not overflow.
template <class T>
using WrappingType = decltype(detail::wrappingType<T>());

/// Returns f(a, b), a sum, difference or product. Integers too large for T wrap around. T must not
/// be smaller than int, because C++ computes smaller types in int.
template <class F, class T>
constexpr T wrapping(F f, T a, T b) {
  static_assert(!std::is_integral_v<T> || sizeof(T) >= sizeof(int));
  return static_cast<T>(f(static_cast<WrappingType<T>>(a), static_cast<WrappingType<T>>(b)));
}

} // namespace kaon::detail
