#include <kaon/dataset/Histogram.h>

#include <kaon/base/Error.h>
#include <kaon/detail/dataset/EntryFunction.h>

#include <boost/histogram/ostream.hpp>
#include <boost/histogram/sample.hpp>
#include <boost/histogram/unsafe_access.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <ostream>
#include <string_view>
#include <type_traits>
#include <utility>

namespace kaon {
namespace {

namespace bh = boost::histogram;

/// Calls `make`, and turns Boost's exceptions about invalid axes into Error(usage).
template <class Make>
auto checked(Make make) {
  try {
    return make();
  } catch (const std::invalid_argument& error) {
    fail(ErrorKind::usage, "an axis of a histogram: ", error.what());
  }
}

} // namespace

double AxisTransform::forward(double value) const noexcept {
  switch (kind) {
  case Kind::logarithm:
    return std::log(value);
  case Kind::squareRoot:
    return std::sqrt(value);
  case Kind::power:
    break;
  }
  return std::pow(value, exponent);
}

double AxisTransform::inverse(double value) const noexcept {
  switch (kind) {
  case Kind::logarithm:
    return std::exp(value);
  case Kind::squareRoot:
    return value * value;
  case Kind::power:
    break;
  }
  return std::pow(value, 1 / exponent);
}

std::ostream& operator<<(std::ostream& out, const AxisTransform& transform) {
  switch (transform.kind) {
  case AxisTransform::Kind::logarithm:
    return out << "log";
  case AxisTransform::Kind::squareRoot:
    return out << "sqrt";
  case AxisTransform::Kind::power:
    break;
  }
  return out << "pow(" << transform.exponent << ")";
}

Axis::Axis(unsigned bins, double low, double high, std::string title)
    : axis(checked([&] {
        if (!(low < high))
          throw std::invalid_argument("its lower end must come first");
        return bh::axis::regular<>(bins, low, high, std::move(title));
      })) {}

Axis Axis::ofEdges(std::vector<double> edges, std::string title) {
  return Axis(checked([&] { return bh::axis::variable<>(edges, std::move(title)); }));
}

Axis Axis::transformed(AxisTransform transform, unsigned bins, double low, double high,
                       std::string title) {
  using Transformed = bh::axis::regular<double, AxisTransform>;
  return Axis(checked([&] { return Transformed(transform, bins, low, high, std::move(title)); }));
}

Axis Axis::circular(unsigned bins, double low, double high, std::string title) {
  return Axis(checked([&] { return bh::axis::circular<>(bins, low, high, std::move(title)); }));
}

Axis Axis::ofValues(std::vector<double> values, std::string title) {
  return Axis(bh::axis::category<double>(values, std::move(title)));
}

Axis Axis::ofTexts(std::vector<std::string> texts, std::string title) {
  std::vector<double> places(texts.size());
  std::iota(places.begin(), places.end(), 0.0);
  Axis axis = ofValues(std::move(places), std::move(title));
  axis.texts = std::move(texts);
  return axis;
}

namespace detail {
namespace {

Histogram::axes_type axesOf(const std::vector<Axis>& axes) {
  Histogram::axes_type result;
  for (const Axis& axis : axes)
    result.push_back(axis.axis);
  return result;
}

/// Repeats the value of each entry for each of its objects.
std::span<const double> repeat(std::span<const double> values,
                               std::span<const std::uint32_t> offsets,
                               std::vector<double>& repeated) {
  repeated.resize(offsets.back());
  for (std::size_t entry = 0; entry < values.size(); ++entry)
    std::fill(repeated.begin() + offsets[entry], repeated.begin() + offsets[entry + 1],
              values[entry]);
  return repeated;
}

/// Returns the axis of a one-dimensional histogram if it has bins of equal width; else null.
const bh::axis::regular<>* onlyAxis(const Histogram& histogram) {
  return histogram.rank() == 1 ? bh::axis::get_if<bh::axis::regular<>>(&histogram.axis(0))
                               : nullptr;
}

/// Finds bins like a regular axis of Boost, but without a branch for overflow, which is hard to
/// predict. The axis's bounds are read through its serialization.
class RegularBins {
public:
  explicit RegularBins(bh::axis::regular<> axis) : m_bins(axis.size()) { axis.serialize(*this, 0); }
  template <class Named>
  RegularBins& operator&(const Named& number) {
    if constexpr (std::is_same_v<std::decay_t<decltype(number.value())>, double>)
      (number.name() == std::string_view("min") ? m_min : m_width) = number.value();
    return *this;
  }

