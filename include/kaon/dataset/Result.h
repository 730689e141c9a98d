#pragma once

#include <kaon/base/Error.h>
#include <kaon/detail/dataset/ResultAction.h>
#include <kaon/detail/dataset/Run.h>
#include <kaon/detail/reading/ColumnValues.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

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

/// A result that a dataframe will compute. The first access computes it, in one pass with all
/// booked results of the dataset that still exist. Cheap to copy. Thread-safe: the first thread to
/// access a result of a pass computes them all, and other threads wait.
template <class T>
class Result {
public:
  explicit Result(std::shared_ptr<detail::ResultAction<T>> action) : m_action(std::move(action)) {}
  // Moving copies, so a Result is never empty.
  Result(const Result&) = default;
  Result& operator=(const Result&) = default;

  /// Computes the result if necessary. Throws any error of the computation.
  [[nodiscard]] const T& get() const {
    if (!m_action->isDone)
      detail::runBooked({m_action});
    if (m_action->failure)
      throw *m_action->failure;
    return *m_action->value;
  }
  const T& operator*() const { return get(); }
  const T* operator->() const { return &get(); }

  // For internal use.
  [[nodiscard]] const std::shared_ptr<detail::ResultAction<T>>& action() const { return m_action; }
  [[nodiscard]] std::vector<std::shared_ptr<detail::Action>> actions() const { return {m_action}; }

private:
  std::shared_ptr<detail::ResultAction<T>> m_action;
};

/// Computes these results, of one or several datasets, in one pass for each dataset. Returns when
/// all are computed. `progress` may throw to end the computation.
template <class... Results>
void run(const Progress& progress, const Results&... results) {
  std::vector<std::shared_ptr<detail::Action>> actions;
  (std::ranges::move(results.actions(), std::back_inserter(actions)), ...);
  detail::runBooked(actions, progress);
}
template <class First, class... Results>
  requires(!std::convertible_to<First, Progress>)
void run(const First& first, const Results&... results) {
  run(Progress(), first, results...);
}

/// Returns this result in each variation of its dataframe, by name. They are computed like other
/// results, all in the same pass.
template <class T>
[[nodiscard]] std::map<std::string, Result<T>> variations(const Result<T>& nominal) {
  std::map<std::string, Result<T>> results;
  for (const std::string& name : detail::variationsOf(*nominal.action()->node)) {
    std::shared_ptr<detail::ResultAction<T>> action = nominal.action()->in(name);
    detail::bookAction(action);
    results.emplace(name, Result<T>(std::move(action)));
  }
  return results;
}

/// Statistics of the values of a column. `min` and `max` are integers if the column has integers.
struct Statistics {
  std::uint64_t count = 0;
  double mean = 0;
  double squares = 0; ///< sum of squared distances from the mean
  Number min = std::numeric_limits<double>::infinity();
  Number max = -std::numeric_limits<double>::infinity();

  /// Returns the standard deviation of the values; NaN for fewer than two values.
  [[nodiscard]] double deviation() const noexcept {
    return count < 2 ? std::numeric_limits<double>::quiet_NaN()
                     : std::sqrt(squares / static_cast<double>(count - 1));
  }
};

/// The values of some columns in the first entries, as texts.
struct Display {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows; ///< for each entry, a text for each column
};

/// Prints a table.
std::ostream& operator<<(std::ostream& out, const Display& display);

/// The numbers of entries that pass each filter of a dataframe, in the order of the filters.
class CutFlow {
public:
  struct Cut {
    std::string label;
    std::uint64_t entries = 0; ///< that reached the filter
    std::uint64_t passed = 0;
    Number weight = 0;       ///< sum of the weights of `entries`; their number if no weight is used
    Number passedWeight = 0; ///< sum of the weights of `passed`
  };
  /// The number of entries at one step of a dataframe, and the sum of their weights.
  struct Entries {
    Result<std::uint64_t> number;
    std::vector<Result<Number>> weight; ///< one result, or empty if no weight is used
  };
  /// A filter. `asked` equals `passed` of the filter before it, unless explode() or implode()
  /// stands between them.
  struct Filter {
    std::string label;
    Entries asked;
    Entries passed;
  };

  explicit CutFlow(std::vector<Filter> filters) : m_filters(std::move(filters)) {}

  [[nodiscard]] std::vector<Cut> cuts() const;
  [[nodiscard]] const std::vector<Filter>& filters() const noexcept { return m_filters; }
  [[nodiscard]] std::vector<std::shared_ptr<detail::Action>> actions() const;

private:
  std::vector<Filter> m_filters;
};

/// Prints a table with a row for each cut.
std::ostream& operator<<(std::ostream& out, const CutFlow& cutFlow);

} // namespace kaon
