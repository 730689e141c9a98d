#pragma once

#include <kaon/detail/base/Memory.h>
#include <kaon/detail/model/Component.h>
#include <kaon/detail/object/CollectionData.h>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace kaon {

namespace detail {

/// The place of an object that an iterator's operator-> points to. A copy has no object. T must not
/// need its destructor.
template <class T>
class ArrowPlace {
public:
  ArrowPlace() noexcept {}
  ArrowPlace(const ArrowPlace&) noexcept {}
  ArrowPlace& operator=(const ArrowPlace&) noexcept { return *this; }
  T* hold(const T& value) { return ::new (static_cast<void*>(m_bytes)) T(value); }

private:
  alignas(T) std::byte m_bytes[sizeof(T)];
};
struct NoArrowPlace {};

/// A random access iterator over anything with operator[], which makes its elements on access.
template <class Range>
class IndexIterator {
  using Element = decltype(std::declval<const Range&>()[std::size_t{0}]);
  static constexpr bool hasPlace = requires { typename Range::ElementsNeedNoDestructor; };

public:
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category = std::input_iterator_tag; // its reference is a value
  using difference_type = std::ptrdiff_t;
  using value_type = typename Range::value_type;
  using reference = Element;
  using pointer = void;

  IndexIterator() = default;
  IndexIterator(Range range, std::size_t index) : m_range(range), m_index(index) {}

  auto operator*() const { return m_range[m_index]; }
  auto operator[](difference_type n) const { return *(*this + n); }
  auto operator->() const {
    struct Arrow {
      Element value;
      auto* operator->() { return &value; }
    };
    return Arrow{**this};
  }
  Element* operator->()
    requires hasPlace
  {
    return m_place.hold(**this);
  }
  IndexIterator& operator++() { return *this += 1; }
  IndexIterator& operator--() { return *this -= 1; }
  IndexIterator operator++(int) { return std::exchange(*this, *this + 1); }
  IndexIterator operator--(int) { return std::exchange(*this, *this - 1); }
  IndexIterator& operator+=(difference_type n) {
    m_index += static_cast<std::size_t>(n);
    return *this;
  }
  IndexIterator& operator-=(difference_type n) { return *this += -n; }
  friend IndexIterator operator+(IndexIterator i, difference_type n) { return i += n; }
  friend IndexIterator operator+(difference_type n, IndexIterator i) { return i += n; }
  friend IndexIterator operator-(IndexIterator i, difference_type n) { return i -= n; }
  friend difference_type operator-(const IndexIterator& a, const IndexIterator& b) {
    return static_cast<difference_type>(a.m_index) - static_cast<difference_type>(b.m_index);
  }
  friend bool operator==(const IndexIterator& a, const IndexIterator& b) {
    return a.m_index == b.m_index;
  }
  friend auto operator<=>(const IndexIterator& a, const IndexIterator& b) {
    return a.m_index <=> b.m_index;
  }

private:
  Range m_range{};
  std::size_t m_index = 0;
  [[no_unique_address]] std::conditional_t<hasPlace, ArrowPlace<Element>, NoArrowPlace> m_place;
};

} // namespace detail

namespace detail {
/// Used by loadComponent() if the leaves are neither arrays nor together, or not yet decoded.
template <class T>
[[nodiscard, gnu::noinline, gnu::cold]] T loadApart(const CollectionData& data, std::uint32_t leaf,
                                                    std::size_t row) {
  T value;
  for (const LeafSpan& part : ComponentLeaves<T>::value)
    std::memcpy(detail::bytesAt(&value) + part.offset, data.at(leaf++, row), part.size);
  return value;
}
} // namespace detail

namespace detail {

/// Returns a component assembled from its leaves, wherever the layout has them.
template <class T>
[[nodiscard, gnu::always_inline]] inline T loadComponent(const CollectionData& data,
                                                         std::uint32_t leaf, std::size_t row) {
  constexpr const auto& parts = ComponentLeaves<T>::value;
  T value;
  auto* const out = detail::bytesAt(&value);
  const auto load = [&]<std::size_t... i>(std::index_sequence<i...>)
      __attribute__((always_inline)) {
    const std::byte* const array = data.array(leaf);
    if (!array) {
      const std::byte* const first = data.elsewhere(leaf, row);
      if (!data.areTogether(leaf, parts.size())) [[unlikely]]
        return false;
      (std::memcpy(out + parts[i].offset, first + parts[i].offset, parts[i].size), ...);
      return true;
    }
    const std::array<const std::byte*, parts.size()> arrays{
        (i == 0 ? array : data.array(leaf + static_cast<std::uint32_t>(i)))...};
    if (!(arrays[i] && ...)) [[unlikely]]
      return false;
    (std::memcpy(out + parts[i].offset, arrays[i] + row * parts[i].size, parts[i].size), ...);
    return true;
  };
  return load(std::make_index_sequence<parts.size()>()) ? value
                                                        : detail::loadApart<T>(data, leaf, row);
}

/// Returns the handle of an object; for the library.
template <class T>
[[nodiscard]] T objectAt(ObjectLocator place) {
  T handle(place.data, place.row);
  if (place && place.data->isLoose()) [[unlikely]]
    handle.keepLoose();
  return handle;
}

} // namespace detail

