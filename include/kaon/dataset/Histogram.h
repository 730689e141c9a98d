#pragma once

#include <kaon/detail/dataset/Formula.h>

#include <boost/histogram/weight.hpp> // before histogram.hpp, which lacks it in Boost 1.74

#include <boost/histogram/accumulators/weighted_mean.hpp>
#include <boost/histogram/accumulators/weighted_sum.hpp>
#include <boost/histogram/algorithm/sum.hpp>
#include <boost/histogram/axis/category.hpp>
#include <boost/histogram/axis/regular.hpp>
#include <boost/histogram/axis/variable.hpp>
#include <boost/histogram/axis/variant.hpp>
#include <boost/histogram/histogram.hpp>
#include <boost/histogram/make_histogram.hpp>
#include <boost/histogram/storage_adaptor.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kaon {

/// What values are turned into where it is there that bins have the same width.
struct AxisTransform {
  enum class Kind : std::uint8_t { logarithm, squareRoot, power };
  Kind kind = Kind::logarithm;
  double exponent = 1; ///< of powers

  [[nodiscard]] double forward(double value) const noexcept;
  [[nodiscard]] double inverse(double value) const noexcept;
  friend bool operator==(const AxisTransform&, const AxisTransform&) = default;
};
std::ostream& operator<<(std::ostream& out, const AxisTransform& transform);

/// A histogram of Boost.Histogram, with all that it can: axes whose metadata is their title,
/// underflow and overflow; its bins have the sum of weights and of their squares.
using Histogram = boost::histogram::histogram<
    std::vector<boost::histogram::axis::variant<
        boost::histogram::axis::regular<>, boost::histogram::axis::variable<>,
        boost::histogram::axis::regular<double, AxisTransform>, boost::histogram::axis::circular<>,
        boost::histogram::axis::category<double>>>,
    boost::histogram::weight_storage>;

/// A histogram whose bins have the mean and variance of another column, and their number or
/// weights.
using Profile =
    boost::histogram::histogram<Histogram::axes_type, boost::histogram::weighted_profile_storage>;

/// How a histogram divides what it is of: in bins of the same width, or others. Throw Error(usage)
/// for bins that are none.
struct Axis {
  Axis(unsigned bins, double low, double high, std::string title = {});
  [[nodiscard]] static Axis ofEdges(std::vector<double> edges, std::string title = {});
  /// Bins that have the same width in what the transform makes of values: on a logarithmic axis,
  /// for one.
  [[nodiscard]] static Axis transformed(AxisTransform transform, unsigned bins, double low,
                                        double high, std::string title = {});
  /// Bins of what comes again after the end, as angles do: there is nothing below or above.
  [[nodiscard]] static Axis circular(unsigned bins, double low, double high,
                                     std::string title = {});
  /// A bin for each of some values, and one behind them for all others.
  [[nodiscard]] static Axis ofValues(std::vector<double> values, std::string title = {});
  /// A bin for each of some texts, which the histogram counts as the values 0, 1, ...
  [[nodiscard]] static Axis ofTexts(std::vector<std::string> texts, std::string title = {});

  Histogram::axes_type::value_type axis;           ///< of Boost.Histogram
  std::optional<std::vector<std::string>> texts{}; ///< of ofTexts()
  /// The end of the range, if it belongs to the last bin: where nobody looks at what is above.
  std::optional<double> includedEnd{};

private:
  explicit Axis(Histogram::axes_type::value_type boost) : axis(std::move(boost)) {}
};

namespace detail {

/// A histogram or profile that is filled with columns: those of the axes, of a profile what is
/// averaged, and the weight if there is one.
template <class Bins>
class FilledBins {
public:
  /// `depths` of the columns: numbers an entry go with all that lists have in it. The last ones,
  /// `presences`, are 1 or 0: what is 0 in one of them is not filled.
  FilledBins(const std::vector<Axis>& axes, std::vector<unsigned> depths, bool hasWeight,
             std::size_t presences = 0);
  void add(std::size_t entries, std::span<const ArgumentValues> arguments);
  void merge(const FilledBins& next);
  [[nodiscard]] Bins result() && { return std::move(m_bins); }

private:
  void fill(std::span<const double> weights);
  void includeEnds();
  void leaveOutMissing();

  /// The end of an axis that belongs to its last bin, and what else is in that.
  struct End {
    std::size_t axis;
    double value;
    double inside;
  };

  Bins m_bins;
  std::vector<End> m_ends;
  std::vector<unsigned> m_depths;
  bool m_hasWeight;
  std::size_t m_presences;
  std::vector<std::vector<double>> m_present;  // values that are there, of each column
  std::vector<std::vector<double>> m_repeated; // numbers an entry, one for each object
  std::vector<std::vector<double>> m_included; // values of which ends were put into the last bin
  std::vector<std::span<const double>> m_columns;
};
extern template class FilledBins<Histogram>;
extern template class FilledBins<Profile>;

} // namespace detail
} // namespace kaon
