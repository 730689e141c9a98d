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

namespace kaon::detail {

template <class... Ts>
using ValuesOf = std::variant<std::vector<Ts>..., std::vector<std::vector<Ts>>...>;
/// The values of a parameter: a single value is a vector with one element.
using ParameterValues =
    detail::ValuesOf<std::int32_t, std::int64_t, float, double, bool, std::string>;

/// Returns the type of a parameter's values: "int32", "string"; if each is a list, "list of int32".
/// Files use the same names, except for lists.
template <class T>
[[nodiscard]] constexpr std::string_view parameterType() {
  if constexpr (std::is_same_v<T, std::string>)
    return "string";
  else
    return nameOf(scalarOf<T>());
}

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
template <class T>
  requires detail::isVector<T>
[[nodiscard]] constexpr std::string_view parameterType() {
  constexpr auto& text = detail::listTypeText<typename T::value_type>;
  return {text.data(), text.size()};
}

template <class T>
struct ParameterElement {
  using type = T;
};
template <class T>
struct ParameterElement<std::vector<T>> {
  using type = T;
};
/// The type of the values in the innermost lists.
template <class T>
using InnermostParameter = typename ParameterElement<typename ParameterElement<T>::type>::type;
/// int, std::int64_t, float, double, bool, std::string, vectors of these, and vectors of these
/// vectors.
template <class T>
concept IsParameter = [] {
  using E = detail::InnermostParameter<T>;
  return std::is_same_v<E, std::int32_t> || std::is_same_v<E, std::int64_t> ||
         std::is_same_v<E, float> || std::is_same_v<E, double> || std::is_same_v<E, bool> ||
         std::is_same_v<E, std::string>;
}();

} // namespace kaon::detail
