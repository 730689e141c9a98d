#pragma once

#include <optional>
#include <string_view>
#include <type_traits>

namespace kaon {

namespace detail {

/// A value of an enum and its name.
template <class E>
struct EnumName {
  E value;
  std::string_view name;
};

/// The values of an enum, in the order of the model; generated code specialises it.
template <class E>
struct EnumNames;

template <class E>
concept IsModelEnum = std::is_enum_v<E> && requires { EnumNames<E>::value.size(); };

} // namespace detail

/// Returns the name of an enum's value; "" for a number without a name, which files may contain.
template <detail::IsModelEnum E>
[[nodiscard]] constexpr std::string_view nameOf(E value) noexcept {
  for (const detail::EnumName<E>& known : detail::EnumNames<E>::value)
    if (known.value == value)
      return known.name;
  return "";
}

/// Returns the value with this name, if there is one.
template <detail::IsModelEnum E>
[[nodiscard]] constexpr std::optional<E> enumValue(std::string_view name) noexcept {
  for (const detail::EnumName<E>& known : detail::EnumNames<E>::value)
    if (known.name == name)
      return known.value;
  return std::nullopt;
}

} // namespace kaon
