#pragma once

#include <kaon/detail/object/PodioCollectionBase.h>
#include <kaon/model/Datatype.h>

#include <concepts>
#include <ranges>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace podio {

namespace utils {
using kaon::TypeList;
} // namespace utils

namespace detail {

template <class T>
inline constexpr bool always_false = false;

template <class T, class Tuple>
inline constexpr bool isInTuple = false;
template <class T, class... Types>
inline constexpr bool isInTuple<T, std::tuple<Types...>> = (std::same_as<T, Types> || ...);

template <class T>
inline constexpr bool isVector = false;
template <class T>
inline constexpr bool isVector<std::vector<T>> = true;

template <class T>
struct VectorElement {
  using type = T;
};
template <class T>
struct VectorElement<std::vector<T>> {
  using type = T;
};
template <class T>
using GetVectorType = typename VectorElement<T>::type;

template <class T>
inline constexpr bool isMutableHandleType =
    requires { typename std::remove_reference_t<T>::object_type; };
/// Also true for mutable handles, which derive from the others.
template <class T>
inline constexpr bool isDefaultHandleType =
    requires { typename std::remove_reference_t<T>::mutable_type; };
template <class T>
inline constexpr bool isInterfaceType =
    requires { typename std::remove_reference_t<T>::interfaced_types; };

template <class T>
struct DefaultHandle {
  using type = T;
};
template <class T>
  requires isMutableHandleType<T>
struct DefaultHandle<T> {
  using type = typename T::object_type;
};
template <class T>
using GetDefaultHandleType = typename DefaultHandle<std::remove_reference_t<T>>::type;

template <class T>
struct MutableHandle {
  using type = T;
};
template <class T>
  requires isDefaultHandleType<T>
struct MutableHandle<T> {
  using type = typename T::mutable_type;
};
template <class T>
using GetMutableHandleType = typename MutableHandle<std::remove_reference_t<T>>::type;

template <class Range, class T>
concept RangeOf =
    std::ranges::input_range<Range> && std::same_as<std::ranges::range_value_t<Range>, T>;
template <class Range, class T>
concept RangeConvertibleTo =
    std::ranges::input_range<Range> && std::convertible_to<std::ranges::range_value_t<Range>, T>;

template <class T>
concept HasIterators = requires(T all, const T constant) {
  { all.begin() } -> std::same_as<typename T::iterator>;
  { all.end() } -> std::same_as<typename T::iterator>;
  { all.rbegin() } -> std::same_as<typename T::reverse_iterator>;
  { all.rend() } -> std::same_as<typename T::reverse_iterator>;
  { constant.begin() } -> std::same_as<typename T::const_iterator>;
  { constant.end() } -> std::same_as<typename T::const_iterator>;
  { constant.rbegin() } -> std::same_as<typename T::const_reverse_iterator>;
  { constant.rend() } -> std::same_as<typename T::const_reverse_iterator>;
};

} // namespace detail

/// The classes of collections.
template <class T>
concept CollectionType =
    std::derived_from<T, CollectionBase> && !std::is_abstract_v<T> &&
    std::default_initializable<T> && std::movable<T> && !std::copyable<T> &&
    std::ranges::random_access_range<T> && detail::HasIterators<T> &&
    std::convertible_to<typename T::mutable_type, typename T::value_type> &&
    requires(T all, const T constant, typename T::size_type i, const typename T::value_type value) {
      { T::typeName } -> std::convertible_to<std::string_view>;
      { T::valueTypeName } -> std::convertible_to<std::string_view>;
      { T::dataTypeName } -> std::convertible_to<std::string_view>;
      all.push_back(value);
      requires std::same_as<std::remove_reference_t<decltype(all.create())>,
                            typename T::mutable_type>;
      requires std::same_as<std::remove_reference_t<decltype(all[i])>, typename T::mutable_type>;
      requires std::same_as<std::remove_cvref_t<decltype(constant[i])>, typename T::value_type>;
    };

} // namespace podio
