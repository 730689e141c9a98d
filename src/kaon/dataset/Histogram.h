#pragma once

#include <kaon/dataset/Formula.h>

#include <boost/histogram/weight.hpp> // before histogram.hpp, which lacks it in Boost 1.74

#include <boost/histogram/accumulators/weighted_sum.hpp>
#include <boost/histogram/algorithm/sum.hpp>
#include <boost/histogram/axis/regular.hpp>
#include <boost/histogram/axis/variable.hpp>
#include <boost/histogram/axis/variant.hpp>
#include <boost/histogram/histogram.hpp>
#include <boost/histogram/make_histogram.hpp>
#include <boost/histogram/storage_adaptor.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace kaon {

/// A histogram of Boost.Histogram, with all that it can: axes whose metadata is their title,
/// underflow and overflow; its bins have the sum of weights and of their squares.
using Histogram = boost::histogram::histogram<
    std::vector<boost::histogram::axis::variant<boost::histogram::axis::regular<>,
                                                boost::histogram::axis::variable<>>>,
    boost::histogram::weight_storage>;

/// How a histogram divides a range: in bins of the same width, or between edges. Throw Error(usage)
/// for bins that are none.
struct Axis {
  Axis(unsigned bins, double low, double high, std::string title = {});
  [[nodiscard]] static Axis ofEdges(std::vector<double> edges, std::string title = {});

  Histogram::axes_type::value_type axis; ///< of Boost.Histogram

private:
  explicit Axis(Histogram::axes_type::value_type made) : axis(std::move(made)) {}
};

namespace detail {

/// A histogram that is filled with columns, the last of which is the weight if there is one.
class FilledHistogram {
public:
  /// `depths` of the columns: numbers an entry go with all that lists have in it.
  FilledHistogram(const std::vector<Axis>& axes, std::vector<unsigned> depths, bool hasWeight);
  void add(std::size_t entries, std::span<const ArgumentValues> arguments);
  void merge(const FilledHistogram& next) { m_histogram += next.m_histogram; }
  [[nodiscard]] Histogram result() && { return std::move(m_histogram); }

private:
  Histogram m_histogram;
  std::vector<unsigned> m_depths;
  bool m_hasWeight;
  std::vector<std::vector<double>> m_repeated; // numbers an entry, one for each object
};

} // namespace detail
} // namespace kaon
