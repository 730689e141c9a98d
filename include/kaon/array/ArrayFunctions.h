#pragma once

#include <kaon/array/Array.h>
#include <kaon/base/Error.h>
#include <kaon/detail/array/Packets.h>
#include <kaon/detail/base/ExactSum.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>

// Functions of whole arrays of an entry: selections, sums, orders, combinations. The resulting
// arrays are in the thread's Arena.

namespace kaon {

template <IsArray A, IsMask M>
Array<typename A::value_type> filter(const A& array, const M& mask) {
  using T = typename A::value_type;
  const std::size_t size = detail::commonSize(array, mask);
  const std::span<T> values = detail::Arena::ofThread().allocate<T>(size);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size; ++i) {
    values[kept] = array[i]; // no branch; overwritten if not selected
    kept += mask[i] ? 1 : 0;
  }
  return Array<T>(values.first(kept));
}

template <IsArray A, IsArray I>
Array<typename A::value_type> take(const A& array, const I& places) {
  using T = typename A::value_type;
  const std::span<T> values = detail::Arena::ofThread().allocate<T>(places.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto place = static_cast<std::size_t>(places[i]);
    if (place >= array.size())
      fail(ErrorKind::usage, "index ", +places[i], " is out of range in an array of size ",
           array.size());
    values[i] = array[place];
  }
  return Array<T>(values);
}

/// Returns the values of one array followed by those of another.
template <IsArray A, IsArray B>
  requires std::same_as<typename A::value_type, typename B::value_type>
[[nodiscard]] Array<typename A::value_type> concatenate(const A& a, const B& b) {
  using T = typename A::value_type;
  const std::span<T> values = detail::Arena::ofThread().allocate<T>(a.size() + b.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = i < a.size() ? a[i] : b[i - a.size()];
  return Array<T>(values);
}

namespace detail {

/// The type in which values are added or multiplied.
template <class T>
using Wide =
    std::conditional_t<std::floating_point<T>, double,
                       std::conditional_t<std::unsigned_integral<T> && !std::same_as<T, bool>,
                                          std::uint64_t, std::int64_t>>;

/// Whether a sum of few values of a type can exceed 64 bits.
template <class T>
inline constexpr bool isWide = std::integral<T> && sizeof(T) == sizeof(std::uint64_t);

template <IsArray A>
[[nodiscard]] ExactSum exactSum(const A& a) {
  ExactSum sum;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum.add(a[i]);
  return sum;
}

[[noreturn]] inline void failBeyond(const char* what) {
  fail(ErrorKind::usage, "the ", what, " of integers exceeds 64 bits; use floats, which round it");
}

} // namespace detail

/// Adds floats in double, and bools and integers in 64 bits. Throws Error(usage) beyond 64 bits.
template <IsArray A>
[[nodiscard]] auto sum(const A& a) {
  using T = typename A::value_type;
  using Sum = detail::Wide<T>;
  if constexpr (IsMask<A>) {
    return static_cast<Sum>(detail::holding(a));
  } else if constexpr (detail::isWide<T>) {
    const std::optional<Sum> sum = detail::exactSum(a).template as<Sum>();
    if (!sum) [[unlikely]]
      detail::failBeyond("sum");
    return *sum;
  } else {
    Sum sum{};
    for (std::size_t i = 0; i < a.size(); ++i)
      sum += static_cast<Sum>(a[i]);
    return sum;
  }
}

/// Returns the product in the type of sums; 1 for an empty array. Throws as sum() does.
template <IsArray A>
[[nodiscard]] auto prod(const A& a) {
  using Product = detail::Wide<typename A::value_type>;
  Product product{1};
  if constexpr (std::integral<Product>) {
    bool isBeyond = false, hasZero = false; // any zero makes the product 0
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto factor = static_cast<Product>(a[i]);
      isBeyond |= __builtin_mul_overflow(product, factor, &product);
      hasZero |= factor == 0;
    }
    if (isBeyond && !hasZero) [[unlikely]]
      detail::failBeyond("product");
    return hasZero ? Product{0} : product;
  } else {
    for (std::size_t i = 0; i < a.size(); ++i)
      product *= static_cast<Product>(a[i]);
    return product;
  }
}

/// Returns the mean; NaN for an empty array. For integers, it is computed from their exact sum.
template <IsArray A>
[[nodiscard]] double mean(const A& a) {
  if constexpr (detail::isWide<typename A::value_type>)
    if (a.size() > 0)
      return detail::exactSum(a).mean(a.size());
  return static_cast<double>(sum(a)) / static_cast<double>(a.size());
}

template <IsMask M>
[[nodiscard, gnu::always_inline]] inline bool any(const M& mask) {
  return detail::holding(mask) > 0; // cheaper than a branch per value
}

template <IsMask M>
[[nodiscard, gnu::always_inline]] inline bool all(const M& mask) {
  return !any(!mask);
}

/// Returns the number of true values.
template <IsMask M>
[[nodiscard, gnu::always_inline]] inline std::size_t count(const M& mask) {
  return detail::holding(mask);
}

namespace detail {

template <class T>
[[nodiscard]] constexpr bool isNan(const T& value) noexcept {
  if constexpr (std::floating_point<T>)
    return value != value;
  else
    return false;
}

} // namespace detail