  /// Calls `use(i, bin)` for each value; bin 0 is the underflow.
  template <class Use>
  void find(std::span<const double> values, Use use) const {
    std::array<std::int32_t, 256> places;
    for (std::size_t first = 0; first < values.size(); first += places.size()) {
      const std::size_t count = std::min(places.size(), values.size() - first);
      for (std::size_t i = 0; i < count; ++i) {
        const double z = (values[first + i] - m_min) / m_width;
        const double place = std::min(m_bins, z * m_bins); // NaN belongs to the overflow, too.
        places[i] = static_cast<std::int32_t>(z < 0 ? -1 : place) + 1;
      }
      for (std::size_t i = 0; i < count; ++i)
        use(first + i, static_cast<std::size_t>(places[i]));
    }
  }

private:
  double m_bins, m_min = 0, m_width = 1;
};

/// Fills a histogram of one regular axis, like Histogram::fill() but without checking the kind of
/// axis for every few values.
void fillRegular(Histogram& histogram, const bh::axis::regular<>& axis,
                 std::span<const double> values, std::span<const double> weights) {
  auto& bins = bh::unsafe_access::storage(histogram); // The first bin is the underflow.
  const RegularBins regular(axis);
  if (!weights.empty())
    return regular.find(
        values, [&](std::size_t i, std::size_t bin) { bins[bin] += bh::weight(weights[i]); });
  if (values.size() < bins.size())
    return regular.find(values, [&](std::size_t, std::size_t bin) { ++bins[bin]; });
  // Two alternating counters per bin, because a count must wait for the previous count in the same
  // bin. Offsets have 32 bits, so 32-bit counters cannot overflow.
  std::vector<std::array<std::uint32_t, 2>> counts(bins.size());
  regular.find(values, [&](std::size_t i, std::size_t bin) { ++counts[bin][i % 2]; });
  for (std::size_t bin = 0; bin < counts.size(); ++bin) {
    const std::uint32_t count = counts[bin][0] + counts[bin][1];
    bins[bin] += Histogram::value_type(count, count);
  }
}

/// Returns the sum of squared differences from the mean; 0 for a single value.
double squaredDeltas(const Profile::value_type& bin) {
  const double weights = bin.sum_of_weights();
  const double deltas = bin.variance() * (weights - bin.sum_of_weights_squared() / weights);
  return std::isfinite(deltas) ? deltas : 0;
}

/// Combines two bins. Boost's own sum (1.74) ignores the distance of the two means.
Profile::value_type together(const Profile::value_type& a, const Profile::value_type& b) {
  if (a.sum_of_weights_squared() == 0)
    return b;
  if (b.sum_of_weights_squared() == 0)
    return a;
  const double weights = a.sum_of_weights() + b.sum_of_weights();
  const double squares = a.sum_of_weights_squared() + b.sum_of_weights_squared();
  const double mean = (a.sum_of_weights() * a.value() + b.sum_of_weights() * b.value()) / weights;
  const double apart = a.value() - b.value();
  const double deltas = squaredDeltas(a) + squaredDeltas(b) +
                        a.sum_of_weights() * b.sum_of_weights() / weights * apart * apart;
  const double degrees = weights - squares / weights;
  return {weights, squares, mean, degrees == 0 ? 0 : deltas / degrees};
}

} // namespace

template <class Bins>
FilledBins<Bins>::FilledBins(const std::vector<Axis>& axes, std::vector<unsigned> depths,
                             bool hasWeight, std::size_t presences)
    : m_bins(axesOf(axes), typename Bins::storage_type()), m_depths(std::move(depths)),
      m_hasWeight(hasWeight), m_presences(presences), m_present(m_depths.size()),
      m_repeated(m_depths.size()) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (const auto& axis = axes[i].axis; axes[i].includedEnd)
      m_ends.push_back({i, *axes[i].includedEnd, axis.bin(axis.size() - 1).center()});
  m_included.resize(m_ends.size());
}

template <class Bins>
void FilledBins<Bins>::add(std::size_t, std::span<const ArgumentValues> arguments) {
  const ColumnValues* const lists = firstWithLists(arguments, m_depths);
  m_columns.clear();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto values = arguments[i].column.as<double>();
    if (lists && m_depths[i] > 0)
      checkSameLists(*lists, arguments[i].column);
    m_columns.push_back(lists && m_depths[i] == 0 ? repeat(values, lists->offsets[0], m_repeated[i])
                                                  : values);
  }
  if (m_presences > 0)
    leaveOutMissing();
  std::span<const double> weights;
  if (m_hasWeight) {
    weights = m_columns.back();
    m_columns.pop_back();
  }
  includeEnds();
  if (!m_columns.front().empty())
    fill(weights);
}

