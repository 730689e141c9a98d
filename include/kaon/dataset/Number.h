#pragma once

#include <kaon/base/Error.h>
#include <kaon/detail/reading/ColumnValues.h>

#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <ostream>
#include <type_traits>
#include <utility>
#include <variant>

namespace kaon {

/// A number with its type. Integers are kept as integers.
///
/// It converts to every type of numbers. Converting to an integer is exact: throws Error(type) if
/// the type cannot hold the value. Converting to a float rounds to nearest. Comparisons with
/// numbers of any type are exact.
struct Number {
  template <class T>
    requires std::is_arithmetic_v<T>
  Number(T number) // NOLINT(google-explicit-constructor): numbers are meant by numbers
      : type(scalarOf<T>()), value(widest(number)) {}

  Scalar type;
  std::variant<std::int64_t, std::uint64_t, double> value;

  [[nodiscard]] bool isInteger() const noexcept { return value.index() < 2; }

  template <class T>
    requires std::is_arithmetic_v<T>
  operator T() const { // NOLINT(google-explicit-constructor): as above
    return std::visit([](auto number) { return converted<T>(number); }, value);
  }

  /// Compares values: 2 == 2.0. Comparisons with NaN are unordered.
  friend std::partial_ordering operator<=>(const Number& a, const Number& b) noexcept {
    return std::visit([](auto x, auto y) { return ordered(x, y); }, a.value, b.value);
  }
  friend bool operator==(const Number& a, const Number& b) noexcept { return a <=> b == 0; }
  template <class T>
    requires std::is_arithmetic_v<T>
  friend std::partial_ordering operator<=>(const Number& a, T b) noexcept {
    return a <=> Number(b);
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  friend bool operator==(const Number& a, T b) noexcept {
    return a == Number(b);
  }
  friend std::ostream& operator<<(std::ostream& out, const Number& number) {
    std::visit([&out](auto value) { out << value; }, number.value);
    return out;
  }

private:
  template <class T>
  [[nodiscard]] static auto widest(T number) noexcept {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<double>(number);
    else if constexpr (std::is_signed_v<T>)
      return static_cast<std::int64_t>(number);
    else
      return static_cast<std::uint64_t>(number);
  }

  template <class T, class From>
  [[nodiscard]] static T converted(From number) {
    if constexpr (std::is_same_v<T, bool>)
      return number != 0;
    else if constexpr (!std::is_floating_point_v<T>)
      if (ordered(number, std::numeric_limits<T>::lowest()) < 0 ||
          ordered(number, std::numeric_limits<T>::max()) > 0 || !isWhole(number))
        fail(ErrorKind::type, number, " cannot be stored exactly as ", nameOf(scalarOf<T>()));
    return static_cast<T>(number);
  }
  template <class T>
  [[nodiscard]] static bool isWhole(T number) noexcept {
    if constexpr (std::is_floating_point_v<T>)
      return std::trunc(number) == number;
    else
      return true;
  }

  template <class A, class B>
  [[nodiscard]] static std::partial_ordering ordered(A a, B b) noexcept {
    if constexpr (std::is_floating_point_v<A> == std::is_floating_point_v<B>) {
      if constexpr (std::is_floating_point_v<A>)
        return static_cast<double>(a) <=> static_cast<double>(b);
      else
        return std::cmp_less(a, b)    ? std::partial_ordering::less
               : std::cmp_equal(a, b) ? std::partial_ordering::equivalent
                                      : std::partial_ordering::greater;
    } else if constexpr (std::is_floating_point_v<A>) {
      return 0 <=> ordered(b, a);
    } else { // An integer and a float are equal if the float nearest to the integer is equal, and
             // so are both as integers.
      const auto nearest = static_cast<double>(a);
      if (nearest != b)
        return nearest <=> b;
      if (nearest >= 0x1p64) // the nearest float to the greatest values of uint64
        return std::partial_ordering::less;
      if constexpr (std::is_signed_v<A>)
        return nearest >= 0x1p63 ? std::partial_ordering::less
                                 : ordered(a, static_cast<std::int64_t>(nearest));
      else
        return ordered(a, static_cast<std::uint64_t>(nearest));
    }
  }
};

} // namespace kaon
