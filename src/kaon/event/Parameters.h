#pragma once

#include <kaon/model/Scalar.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace kaon {

namespace detail {
template <class... Ts>
using ValuesOf = std::variant<std::vector<Ts>..., std::vector<std::vector<Ts>>...>;
} // namespace detail

/// The values of a parameter: a single value is a vector of one.
using ParameterValues =
    detail::ValuesOf<std::int32_t, std::int64_t, float, double, bool, std::string>;

/// What a parameter's values are: "int32", "string"; where each is a list, "list of int32". Files
/// say the same of those that are no lists.
template <class T>
[[nodiscard]] constexpr std::string_view parameterType() {
  if constexpr (std::is_same_v<T, std::string>)
    return "string";
  else
    return nameOf(scalarOf<T>());
}

namespace detail {
inline constexpr std::string_view listOf = "list of ";
/// The characters of the name of a list's type.
template <class T>
inline constexpr auto listTypeText = [] {
  constexpr std::string_view element = parameterType<T>();
  std::array<char, listOf.size() + element.size()> text{};
  std::ranges::copy(element, std::ranges::copy(listOf, text.begin()).out);
  return text;
}();
template <class T>
inline constexpr bool isVector = false;
template <class T>
inline constexpr bool isVector<std::vector<T>> = true;
} // namespace detail

template <class T>
  requires detail::isVector<T>
[[nodiscard]] constexpr std::string_view parameterType() {
  constexpr auto& text = detail::listTypeText<typename T::value_type>;
  return {text.data(), text.size()};
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
/// What is in it in the end.
template <class T>
using InnermostParameter = typename ParameterElement<typename ParameterElement<T>::type>::type;
} // namespace detail

/// int, std::int64_t, float, double, bool, std::string, vectors of them, and vectors of such
/// vectors.
template <class T>
concept IsParameter = [] {
  using E = detail::InnermostParameter<T>;
  return std::is_same_v<E, std::int32_t> || std::is_same_v<E, std::int64_t> ||
         std::is_same_v<E, float> || std::is_same_v<E, double> || std::is_same_v<E, bool> ||
         std::is_same_v<E, std::string>;
}();

} // namespace kaon
