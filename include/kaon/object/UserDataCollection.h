#pragma once

#include <kaon/detail/base/Memory.h>
#include <kaon/object/Collection.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace kaon {

namespace detail {

/// Returns the description of bare values as a datatype.
template <class T>
[[nodiscard]] const Datatype& bareDatatype() {
  static constexpr T zero{};
  static constexpr Leaf leaf{"", scalarOf<T>(), 1, 0, "", ""};
  static const Datatype description{.name = nameOf(scalarOf<T>()),
                                    .description = {},
                                    .rowSize = sizeof(T),
                                    .alignment = alignof(T),
                                    .defaults = std::as_bytes(std::span(&zero, 1)),
                                    .leaves = std::span(&leaf, 1),
                                    .vectors = {},
                                    .relations = {}};
  return description;
}

} // namespace detail

/// Numbers or bools of one event that belong to no datatype: like a std::vector, move-only. One
/// thread builds it; once it is in a frame, any number may read it.
template <class T>
  requires std::is_arithmetic_v<T>
class UserDataCollection : public CollectionBase {
public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator = T*;
  using const_iterator = const T*;

  [[nodiscard]] static const Datatype& datatype() { return detail::bareDatatype<T>(); }
  /// For the library.
  [[nodiscard]] detail::CollectionType collectionType() const override {
    return kaon::detail::collectionType<UserDataCollection>();
  }
  [[nodiscard]] static std::string_view className() {
    static const std::string name =
        "kaon::UserDataCollection<" + std::string(datatype().name) + ">";
    return name;
  }
  [[nodiscard]] static std::string_view dataClassName() { return datatype().name; }

  UserDataCollection() : CollectionBase(datatype()) {}
  /// Makes a copy of these values.
  explicit UserDataCollection(std::span<const T> values) : UserDataCollection() {
    resize(values.size());
    std::ranges::copy(values, begin());
  }
  /// A view; for the library.
  explicit UserDataCollection(detail::CollectionData& data) : CollectionBase(data) {}

  // Building. References, spans and iterators are valid until a value is added.

  void push_back(T value) { (*this)[data().create()] = value; }
  void reserve(std::size_t values) { data().reserve(values); }
  void swap(UserDataCollection& other) noexcept { swapBase(other); }
  friend void swap(UserDataCollection& a, UserDataCollection& b) noexcept { a.swap(b); }
  /// New values are zero.
  void resize(std::size_t values) { data().resize(values); }
  [[nodiscard]] T& operator[](std::size_t i) { return span()[i]; }
  /// Throws std::out_of_range.
  [[nodiscard]] T& at(std::size_t i) { return (*this)[checked(i)]; }
  [[nodiscard]] std::span<T> span() { return {detail::valuesAt<T>(data().row(0)), size()}; }
  [[nodiscard]] iterator begin() { return span().data(); }
  [[nodiscard]] iterator end() { return begin() + size(); }

  [[nodiscard]] T operator[](std::size_t i) const {
    return data().template value<T>(0, data().rowOf(i));
  }
  [[nodiscard]] T at(std::size_t i) const { return (*this)[checked(i)]; }
  /// Returns the values without copying, also those of a file; valid as long as the collection.
  /// Throws Error(type) if they are not contiguous, which no file of kaon has; `[]` can still read
  /// them.
  [[nodiscard]] std::span<const T> span() const {
    if (empty())
      return {};
    const ColumnView values = data().column(0);
    if (values.stride != sizeof(T) || detail::addressOf(values.base) % alignof(T) != 0)
      fail(ErrorKind::type, "these ", datatype().name, " values are not contiguous");
    return {detail::valuesAt<T>(values.base), size()};
  }
  /// Returns a copy of the values.
  [[nodiscard]] std::vector<T> vec() const { return std::vector<T>(begin(), end()); }
  [[nodiscard]] const_iterator begin() const { return span().data(); }
  [[nodiscard]] const_iterator end() const { return begin() + size(); }

private:
  [[nodiscard]] std::size_t checked(std::size_t i) const {
    if (i >= size())
      detail::failIndex(i, size());
    return i;
  }
};

} // namespace kaon
