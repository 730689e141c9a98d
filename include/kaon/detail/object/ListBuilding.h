#pragma once

#include <kaon/detail/object/CollectionData.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ranges>
#include <string_view>
#include <type_traits>

// Lists of objects that are being built: vector members, and lists in these.

namespace kaon {

template <class T>
class VectorView;

} // namespace kaon

namespace kaon::detail {

template <class T>
inline constexpr bool isVectorView = false;
template <class T>
inline constexpr bool isVectorView<VectorView<T>> = true;

template <class Range, class T>
[[nodiscard]] constexpr bool isListOf() {
  if constexpr (!std::ranges::forward_range<const Range>)
    return false;
  else if constexpr (isVectorView<T>)
    return isListOf<std::ranges::range_value_t<const Range>, typename T::value_type>();
  else
    return std::is_convertible_v<std::ranges::range_reference_t<const Range>, T>;
}

/// Ranges that a list with these elements can be made of: their values convert to T. If T is a
/// VectorView, a range of ranges.
template <class Range, class T>
concept ListOf = detail::isListOf<Range, T>();

template <class T, ListOf<T> List>
[[nodiscard]] Slice appendList(CollectionData& data, const ObjectLayout::List& list,
                               std::uint32_t level, const List& values);
/// Returns an element of a list at a level, in its form in memory.
template <class T, class Value>
[[nodiscard]] auto elementOf(CollectionData& data, const ObjectLayout::List& list,
                             std::uint32_t level, const Value& value) {
  if constexpr (std::is_same_v<T, std::string_view>)
    return data.appendText(list, level + 1, value);
  else if constexpr (isVectorView<T>)
    return appendList<typename T::value_type>(data, list, level + 1, value);
  else
    return static_cast<T>(value);
}
/// Appends values to the elements of a level.
template <class T, ListOf<T> List>
Slice appendList(CollectionData& data, const ObjectLayout::List& list, std::uint32_t level,
                 const List& values) {
  const auto count = static_cast<std::size_t>(std::ranges::distance(values));
  const Slice slice = data.append(list, level, count);
  std::size_t position = slice.begin;
  for (const auto& value : values) {
    const auto element = elementOf<T>(data, list, level, value); // may move this level
    std::memcpy(data.element(list, position++, level), &element, sizeof element);
  }
  return slice;
}

/// Adds a list to a list of lists of an object being built; for the library. The values may be part
/// of its collection.
template <class T, ListOf<T> List>
void addList(CollectionData& data, const ObjectLayout::List& list, std::size_t object,
             const List& values) {
  data.checkWritable();
  const Slice slice = detail::appendList<T>(data, list, 1, values);
  std::memcpy(data.addElement(list, object), &slice, sizeof slice);
}

} // namespace kaon::detail
