#pragma once

#include <kaon/base/Error.h>
#include <kaon/detail/array/Arena.h>
#include <kaon/detail/base/Wrapping.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

// Arrays of one entry. Arithmetic, comparisons and functions of arrays are arrays whose values are
// computed on access. Therefore `sum(pt[abs(eta) < 2.4])` needs memory only for the selected
// values. This memory comes from the thread's Arena and is valid until the loop over entries moves
// on.
//
// Arrays in one expression must have the same size, otherwise Error(usage) is thrown; a number
// applies to each value. Integers have the types of C++ and wrap around. Arrays belong to one
// thread.
//
// These functions are always inlined: passing an expression in memory, as several words written one
// by one, would stall when it is read back.

namespace kaon {

namespace detail {
struct ArrayTag {};
} // namespace detail

/// Types with values by index: an Array, or an array computed from others.
template <class A>
concept IsArray = std::derived_from<std::remove_cvref_t<A>, detail::ArrayTag>;

/// Arrays of bools.
template <class A>
concept IsMask = IsArray<A> && std::same_as<typename std::remove_cvref_t<A>::value_type, bool>;

namespace detail {

/// Iterates over an array's values.
template <class A>
class ArrayIterator {
public:
  using value_type = typename A::value_type;
  using difference_type = std::ptrdiff_t;
  ArrayIterator() = default;
  ArrayIterator(const A& array, std::size_t i) : m_array(&array), m_i(i) {}
  decltype(auto) operator*() const { return (*m_array)[m_i]; }
  ArrayIterator& operator++() {
    ++m_i;
    return *this;
  }
  ArrayIterator operator++(int) { return {*m_array, m_i++}; }
  friend bool operator==(const ArrayIterator& a, const ArrayIterator& b) { return a.m_i == b.m_i; }

private:
  const A* m_array = nullptr;
  std::size_t m_i = 0;
};

} // namespace detail

template <class T>
class Array;

namespace detail {

/// Computes all values of an array into the thread's Arena. Arrays that are faster to compute all
/// at once have their own overloads.
template <class T, IsArray A>
[[nodiscard]] std::span<const T> valuesOf(std::type_identity<T>, const A& computed) {
  const std::span<T> values = Arena::ofThread().allocate<T>(computed.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<T>(computed[i]);
  return values;
}

} // namespace detail

/// Returns the values for which the mask is true.
template <IsArray A, IsMask M>
[[nodiscard]] Array<typename A::value_type> filter(const A& array, const M& mask);
/// Returns the values at these positions. Throws Error(usage) for a position outside the array.
template <IsArray A, IsArray I>
[[nodiscard]] Array<typename A::value_type> take(const A& array, const I& places);

/// Contiguous values in memory of other owners: a file's page, or the arena. A view, cheap to copy.
template <class T>
class Array : public detail::ArrayTag {
public:
  using value_type = T;

  Array() = default;
  Array(const T* data, std::size_t size) noexcept : m_data(data), m_size(size) {}
  explicit(false) Array(std::span<const T> values) noexcept
      : m_data(values.data()), m_size(values.size()) {}
  /// Computes all values.
  template <IsArray A>
    requires(!std::same_as<A, Array> && std::convertible_to<typename A::value_type, T>)
  explicit(false) Array(const A& computed) : Array(valuesOf(std::type_identity<T>(), computed)) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
  [[nodiscard]] const T* data() const noexcept { return m_data; }
  [[nodiscard]] const T* begin() const noexcept { return m_data; }
  [[nodiscard]] const T* end() const noexcept { return m_data + m_size; }

  /// Not checked.
  const T& operator[](std::size_t i) const noexcept { return m_data[i]; }
  /// Throws Error(usage) for an index beyond the end.
  const T& at(std::size_t i) const {
    if (i >= m_size)
      fail(ErrorKind::usage, "index ", i, " is out of range in an array of size ", m_size);
    return m_data[i];
  }
  template <IsMask M>
  [[nodiscard]] Array operator[](const M& mask) const {
    return filter(*this, mask);
  }
  template <IsArray I>
    requires std::integral<typename I::value_type> && (!IsMask<I>)
  [[nodiscard]] Array operator[](const I& places) const {
    return take(*this, places);
  }

private:
  const T* m_data = nullptr;
  std::size_t m_size = 0;
};

/// Contiguous lists, such as those of an entry's objects. A view.
template <class T>
class Array<Array<T>> : public detail::ArrayTag {
public:
  using value_type = Array<T>;