namespace detail {
[[noreturn]] inline void failIndex(std::size_t index, std::size_t size) {
  throw std::out_of_range("index " + std::to_string(index) + " is out of range; the size is " +
                          std::to_string(size));
}
} // namespace detail

/// The common base of an object's lists. `Derived` has operator[].
template <class Derived, class T>
class ListView {
public:
  using value_type = T;
  using iterator = detail::IndexIterator<Derived>;
  using const_iterator = iterator;

  ListView() = default;
  ListView(const detail::CollectionData* data, std::uint32_t first, detail::Slice slice)
      : m_data(data), m_first(first), m_slice(slice) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_slice.end - m_slice.begin; }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  explicit operator bool() const noexcept { return !empty(); }
  /// Throws std::out_of_range.
  [[nodiscard]] T at(std::size_t i) const {
    if (i >= size())
      detail::failIndex(i, size());
    return self()[i];
  }
  [[nodiscard]] T front() const { return self()[0]; }
  [[nodiscard]] T back() const { return self()[size() - 1]; }
  [[nodiscard]] iterator begin() const { return {self(), 0}; }
  [[nodiscard]] iterator end() const { return {self(), size()}; }
  [[nodiscard]] const_iterator cbegin() const { return begin(); }
  [[nodiscard]] const_iterator cend() const { return end(); }

protected:
  [[nodiscard]] const Derived& self() const { return static_cast<const Derived&>(*this); }
  const detail::CollectionData* m_data = nullptr;
  std::uint32_t m_first = 0; // column
  detail::Slice m_slice;
};

template <class T>
class VectorView;
namespace detail {

template <class T>
inline constexpr bool isVectorView = false;

} // namespace detail
template <class T>
inline constexpr bool detail::isVectorView<VectorView<T>> = true;

namespace detail {
template <class Range, class T>
[[nodiscard]] constexpr bool isListOf() {
  if constexpr (!std::ranges::forward_range<const Range>)
    return false;
  else if constexpr (isVectorView<T>)
    return isListOf<std::ranges::range_value_t<const Range>, typename T::value_type>();
  else
    return std::is_convertible_v<std::ranges::range_reference_t<const Range>, T>;
}
} // namespace detail

namespace detail {

/// Ranges that a list with these elements can be made of: their values convert to T. If T is a
/// VectorView, a range of ranges.
template <class Range, class T>
concept ListOf = detail::isListOf<Range, T>();

} // namespace detail

namespace detail {
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
} // namespace detail

namespace detail {

/// Adds a list to a list of lists of an object being built; for the library. The values may be part
/// of its collection.
template <class T, ListOf<T> List>
void addList(CollectionData& data, const ObjectLayout::List& list, std::size_t object,
             const List& values) {
  data.checkWritable();
  const Slice slice = detail::appendList<T>(data, list, 1, values);
  std::memcpy(data.addElement(list, object), &slice, sizeof slice);
}

} // namespace detail

/// The values of a vector member of one object, strings as views. The view is valid as long as its
/// object, and until an element is added to a member of that name.
template <class T>
class VectorView : public ListView<VectorView<T>, T> {
public:
  using ListView<VectorView<T>, T>::ListView;
  [[nodiscard]] T operator[](std::size_t i) const {
    const std::size_t row = this->m_slice.begin + i;
    if constexpr (std::is_same_v<T, std::string_view>)
      return this->m_data->string(this->m_first, row);
    else if constexpr (detail::IsComponent<T>)
      return detail::loadComponent<T>(*this->m_data, this->m_first, row);
    else
      return this->m_data->template value<T>(this->m_first, row);
  }
};

/// The lists of a vector member of lists: each element is a view of a list.
template <class T>
class VectorView<VectorView<T>> : public ListView<VectorView<VectorView<T>>, VectorView<T>> {
  using Base = ListView<VectorView<VectorView<T>>, VectorView<T>>;

public:
  VectorView() = default;
  /// `leaf` is the leaf of the innermost elements; for components, the first of several.
  VectorView(const detail::CollectionData* data, std::uint32_t first, detail::Slice slice,
             std::uint32_t leaf = 0)
      : Base(data, first, slice), m_leaf(leaf) {}
  [[nodiscard]] VectorView<T> operator[](std::size_t i) const {
    const auto slice =
        this->m_data->template value<detail::Slice>(this->m_first, this->m_slice.begin + i);
    if constexpr (detail::isVectorView<T>)
      return {this->m_data, this->m_first + 1, slice, m_leaf};
    else
      return {this->m_data, this->m_first + 1 + m_leaf, slice};
  }

private:
  std::uint32_t m_leaf = 0;
};

/// The objects that a relation of one object points to: a view like VectorView.
template <class T>
class RelationRange : public ListView<RelationRange<T>, T> {
public:
  RelationRange() = default;
  RelationRange(const detail::CollectionData* data, std::uint32_t relation, std::uint32_t first,
                detail::Slice slice)
      : ListView<RelationRange<T>, T>(data, first, slice), m_relation(relation) {}
  [[nodiscard]] T operator[](std::size_t i) const {
    return detail::objectAt<T>(
        this->m_data->follow(m_relation, this->m_first, this->m_slice.begin + i));
  }

private:
  std::uint32_t m_relation = 0; // number of the relation in the datatype
};

} // namespace kaon
