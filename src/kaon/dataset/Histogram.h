#pragma once

#include <kaon/dataset/Formula.h>

#include <boost/histogram/weight.hpp> // before histogram.hpp, which lacks it in Boost 1.74

#include <boost/histogram/accumulators/weighted_mean.hpp>
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

/// The same with the mean of another column in each bin, its variance, and their number or weights.
using Profile =
    boost::histogram::histogram<Histogram::axes_type, boost::histogram::weighted_profile_storage>;

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

/// A histogram or profile that is filled with columns: those of the axes, of a profile what is
/// averaged, and the weight if there is one.
template <class Bins>
class FilledBins {
public:
  /// `depths` of the columns: numbers an entry go with all that lists have in it.
  FilledBins(const std::vector<Axis>& axes, std::vector<unsigned> depths, bool hasWeight);
  void add(std::size_t entries, std::span<const ArgumentValues> arguments);
  void merge(const FilledBins& next);
  [[nodiscard]] Bins result() && { return std::move(m_bins); }

private:
  void fill(std::span<const double> weights);

  Bins m_bins;
  std::vector<unsigned> m_depths;
  bool m_hasWeight;
  std::vector<std::vector<double>> m_repeated; // numbers an entry, one for each object
  std::vector<std::span<const double>> m_columns;
};
extern template class FilledBins<Histogram>;
extern template class FilledBins<Profile>;

} // namespace detail
} // namespace kaon
