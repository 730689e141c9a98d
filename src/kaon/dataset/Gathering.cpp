#include <kaon/dataset/Gathering.h>

#include <kaon/dataset/SumKernel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <type_traits>

namespace kaon {

void Statistics::merge(const Statistics& next) noexcept {
  if (next.count == 0)
    return;
  const auto ours = static_cast<double>(count);
  const auto theirs = static_cast<double>(next.count);
  const double shift = next.mean - mean;
  mean += shift * theirs / (ours + theirs);
  squares += next.squares + shift * shift * ours * theirs / (ours + theirs);
  count += next.count;
  min = std::min(min, next.min);
  max = std::max(max, next.max);
}

namespace detail {
namespace {

constexpr std::size_t lanes = sumLanes;

/// Of `term(value)` for each value.
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

/// Of some values the one that is before the others, NaNs left out; the type's last one for none.
template <class T, class Before>
double firstOf(std::span<const T> values, Before isBefore) {
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
  return static_cast<double>(std::accumulate(firsts.begin(), firsts.end(), firsts[0], first));
}
template <class T>
double leastOf(std::span<const T> values) {
  return firstOf(values, std::less<T>());
}
template <class T>
double greatestOf(std::span<const T> values) {
  return firstOf(values, std::greater<T>());
}

template <class T>
Statistics countAndMean(std::span<const T> values) {
  return {.count = values.size(),
          .mean = values.empty() ? 0 : sumOf(values) / static_cast<double>(values.size())};
}

} // namespace

void Sum::add(std::size_t, std::span<const ArgumentValues> arguments) {
  withScalar(scalar, [&](auto type) { sum += sumOf(arguments[0].column.as<decltype(type)>()); });
}

void Extreme::add(std::size_t, std::span<const ArgumentValues> arguments) {
  withScalar(scalar, [&](auto type) {
    const auto values = arguments[0].column.as<decltype(type)>();
    const auto isNumber = [](auto x) { return !std::isnan(static_cast<double>(x)); };
    if (std::ranges::any_of(values, isNumber))
      merge({.value = isGreatest ? greatestOf(values) : leastOf(values)});
  });
}

void Extreme::merge(const Extreme& next) {
  if (next.value && (!value || (isGreatest ? *next.value > *value : *next.value < *value)))
    value = next.value;
}

void GatheredStatistics::add(std::size_t, std::span<const ArgumentValues> arguments) {
  withScalar(scalar, [&](auto type) {
    const auto values = arguments[0].column.as<decltype(type)>();
    Statistics batch = countAndMean(values);
    batch.squares = sumOf(values, [&](double x) { return (x - batch.mean) * (x - batch.mean); });
    batch.min = leastOf(values);
    batch.max = greatestOf(values);
    statistics.merge(batch);
  });
}

void Mean::add(std::size_t, std::span<const ArgumentValues> arguments) {
  withScalar(scalar, [&](auto type) {
    statistics.merge(countAndMean(arguments[0].column.as<decltype(type)>()));
  });
}

} // namespace detail
} // namespace kaon
