#include <kaon/detail/dataset/Gathering.h>

#include <kaon/base/Error.h>
#include <kaon/dataset/SumKernel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <type_traits>

namespace kaon::detail {

namespace {

constexpr std::size_t lanes = sumLanes;

/// Returns the sum of `term(value)` over all values.
template <class T, class Term = std::identity>
double sumOf(std::span<const T> values, Term term = {}) {
  std::array<double, lanes> sums{};
  std::size_t i = 0;
  if constexpr (std::is_same_v<T, float> && std::is_same_v<Term, std::identity>)
    i = addToLanes(values, sums);
  for (; i + lanes <= values.size(); i += lanes)
    for (std::size_t k = 0; k < lanes; ++k)
      sums[k] += term(static_cast<double>(values[i + k]));
  for (std::size_t k = 0; i < values.size(); ++i, ++k)
    sums[k] += term(static_cast<double>(values[i]));
  double sum = 0;
  for (const double part : sums)
    sum += part;
  return sum;
}

/// Returns the first of these values in the order `isBefore`, ignoring NaN. Without values, returns
/// the type's last value.
template <class T, class Before>
T firstOf(std::span<const T> values, Before isBefore) {
  using Limits = std::numeric_limits<T>;
  const T least = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  const T greatest = Limits::has_infinity ? Limits::infinity() : Limits::max();
  std::array<T, lanes> firsts;
  firsts.fill(isBefore(least, greatest) ? greatest : least);
  const auto first = [&](T a, T b) { return isBefore(b, a) ? b : a; };
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes)
    for (std::size_t k = 0; k < lanes; ++k)
      firsts[k] = first(firsts[k], values[i + k]);
  for (; i < values.size(); ++i)
    firsts[0] = first(firsts[0], values[i]);
  return std::accumulate(firsts.begin(), firsts.end(), firsts[0], first);
}
template <class T>
T leastOf(std::span<const T> values) {
  return firstOf(values, std::less<T>());
}
template <class T>
T greatestOf(std::span<const T> values) {
  return firstOf(values, std::greater<T>());
}

/// Returns the sum of squared distances of 64-bit integers from their mean `whole` + `rest`.
template <class T>
double squaresAround(std::span<const T> values, T whole, double rest) {
  double squares = 0;
  for (const T value : values) {
    const auto apart = static_cast<double>(static_cast<std::uint64_t>(std::max(value, whole)) -
                                           static_cast<std::uint64_t>(std::min(value, whole)));
    const double distance = (value < whole ? -apart : apart) - rest;
    squares += distance * distance;
  }
  return squares;
}

/// Returns a value in the type of results: integers of 64 bits, floats as double.
template <class T>
Number numberOf(T value, const NumberColumn& numbers) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<double>(value);
  else if (numbers.areSigned())
    return static_cast<std::int64_t>(value);
  else
    return static_cast<std::uint64_t>(value);
}

template <class T>
Mean meanOf(std::span<const T> values, const NumberColumn& numbers) {
  Mean mean{.numbers = numbers, .count = values.size()};
  if constexpr (std::is_integral_v<T>)
    mean.exact.add(values);
  else if (!values.empty())
    mean.mean = sumOf(values) / static_cast<double>(values.size());
  return mean;
}

template <class T>
double squaresOf(std::span<const T> values, const Mean& mean) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8)
    if (!values.empty())
      return squaresAround(values, *mean.exact.floorOfMean(mean.count).template as<T>(),
                           mean.exact.restOfMean(mean.count));
  return sumOf(values, [middle = mean.count > 0 ? mean.value() : 0](double x) {
    return (x - middle) * (x - middle);
  });
}

} // namespace

ColumnValues presentOf(const ColumnValues& column, const ColumnValues& isThere, std::size_t size,
                       std::vector<std::byte>& values) {
  values.resize(column.size * size);
  std::size_t count = 0;
  for (std::size_t i = 0; i < column.size; ++i)
    if (isThere.values[i] != std::byte{0})
      std::memcpy(values.data() + count++ * size, column.values + i * size, size);
  return {values.data(), count};
}

