#pragma once

#include <kaon/model/Scalar.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace kaon {

/// The values of a parameter: a single value is a vector of one.
using ParameterValues =
    std::variant<std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<float>,
                 std::vector<double>, std::vector<bool>, std::vector<std::string>>;

/// What files call the type of a parameter's values.
template <class T>
[[nodiscard]] constexpr std::string_view parameterType() {
  if constexpr (std::is_same_v<T, std::string>)
    return "string";
  else
    return nameOf(scalarOf<T>());
}

namespace detail {
template <class T>
struct ParameterElement {
  using type = T;
};
template <class T>
struct ParameterElement<std::vector<T>> {
  using type = T;
};
template <class T>
inline constexpr bool isVector = false;
template <class T>
inline constexpr bool isVector<std::vector<T>> = true;

/// The kind of parameter that a value given by the user becomes.
template <class T>
struct StoredParameter {
  using type = std::conditional_t<
      std::is_convertible_v<T, std::string_view>, std::string,
      std::conditional_t<std::is_integral_v<T> && !std::is_same_v<T, bool>,
                         std::conditional_t<sizeof(T) <= 4, std::int32_t, std::int64_t>, T>>;
};
} // namespace detail

/// int, std::int64_t, float, double, bool, std::string, and vectors of them.
template <class T>
concept IsParameter = [] {
  using E = typename detail::ParameterElement<T>::type;
  return std::is_same_v<E, std::int32_t> || std::is_same_v<E, std::int64_t> ||
         std::is_same_v<E, float> || std::is_same_v<E, double> || std::is_same_v<E, bool> ||
         std::is_same_v<E, std::string>;
}();

} // namespace kaon