  Array() = default;
  /// List i has the values [offsets[i], offsets[i + 1]).
  Array(const T* values, const std::uint32_t* offsets, std::size_t size) noexcept
      : m_values(values), m_offsets(offsets), m_size(size) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
  /// Not checked.
  Array<T> operator[](std::size_t i) const noexcept {
    return {m_values + m_offsets[i], m_offsets[i + 1] - m_offsets[i]};
  }
  /// Returns all values of all lists.
  [[nodiscard]] Array<T> flat() const noexcept {
    return m_size == 0 ? Array<T>()
                       : Array<T>(m_values + m_offsets[0], m_offsets[m_size] - m_offsets[0]);
  }
  [[nodiscard]] auto begin() const noexcept { return detail::ArrayIterator<Array>(*this, 0); }
  [[nodiscard]] auto end() const noexcept { return detail::ArrayIterator<Array>(*this, m_size); }

private:
  const T* m_values = nullptr;
  const std::uint32_t* m_offsets = nullptr;
  std::size_t m_size = 0;
};

/// Contiguous texts, such as those of an entry's list. A view.
template <>
class Array<std::string_view> : public detail::ArrayTag {
public:
  using value_type = std::string_view;

  Array() = default;
  /// Text i has the characters [offsets[i], offsets[i + 1]).
  Array(const char* characters, const std::uint32_t* offsets, std::size_t size) noexcept
      : m_characters(characters), m_offsets(offsets), m_size(size) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
  /// Not checked.
  std::string_view operator[](std::size_t i) const noexcept {
    return {m_characters + m_offsets[i], m_offsets[i + 1] - m_offsets[i]};
  }
  [[nodiscard]] auto begin() const noexcept { return detail::ArrayIterator<Array>(*this, 0); }
  [[nodiscard]] auto end() const noexcept { return detail::ArrayIterator<Array>(*this, m_size); }

private:
  const char* m_characters = nullptr;
  const std::uint32_t* m_offsets = nullptr;
  std::size_t m_size = 0;
};

/// The values of one entry, where any may be missing. A view. In loops over entries, these are the
/// types of optional members:
/// - std::optional<float>: one value per entry
/// - Array<std::optional<float>>: one value per object
/// - Array<std::optional<std::array<float, 2>>>: arrays that may be missing as a whole
///
///   for (auto [times] : events.each<kaon::Array<std::optional<float>>>("Hits.time"))
///     for (const std::optional<float>& time : times)
///       if (time)
///         latest = std::max(latest, *time);
template <class T>
class Array<std::optional<T>> : public detail::ArrayTag {
public:
  using value_type = std::optional<T>;

  Array() = default;
  /// `present` has one byte per value, 0 where the value is missing; null if all are present.
  Array(const T* values, const std::byte* present, std::size_t size) noexcept
      : m_values(values), m_present(present), m_size(size) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
  /// Returns whether value `i` is present. Does not check `i`.
  [[nodiscard]] bool has(std::size_t i) const noexcept {
    return !m_present || m_present[i] != std::byte{0};
  }
  /// Returns value `i`. Does not check `i`.
  std::optional<T> operator[](std::size_t i) const noexcept {
    return has(i) ? std::optional<T>(m_values[i]) : std::nullopt;
  }
  /// Returns value `i`. Throws Error(usage) if `i` is out of range.
  [[nodiscard]] std::optional<T> at(std::size_t i) const {
    if (i >= m_size)
      fail(ErrorKind::usage, "index ", i, " is out of range in an array of size ", m_size);
    return (*this)[i];
  }
  [[nodiscard]] auto begin() const noexcept { return detail::ArrayIterator<Array>(*this, 0); }
  [[nodiscard]] auto end() const noexcept { return detail::ArrayIterator<Array>(*this, m_size); }

private:
  const T* m_values = nullptr;
  const std::byte* m_present = nullptr;
  std::size_t m_size = 0;
};

namespace detail {

/// A number in place of an array.
template <class T>
struct Repeated {
  T value;
  const T& operator[](std::size_t) const noexcept { return value; }
};

template <class A>
[[gnu::always_inline]] inline auto operand(const A& a) {
  if constexpr (IsArray<A>)
    return a;
  else
    return Repeated<A>{a};
}

template <class F, class... A>
class Computed : public ArrayTag {
public:
  using value_type =
      std::decay_t<decltype(std::declval<const F&>()(std::declval<const A&>()[0]...))>;

