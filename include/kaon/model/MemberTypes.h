#pragma once

#include <kaon/detail/model/Component.h>

#include <array>
#include <cstddef>
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

/// The struct member for a std::optional<T>, with the same layout on all platforms. Files store
/// both of its members.
template <class T>
struct Optional {
  T value{}; ///< meaningless unless hasValue
  bool hasValue = false;

  constexpr Optional() = default;
  constexpr Optional(const T& from) : value(from), hasValue(true) {}
  constexpr Optional(const std::optional<T>& from)
      : value(from.value_or(T{})), hasValue(from.has_value()) {}
  constexpr operator std::optional<T>() const {
    return hasValue ? std::optional<T>(value) : std::nullopt;
  }
  friend constexpr bool operator==(const Optional& a, const Optional& b) {
    return a.hasValue == b.hasValue && (!a.hasValue || a.value == b.value);
  }
};

namespace detail {

/// The offset of `hasValue` in an Optional<T>.
template <class T>
inline constexpr std::size_t hasValueOffset = offsetof(Optional<T>, hasValue);

} // namespace detail

template <class T>
struct detail::ComponentLeaves<Optional<T>> {
  static constexpr auto value = [] {
    constexpr detail::LeafSpan last{detail::hasValueOffset<T>, sizeof(bool)};
    if constexpr (detail::IsComponent<T>) {
      constexpr auto& inside = detail::ComponentLeaves<T>::value;
      std::array<detail::LeafSpan, inside.size() + 1> leaves{};
      for (std::size_t i = 0; i < inside.size(); ++i)
        leaves[i] = inside[i];
      leaves.back() = last;
      return leaves;
    } else {
      return std::array<detail::LeafSpan, 2>{{{0, sizeof(T)}, last}};
    }
  }();
};

} // namespace kaon
