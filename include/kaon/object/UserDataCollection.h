#pragma once

#include <kaon/detail/base/Memory.h>
#include <kaon/object/Collection.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
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

/// Returns the name that podio has for a type of numbers.
[[nodiscard]] constexpr std::string_view podioValueName(Scalar type) {
  switch (type) {
  case Scalar::Bool:
    return "bool";
  case Scalar::Int8:
    return "int8_t";
  case Scalar::UInt8:
    return "uint8_t";
  case Scalar::Int16:
    return "int16_t";
  case Scalar::UInt16:
    return "uint16_t";
  case Scalar::Int32:
    return "int32_t";
  case Scalar::UInt32:
    return "uint32_t";
  case Scalar::Int64:
    return "int64_t";
  case Scalar::UInt64:
    return "uint64_t";
  case Scalar::Float32:
    return "float";
  default:
    return "double";
  }
}
inline constexpr std::string_view userDataPrefix = "podio::UserDataCollection<";
template <class T>
inline constexpr auto podioValuesCharacters = [] {
  constexpr std::string_view value = podioValueName(scalarOf<T>());
  std::array<char, userDataPrefix.size() + value.size() + 1> all{};
  *std::ranges::copy(value, std::ranges::copy(userDataPrefix, all.data()).out).out = '>';
  return all;
}();
template <class T>
inline constexpr std::string_view podioValuesName{podioValuesCharacters<T>.data(),
                                                  podioValuesCharacters<T>.size()};

} // namespace detail

/// Numbers or bools of one event that belong to no datatype: like a std::vector, move-only. One
/// thread builds it; once it is in a frame, any number may read it.
template <class T>
  requires std::is_arithmetic_v<T>
class UserDataCollection : public CollectionBase {
public:
  using value_type = T;
  using mutable_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator = T*;
  using const_iterator = const T*;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  /// The names that podio has for this class and for its values.
  static constexpr std::string_view typeName = detail::podioValuesName<T>;
  static constexpr std::string_view valueTypeName = detail::podioValueName(scalarOf<T>());
  static constexpr std::string_view dataTypeName = valueTypeName;

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

  /// Makes a collection of these values, converted to T.
  template <std::ranges::input_range Values>
    requires std::convertible_to<std::ranges::range_reference_t<Values>, T>
  [[nodiscard]] static UserDataCollection from(Values&& values) {
    UserDataCollection collection;
    for (auto&& value : values)
      collection.push_back(static_cast<T>(value));
    return collection;
  }

  // Building. References, spans and iterators are valid until a value is added.

  /// Adds a zero.
  T& create() { return (*this)[data().create()]; }

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
  [[nodiscard]] reverse_iterator rbegin() { return reverse_iterator(end()); }
  [[nodiscard]] reverse_iterator rend() { return reverse_iterator(begin()); }

  [[nodiscard]] T operator[](std::size_t i) const {
    return data().template value<T>(0, data().rowOf(i));
  }
  [[nodiscard]] T at(std::size_t i) const { return (*this)[checked(i)]; }
  /// Returns the values without copying, also those of a file; valid as long as the collection.
  /// Throws Error(type) if they are not contiguous, which never happens with files that kaon wrote;
  /// `[]` can still read them.
  [[nodiscard]] std::span<const T> span() const {
    if (empty())
      return {};
    const ColumnView values = data().column(0);
    if (values.stride != sizeof(T) || detail::addressOf(values.base) % alignof(T) != 0)
      fail(ErrorKind::type, "these ", datatype().name, " values are not contiguous");
    return {detail::valuesAt<T>(values.base), size()};
  }
  /// Returns a copy of the values; constant, so that `auto& values = collection.vec()` compiles and
  /// nobody changes the copy by mistake.
  [[nodiscard]] const std::vector<T> vec() const { return std::vector<T>(begin(), end()); }
  [[nodiscard]] const_iterator begin() const { return span().data(); }
  [[nodiscard]] const_iterator end() const { return begin() + size(); }
  [[nodiscard]] const_iterator cbegin() const { return begin(); }
  [[nodiscard]] const_iterator cend() const { return end(); }
  [[nodiscard]] const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  [[nodiscard]] const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
  [[nodiscard]] const_reverse_iterator crbegin() const { return rbegin(); }
  [[nodiscard]] const_reverse_iterator crend() const { return rend(); }

private:
  [[nodiscard]] std::size_t checked(std::size_t i) const {
    if (i >= size())
      detail::failIndex(i, size());
    return i;
  }
};

} // namespace kaon
