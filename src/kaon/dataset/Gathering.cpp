#include <kaon/dataset/Gathering.h>

#include <array>

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

/// Several sums at a time, so that no addition waits for the one before it.
template <class T>
double sumOf(std::span<const T> values, double shift = 0, bool isSquared = false) {
  std::array<double, 8> sums{};
  const auto term = [&](T value) {
    const double x = static_cast<double>(value) - shift;
    return isSquared ? x * x : x;
  };
  std::size_t i = 0;
  for (; i + sums.size() <= values.size(); i += sums.size())
    for (std::size_t k = 0; k < sums.size(); ++k)
      sums[k] += term(values[i + k]);
  for (std::size_t k = 0; i < values.size(); ++i, ++k)
    sums[k] += term(values[i]);
  double sum = 0;
  for (const double part : sums)
    sum += part;
  return sum;
}

} // namespace

void Sum::add(std::size_t, std::span<const ArgumentValues> arguments) {
  withScalar(scalar, [&](auto type) { sum += sumOf(arguments[0].column.as<decltype(type)>()); });
}

void Extreme::add(std::size_t, std::span<const ArgumentValues> arguments) {
  withScalar(scalar, [&](auto type) {
    for (const auto number : arguments[0].column.as<decltype(type)>()) {
      const auto x = static_cast<double>(number);
      if (!std::isnan(x) && (!value || (isGreatest ? x > *value : x < *value)))
        value = x;
    }
  });
}

void Extreme::merge(const Extreme& next) {
  if (next.value && (!value || (isGreatest ? *next.value > *value : *next.value < *value)))
    value = next.value;
}

void GatheredStatistics::add(std::size_t, std::span<const ArgumentValues> arguments) {
  withScalar(scalar, [&](auto type) {
    const auto values = arguments[0].column.as<decltype(type)>();
    if (values.empty())
      return;
    Statistics batch;
    batch.count = values.size();
    batch.mean = sumOf(values) / static_cast<double>(values.size());
    batch.squares = sumOf(values, batch.mean, true);
    for (const auto value : values) {
      batch.min = std::min(batch.min, static_cast<double>(value));
      batch.max = std::max(batch.max, static_cast<double>(value));
    }
    statistics.merge(batch);
  });
}

} // namespace detail
} // namespace kaon
