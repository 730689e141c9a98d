#pragma once

#include <compare>
#include <cstddef>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace kaon::detail {

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

[[noreturn]] inline void failIndex(std::size_t index, std::size_t size) {
  throw std::out_of_range("index " + std::to_string(index) + " is out of range; the size is " +
                          std::to_string(size));
}

} // namespace kaon::detail