/// Returns the position of the least value by this order, the first of equal ones; nothing for an
/// empty array. A NaN is the least by any order, as in NumPy, so that it is noticed.
template <IsArray A, class Order = std::less<>>
[[nodiscard]] std::optional<std::size_t> argmin(const A& a, Order order = {}) {
  if (a.size() == 0)
    return std::nullopt;
  std::size_t best = 0;
  auto least = a[0];
  for (std::size_t i = 1; i < a.size(); ++i)
    if (const auto value = a[i];
        order(value, least) || (detail::isNan(value) && !detail::isNan(least))) {
      least = value;
      best = i;
    }
  return best;
}
template <IsArray A>
[[nodiscard]] std::optional<std::size_t> argmax(const A& a) {
  return argmin(a, std::greater<>());
}

/// Returns the least value, or `ifEmpty`; NaN if any value is NaN.
template <IsArray A>
[[nodiscard]] auto min(const A& a, typename A::value_type ifEmpty) {
  const auto place = argmin(a);
  return place ? static_cast<typename A::value_type>(a[*place]) : ifEmpty;
}
template <IsArray A>
[[nodiscard]] auto max(const A& a, typename A::value_type ifEmpty) {
  const auto place = argmax(a);
  return place ? static_cast<typename A::value_type>(a[*place]) : ifEmpty;
}

/// Returns the positions in the order of their values, keeping the order of equal ones. With
/// std::greater<>() the greatest comes first. NaNs are last by any order, as in NumPy.
template <IsArray A, class Order = std::less<>>
[[nodiscard]] Array<std::uint32_t> argsort(const A& a, Order order = {}) {
  const std::span<std::uint32_t> places =
      detail::Arena::ofThread().allocate<std::uint32_t>(a.size());
  std::iota(places.begin(), places.end(), 0U);
  // Also compares positions, because std::stable_sort would allocate memory.
  std::ranges::sort(places, [&](std::uint32_t i, std::uint32_t j) {
    const auto x = a[i];
    const auto y = a[j];
    if (detail::isNan(x) != detail::isNan(y)) [[unlikely]]
      return detail::isNan(y);
    return order(x, y) || (!order(y, x) && i < j);
  });
  return Array<std::uint32_t>(places);
}

template <IsArray A, class Order = std::less<>>
[[nodiscard]] Array<typename A::value_type> sort(const A& a, Order order = {}) {
  return take(a, argsort(a, order));
}

namespace detail {

/// Calls `use(places)` for each choice of N of `size` positions, in order. Position k and later
/// ones are still to be chosen, from `first` on. Nested loops, whose positions the compiler keeps
/// in registers.
template <std::size_t k, std::size_t N, class Use>
[[gnu::always_inline]] inline void forEachChoice(std::array<std::size_t, N>& places,
                                                 std::size_t first, std::size_t size, Use& use) {
  if constexpr (k == N)
    use(places);
  else
    for (places[k] = first; places[k] + (N - k) <= size; ++places[k])
      forEachChoice<k + 1>(places, places[k] + 1, size, use);
}

/// Position i itself.
struct Positions {
  std::uint32_t operator[](std::size_t i) const noexcept { return static_cast<std::uint32_t>(i); }
};

} // namespace detail

/// Returns all choices of N of an array's values, each in the order of the array.
template <std::size_t N, IsArray A>
[[nodiscard]] Array<std::array<typename A::value_type, N>> combinations(const A& a) {
  using Choice = std::array<typename A::value_type, N>;
  const std::size_t size = a.size();
  if (size < N)
    return {};
  std::size_t number = 1; // number of choices; each product is divisible
  for (std::size_t k = 1; k <= N; ++k) {
    constexpr std::size_t most = std::size_t{1} << 48; // the size in bytes must not overflow
    if (number > most / (size - N + k)) [[unlikely]]
      fail(ErrorKind::memory, "there are too many choices of ", N, " among ", size, " values");
    number = number * (size - N + k) / k;
  }
  const std::span<Choice> choices = detail::Arena::ofThread().allocate<Choice>(number);
  Choice* choice = choices.data();
  const auto add = [&](const std::array<std::size_t, N>& places) {
    for (std::size_t k = 0; k < N; ++k)
      (*choice)[k] = a[places[k]];
    ++choice;
  };
  std::array<std::size_t, N> places;
  detail::forEachChoice<0>(places, 0, size, add);
  return Array<Choice>(choices);
}

/// Returns the positions 0, 1, ... of an array's values.
template <IsArray A>
[[nodiscard, gnu::always_inline]] inline auto places(const A& a) {
  return detail::Computed<std::identity, detail::Positions>(std::identity(), a.size(),
                                                            detail::Positions());
}

namespace detail {

/// Two values that belong together.
template <class A, class B>
struct Pair {
  A first;
  B second;
};

} // namespace detail

/// Returns each value of one array with each of another; the pairs of the first array's first value
/// come first.
template <IsArray A, IsArray B>
[[nodiscard]] auto pairs(const A& a, const B& b) {
  using P = detail::Pair<typename A::value_type, typename B::value_type>;
  const std::span<P> values = detail::Arena::ofThread().allocate<P>(a.size() * b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      values[i * b.size() + j] = {a[i], b[j]};
  return Array<P>(values);
}

} // namespace kaon