  Computed(F function, std::size_t size, A... operands)
      : m_function(std::move(function)), m_operands(std::move(operands)...), m_size(size) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
  [[gnu::always_inline]] value_type operator[](std::size_t i) const {
    return std::apply([&](const A&... a) { return m_function(a[i]...); }, m_operands);
  }
  template <IsMask M>
  [[nodiscard]] auto operator[](const M& mask) const {
    return filter(*this, mask);
  }
  template <IsArray I>
    requires std::integral<typename I::value_type> && (!IsMask<I>)
  [[nodiscard]] auto operator[](const I& places) const {
    return take(*this, places);
  }
  [[nodiscard]] auto begin() const { return ArrayIterator<Computed>(*this, 0); }
  [[nodiscard]] auto end() const { return ArrayIterator<Computed>(*this, m_size); }
  [[nodiscard]] const std::tuple<A...>& operands() const noexcept { return m_operands; }

private:
  [[no_unique_address]] F m_function;
  std::tuple<A...> m_operands;
  std::size_t m_size;
};

[[noreturn, gnu::cold]] inline void failSizes(std::size_t a, std::size_t b) {
  fail(ErrorKind::usage, "arrays must have the same size, but have ", a, " and ", b, " values");
}

constexpr std::size_t anySize = ~std::size_t{0}; // for numbers

template <class A>
[[nodiscard, gnu::always_inline]] inline std::size_t sizeOrAny(const A& a) noexcept {
  if constexpr (IsArray<A>)
    return a.size();
  else
    return anySize;
}

template <class... A>
[[nodiscard, gnu::always_inline]] inline std::size_t commonSize(const A&... a) {
  std::size_t size = anySize;
  const auto compare = [&size](std::size_t next) {
    if (size != next && size != anySize && next != anySize) [[unlikely]]
      failSizes(size, next);
    size = next == anySize ? size : next;
  };
  (compare(sizeOrAny(a)), ...);
  return size;
}

/// Applies an operation to two numbers in their common type.
template <class Operation>
struct InCommonType {
  template <class X, class Y>
  constexpr auto operator()(X x, Y y) const {
    using Common = decltype(x + y);
    return Operation()(static_cast<Common>(x), static_cast<Common>(y));
  }
};

/// As InCommonType, for sums, differences and products. Integers wrap around.
template <class Operation>
struct Wrapping {
  template <class X, class Y>
  constexpr auto operator()(X x, Y y) const {
    using Common = decltype(x + y);
    return wrapping(Operation(), static_cast<Common>(x), static_cast<Common>(y));
  }
};
struct SafeNegate {
  template <class X>
  constexpr auto operator()(X x) const {
    if constexpr (std::integral<X>)
      return Wrapping<std::minus<>>()(0, x);
    else
      return -x;
  }
};

/// Integer division by 0 gives 0, and overflow wraps around, because processors would end the
/// program.
struct SafeDivide {
  template <class X, class Y>
  constexpr auto operator()(X x, Y y) const {
    using Common = decltype(x + y);
    const auto a = static_cast<Common>(x), b = static_cast<Common>(y);
    if constexpr (std::integral<Common>) {
      if (b == 0)
        return Common{0};
      if (std::is_signed_v<Common> && b == static_cast<Common>(-1))
        return Wrapping<std::minus<>>()(Common{0}, a);
    }
    return static_cast<Common>(a / b);
  }
};

/// Integers are compared by their mathematical values, even if only one of them is signed.
template <class X, class Y>
concept AreIntegers =
    std::integral<X> && std::integral<Y> && !std::same_as<X, bool> && !std::same_as<Y, bool>;
struct SafeLess {
  template <class X, class Y>
  constexpr bool operator()(X x, Y y) const {
    if constexpr (AreIntegers<X, Y>)
      return std::cmp_less(x, y);
    else
      return InCommonType<std::less<>>()(x, y);
  }
};
struct SafeLessOrEqual {
  template <class X, class Y>
  constexpr bool operator()(X x, Y y) const {
    if constexpr (AreIntegers<X, Y>)
      return std::cmp_less_equal(x, y);
    else
      return InCommonType<std::less_equal<>>()(x, y);
  }
};
struct SafeEqual {
  template <class X, class Y>
  constexpr bool operator()(X x, Y y) const {
    if constexpr (AreIntegers<X, Y>)
      return std::cmp_equal(x, y);
    else
      return InCommonType<std::equal_to<>>()(x, y);
  }
};

struct SafeAbsolute {
  template <class X>
  constexpr auto operator()(X x) const {
    if constexpr (std::floating_point<X>)
      return std::abs(x); // also for -0
    else
      return x < X{} ? SafeNegate()(x) : x;
  }
};

/// Operands of operators and functions: at least one array, and numbers.
template <class... A>
concept AreOperands = (IsArray<A> || ...) && ((IsArray<A> || std::is_arithmetic_v<A>)&&...);

} // namespace detail

/// Returns the array of `function(a[i], b[i], ...)`, computed on access.
template <class F, class... A>
  requires detail::AreOperands<A...>
[[nodiscard, gnu::always_inline]] inline auto map(F function, const A&... arrays) {
  return detail::Computed<F, decltype(detail::operand(arrays))...>(
      std::move(function), detail::commonSize(arrays...), detail::operand(arrays)...);
}

template <class A, class B>
  requires detail::AreOperands<A, B>
[[nodiscard, gnu::always_inline]] inline auto operator+(const A& a, const B& b) {
  return map(detail::Wrapping<std::plus<>>(), a, b);
}
template <class A, class B>
  requires detail::AreOperands<A, B>
[[nodiscard, gnu::always_inline]] inline auto operator-(const A& a, const B& b) {
  return map(detail::Wrapping<std::minus<>>(), a, b);
}
template <class A, class B>
  requires detail::AreOperands<A, B>
[[nodiscard, gnu::always_inline]] inline auto operator*(const A& a, const B& b) {
  return map(detail::Wrapping<std::multiplies<>>(), a, b);
}
/// Divides like C++, also integers: 7 / 2 is 3; but x / 0 is 0.
template <class A, class B>
  requires detail::AreOperands<A, B>
[[nodiscard, gnu::always_inline]] inline auto operator/(const A& a, const B& b) {
  return map(detail::SafeDivide(), a, b);
}
template <IsArray A>
[[nodiscard, gnu::always_inline]] inline auto operator-(const A& a) {
  return map(detail::SafeNegate(), a);
}
template <class A, class B>
  requires detail::AreOperands<A, B>
[[nodiscard, gnu::always_inline]] inline auto operator<(const A& a, const B& b) {
  return map(detail::SafeLess(), a, b);
}
template <class A, class B>
  requires detail::AreOperands<A, B>
[[nodiscard, gnu::always_inline]] inline auto operator<=(const A& a, const B& b) {
  return map(detail::SafeLessOrEqual(), a, b);
}
template <class A, class B>
  requires detail::AreOperands<A, B>
[[nodiscard, gnu::always_inline]] inline auto operator>(const A& a, const B& b) {
  return b < a;
}
template <class A, class B>
  requires detail::AreOperands<A, B>
[[nodiscard, gnu::always_inline]] inline auto operator>=(const A& a, const B& b) {
  return b <= a;
}
template <class A, class B>
  requires detail::AreOperands<A, B>
[[nodiscard, gnu::always_inline]] inline auto operator==(const A& a, const B& b) {
  return map(detail::SafeEqual(), a, b);
}
template <IsMask A>
[[nodiscard, gnu::always_inline]] inline auto operator!(const A& a) {
  return map(std::logical_not<>(), a);
}
template <class A, class B>
  requires detail::AreOperands<A, B>
[[nodiscard, gnu::always_inline]] inline auto operator!=(const A& a, const B& b) {
  return !(a == b);
}
/// Both operands are evaluated: arrays have no short circuit.
template <IsMask A, IsMask B>
[[nodiscard, gnu::always_inline]] inline auto operator&&(const A& a, const B& b) {
  return map(std::logical_and<>(), a, b);
}
template <IsMask A, IsMask B>
[[nodiscard, gnu::always_inline]] inline auto operator||(const A& a, const B& b) {
  return map(std::logical_or<>(), a, b);
}

template <IsArray A>
[[nodiscard, gnu::always_inline]] inline auto abs(const A& a) {
  return map(detail::SafeAbsolute(), a);
}
template <IsArray A>
[[nodiscard, gnu::always_inline]] inline auto sqrt(const A& a) {
  return map([](auto x) { return std::sqrt(x); }, a);
}
template <IsArray A>
[[nodiscard, gnu::always_inline]] inline auto exp(const A& a) {
  return map([](auto x) { return std::exp(x); }, a);
}
template <IsArray A>
[[nodiscard, gnu::always_inline]] inline auto log(const A& a) {
  return map([](auto x) { return std::log(x); }, a);
}
template <IsArray A>
[[nodiscard, gnu::always_inline]] inline auto sin(const A& a) {
  return map([](auto x) { return std::sin(x); }, a);
}
template <IsArray A>
[[nodiscard, gnu::always_inline]] inline auto cos(const A& a) {
  return map([](auto x) { return std::cos(x); }, a);
}
/// Computes integers in double, so that squares do not wrap around.
template <class A, class B>
  requires detail::AreOperands<A, B>
[[nodiscard, gnu::always_inline]] inline auto hypot(const A& a, const B& b) {
  const auto length = [](auto x, auto y) {
    using Float = decltype(std::sqrt(x + y));
    const auto p = static_cast<Float>(x), q = static_cast<Float>(y);
    return std::sqrt(p * p + q * q);
  };
  return map(length, a, b);
}

/// Returns `a[i]` if the mask is true, else `b[i]`.
template <IsMask M, class A, class B>
[[nodiscard, gnu::always_inline]] inline auto where(const M& mask, const A& a, const B& b) {
  return map([](bool is, auto x, auto y) { return is ? x : y; }, mask, a, b);
}

} // namespace kaon