void Sum::add(std::size_t, std::span<const ArgumentValues> arguments) {
  withScalar(numbers.scalar, [&]<class T>(T) {
    const auto values = arguments[0].column.as<T>();
    if constexpr (std::is_integral_v<T>)
      exact.add(values);
    else
      sum += sumOf(values);
  });
}

Number Sum::result() const {
  if (!numbers.areIntegers())
    return sum;
  const bool isSigned = numbers.areSigned();
  if (const auto integer = exact.as<std::int64_t>(); isSigned && integer)
    return *integer;
  if (const auto integer = exact.as<std::uint64_t>(); !isSigned && integer)
    return *integer;
  fail(ErrorKind::type, "the sum of '", numbers.column, "' is beyond ",
       isSigned ? "int64" : "uint64", "; sum(\"float(", numbers.column,
       ")\") is computed as float64");
}

void Extreme::add(std::size_t, std::span<const ArgumentValues> arguments) {
  withScalar(numbers.scalar, [&](auto type) {
    const auto values = arguments[0].column.as<decltype(type)>();
    const auto isNumber = [](auto x) { return !std::isnan(static_cast<double>(x)); };
    if (std::ranges::any_of(values, isNumber))
      merge({.value = numberOf(isGreatest ? greatestOf(values) : leastOf(values), numbers)});
  });
}

void Extreme::merge(const Extreme& next) {
  if (next.value && (!value || (isGreatest ? *next.value > *value : *next.value < *value)))
    value = next.value;
}

double Mean::shiftTo(const Mean& next) const {
  if (!numbers.areIntegers())
    return next.mean - mean;
  return next.exact.floorOfMean(next.count).minus(exact.floorOfMean(count)) +
         (next.exact.restOfMean(next.count) - exact.restOfMean(count));
}

void Mean::merge(const Mean& next) {
  if (next.count == 0)
    return;
  const auto ours = static_cast<double>(count), theirs = static_cast<double>(next.count);
  mean += (next.mean - mean) * theirs / (ours + theirs);
  exact.add(next.exact);
  count += next.count;
}

void Mean::add(std::size_t, std::span<const ArgumentValues> arguments) {
  withScalar(numbers.scalar,
             [&](auto type) { merge(meanOf(arguments[0].column.as<decltype(type)>(), numbers)); });
}

void GatheredStatistics::add(std::size_t entries, std::span<const ArgumentValues> arguments) {
  GatheredStatistics batch{.numbers = numbers};
  withScalar(numbers.scalar, [&](auto type) {
    const auto values = arguments[0].column.as<decltype(type)>();
    batch.mean = meanOf(values, numbers);
    batch.squares = squaresOf(values, batch.mean);
  });
  batch.least.numbers = batch.greatest.numbers = numbers;
  batch.least.add(entries, arguments);
  batch.greatest.add(entries, arguments);
  merge(batch);
}

void GatheredStatistics::merge(const GatheredStatistics& next) {
  mean.numbers = numbers;
  if (mean.count > 0 && next.mean.count > 0) {
    const auto ours = static_cast<double>(mean.count),
               theirs = static_cast<double>(next.mean.count);
    const double shift = mean.shiftTo(next.mean);
    squares += next.squares + shift * shift * ours * theirs / (ours + theirs);
  } else {
    squares += next.squares;
  }
  mean.merge(next.mean);
  least.merge(next.least);
  greatest.merge(next.greatest);
}

Statistics GatheredStatistics::result() const {
  Statistics statistics{.count = mean.count, .mean = mean.result().value_or(0), .squares = squares};
  if (least.value) // Else there are no values, or only NaN.
    statistics.min = *least.value, statistics.max = *greatest.value;
  return statistics;
}

} // namespace kaon::detail
