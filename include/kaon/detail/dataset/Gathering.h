#pragma once

#include <kaon/dataset/Result.h>
#include <kaon/detail/base/ExactSum.h>
#include <kaon/detail/dataset/EntryFunction.h>
#include <kaon/detail/dataset/EntryLoop.h>
#include <kaon/detail/dataset/Formula.h>
#include <kaon/detail/reading/EntryValue.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// The states of results, gathered part by part: see detail::StateAction.

namespace kaon::detail {

struct Count {
  std::uint64_t count = 0;
  void add(std::size_t entries, std::span<const ArgumentValues>) { count += entries; }
  void merge(const Count& next) { count += next.count; }
  [[nodiscard]] std::uint64_t result() const { return count; }
};

/// The column of numbers that a result is about.
struct NumberColumn {
  Scalar scalar = Scalar::Float64;
  std::string column = {}; ///< the column's name, for messages
  [[nodiscard]] bool areIntegers() const { return !isFloat(scalar); }
  /// For integers: returns whether results are int64 instead of uint64. Results of bools are int64.
  [[nodiscard]] bool areSigned() const {
    return scalar == Scalar::Bool ||
           withScalar(scalar, [](auto zero) { return std::is_signed_v<decltype(zero)>; });
  }
};

/// Returns the values whose bool in `isThere` is true, without lists. Uses the memory of `values`.
[[nodiscard]] ColumnValues presentOf(const ColumnValues& column, const ColumnValues& isThere,
                                     std::size_t size, std::vector<std::byte>& values);

/// The sum of all values: exact for integers, as double for floats.
struct Sum {
  NumberColumn numbers = {};
  double sum = 0;
  ExactSum exact = {}; // of integers
  void add(std::size_t entries, std::span<const ArgumentValues> arguments);
  void merge(const Sum& next) {
    sum += next.sum;
    exact.add(next.exact);
  }
  /// Returns an int64, or a uint64 for unsigned columns. Throws Error(type) if the sum exceeds this
  /// type.
  [[nodiscard]] Number result() const;
};

/// The least or greatest value; NaN is ignored.
struct Extreme {
  NumberColumn numbers = {};
  bool isGreatest = false;
  std::optional<Number> value = {};
  void add(std::size_t entries, std::span<const ArgumentValues> arguments);
  void merge(const Extreme& next);
  [[nodiscard]] std::optional<Number> result() const { return value; }
};

/// The number of values and their mean.
struct Mean {
  NumberColumn numbers = {};
  std::uint64_t count = 0;
  double mean = 0;     // of floats
  ExactSum exact = {}; // of integers
  void add(std::size_t entries, std::span<const ArgumentValues> arguments);
  void merge(const Mean& next);
  /// Returns the difference of the means, `next` minus this one, rounded only once.
  [[nodiscard]] double shiftTo(const Mean& next) const;
  [[nodiscard]] double value() const { return numbers.areIntegers() ? exact.mean(count) : mean; }
  [[nodiscard]] std::optional<double> result() const {
    return count > 0 ? std::optional(value()) : std::nullopt;
  }
};

/// The sum of squares is updated as in T. F. Chan, G. H. Golub, R. J. LeVeque, "Updating formulae
/// and a pairwise algorithm for computing sample variances" (1979).
struct GatheredStatistics {
  NumberColumn numbers = {};
  Mean mean = {};
  double squares = 0;
  Extreme least = {}, greatest = {.isGreatest = true};
  void add(std::size_t entries, std::span<const ArgumentValues> arguments);
  void merge(const GatheredStatistics& next);
  [[nodiscard]] Statistics result() const;
};

/// Gathers the existing values of a column. A second column of bools, if any, tells which values
/// exist.
template <class State>
struct PresentOnly {
  State state;
  std::vector<std::byte> values = {};
  void add(std::size_t entries, std::span<const ArgumentValues> arguments) {
    if (arguments.size() < 2)
      return state.add(entries, arguments);
    const ArgumentValues present{
        presentOf(arguments[0].column, arguments[1].column, sizeOf(state.numbers.scalar), values)};
    state.add(entries, std::span(&present, 1));
  }
  void merge(const PresentOnly& next) { state.merge(next.state); }
  [[nodiscard]] auto result() const { return state.result(); }
};

/// The type that owns a copy of a value.
template <class T>
struct OwnValue {
  using Type = T;
};
template <>
struct OwnValue<std::string_view> {
  using Type = std::string;
};
template <class T>
struct OwnValue<Array<T>> {
  using Type = std::vector<typename OwnValue<T>::Type>;
};
template <class T>
[[nodiscard]] typename OwnValue<T>::Type ownValue(const T& value) {
  if constexpr (IsArray<T>) {
    typename OwnValue<T>::Type values;
    values.reserve(value.size());
    for (const auto& element : value)
      values.push_back(ownValue(element));
    return values;
  } else {
    return typename OwnValue<T>::Type(value);
  }
}

/// The values of a column for all entries.
template <class T>
struct Taken {
  std::vector<typename OwnValue<T>::Type> values = {};
  void add(std::size_t entries, std::span<const ArgumentValues> arguments) {
    EntryValue<T> column;
    column.view(arguments[0].column);
    const std::uint32_t* const which = arguments[0].entries;
    for (std::size_t i = 0; i < entries; ++i)
      values.push_back(ownValue(column[which ? which[i] : i]));
  }
  void merge(Taken&& next) { std::ranges::move(next.values, std::back_inserter(values)); }
  [[nodiscard]] auto result() && { return std::move(values); }
};

/// Returns the entry that contains a value of a column.
[[nodiscard]] inline std::size_t entryOf(const ColumnValues& column, std::size_t value) {
  for (std::size_t level = mostListLevels; level-- > 0;)
    if (const auto offsets = column.offsets[level]; !offsets.empty()) {
      const auto next = std::ranges::upper_bound(offsets, value);
      value = static_cast<std::size_t>(next - offsets.begin()) - 1;
    }
  return value;
}

/// All values combined by a function of two values.
template <class T, class F>
struct Reduced {
  F function;
  std::optional<T> value = {};
  void add(std::size_t, std::span<const ArgumentValues> arguments) {
    const ColumnValues& column = arguments[0].column;
    const std::span<const T> values = column.as<T>();
    inPieces(values.size(), [&](std::size_t i, std::size_t last) {
      try {
        for (; i < last; ++i)
          value = value ? function(*value, values[i]) : values[i];
      } catch (...) {
        throw EntryFailure{entryOf(column, i), std::current_exception()};
      }
    });
  }
  void merge(const Reduced& next) {
    if (next.value)
      value = value ? function(*value, *next.value) : next.value;
  }
  [[nodiscard]] std::optional<T> result() const { return value; }
};

/// A state that users' functions gather, entry by entry, or batch by batch if they take spans.
template <class State, class Add, class Merge, class... T>
struct Aggregated {
  State state;
  Add addValues;
  Merge mergeStates;
  void add(std::size_t entries, std::span<const ArgumentValues> arguments) {
    if constexpr ((isSpan<T> || ...))
      addBatch(arguments, std::index_sequence_for<T...>());
    else
      forEachEntry<T...>(entries, arguments,
                         [this](std::size_t, const auto&... values) { addTo(values...); });
  }
  void merge(Aggregated&& next) {
    if constexpr (std::is_void_v<decltype(mergeStates(state, std::move(next.state)))>)
      mergeStates(state, std::move(next.state));
    else
      state = mergeStates(std::move(state), std::move(next.state));
  }
  [[nodiscard]] State result() && { return std::move(state); }

private:
  template <std::size_t... I>
  void addBatch(std::span<const ArgumentValues> arguments, std::index_sequence<I...>) try {
    const ArenaScope arena;
    std::tuple<BatchValues<typename SpanValue<T>::type>...> values;
    addTo(std::get<I>(values).of(arguments[I].column)...);
  } catch (...) {
    throw EntryFailure{0, std::current_exception()};
  }
  template <class... Values>
  void addTo(const Values&... values) {
    if constexpr (std::is_void_v<decltype(addValues(state, values...))>)
      addValues(state, values...);
    else
      state = addValues(std::move(state), values...);
  }
};

} // namespace kaon::detail
