#include <kaon/dataset/Histogram.h>

#include <kaon/base/Error.h>
#include <kaon/dataset/EntryFunction.h>

#include <boost/histogram/ostream.hpp>

#include <algorithm>
#include <utility>

namespace kaon {
namespace {

namespace bh = boost::histogram;

/// Boost says what is wrong with an axis, but not in our kind of error.
template <class Make>
auto checked(Make make) {
  try {
    return make();
  } catch (const std::invalid_argument& error) {
    fail(ErrorKind::usage, "an axis of a histogram: ", error.what());
  }
}

} // namespace

Axis::Axis(unsigned bins, double low, double high, std::string title)
    : axis(checked([&] { return bh::axis::regular<>(bins, low, high, std::move(title)); })) {}

Axis Axis::ofEdges(std::vector<double> edges, std::string title) {
  return Axis(checked([&] { return bh::axis::variable<>(edges, std::move(title)); }));
}

namespace detail {
namespace {

Histogram::axes_type axesOf(const std::vector<Axis>& axes) {
  Histogram::axes_type result;
  for (const Axis& axis : axes)
    result.push_back(axis.axis);
  return result;
}

/// A number of each entry, once for each of its objects.
std::span<const double> repeat(std::span<const double> values,
                               std::span<const std::uint32_t> offsets,
                               std::vector<double>& repeated) {
  repeated.resize(offsets.back());
  for (std::size_t entry = 0; entry < values.size(); ++entry)
    std::fill(repeated.begin() + offsets[entry], repeated.begin() + offsets[entry + 1],
              values[entry]);
  return repeated;
}

} // namespace

FilledHistogram::FilledHistogram(const std::vector<Axis>& axes, std::vector<unsigned> depths,
                                 bool hasWeight)
    : m_histogram(axesOf(axes), bh::weight_storage()), m_depths(std::move(depths)),
      m_hasWeight(hasWeight), m_repeated(m_depths.size()) {}

void FilledHistogram::add(std::size_t, std::span<const ArgumentValues> arguments) {
  const ColumnValues* const lists = firstWithLists(arguments, m_depths);
  std::vector<std::span<const double>> columns;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto values = arguments[i].column.as<double>();
    if (lists && m_depths[i] > 0)
      checkSameLists(*lists, arguments[i].column);
    columns.push_back(lists && m_depths[i] == 0 ? repeat(values, lists->offsets[0], m_repeated[i])
                                                : values);
  }
  if (!m_hasWeight) {
    m_histogram.fill(columns);
    return;
  }
  const std::span<const double> weights = columns.back();
  columns.pop_back();
  m_histogram.fill(columns, bh::weight(weights));
}

} // namespace detail
} // namespace kaon