template <class Bins>
void FilledBins<Bins>::leaveOutMissing() {
  const std::size_t columns = m_columns.size() - m_presences, values = m_columns.front().size();
  const auto presences = std::span(m_columns).subspan(columns);
  for (std::size_t column = 0; column < columns; ++column)
    m_present[column].clear();
  for (std::size_t i = 0; i < values; ++i)
    if (std::ranges::all_of(presences, [i](const auto& isThere) { return isThere[i] != 0; }))
      for (std::size_t column = 0; column < columns; ++column)
        m_present[column].push_back(m_columns[column][i]);
  m_columns.assign(m_present.begin(), m_present.begin() + static_cast<std::ptrdiff_t>(columns));
}

template <class Bins>
void FilledBins<Bins>::includeEnds() {
  for (std::size_t i = 0; i < m_ends.size(); ++i) {
    const End& end = m_ends[i];
    std::span<const double>& column = m_columns[end.axis];
    m_included[i].assign(column.begin(), column.end());
    std::ranges::replace(m_included[i], end.value, end.inside);
    column = m_included[i];
  }
}

template <class Bins>
void FilledBins<Bins>::merge(const FilledBins& next) {
  if constexpr (std::is_same_v<Bins, Profile>) {
    auto& bins = bh::unsafe_access::storage(m_bins);
    const auto& others = bh::unsafe_access::storage(next.m_bins);
    std::transform(bins.begin(), bins.end(), others.begin(), bins.begin(), together);
  } else {
    m_bins += next.m_bins;
  }
}

template <class Bins>
void FilledBins<Bins>::fill(std::span<const double> weights) {
  if constexpr (std::is_same_v<Bins, Profile>) {
    const std::span<const double> averaged = m_columns.back();
    m_columns.pop_back();
    if (m_hasWeight)
      m_bins.fill(m_columns, bh::sample(averaged), bh::weight(weights));
    else
      m_bins.fill(m_columns, bh::sample(averaged));
  } else if (const auto* const axis = onlyAxis(m_bins)) {
    fillRegular(m_bins, *axis, m_columns.front(), weights);
  } else if (m_hasWeight) {
    m_bins.fill(m_columns, bh::weight(weights));
  } else {
    m_bins.fill(m_columns);
  }
}

template class FilledBins<Histogram>;
template class FilledBins<Profile>;

} // namespace detail
} // namespace kaon
