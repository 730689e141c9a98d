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

/// The transform of an axis: bins have equal width in transformed values.
struct AxisTransform {
  enum class Kind : std::uint8_t { logarithm, squareRoot, power };
  Kind kind = Kind::logarithm;
  double exponent = 1; ///< for Kind::power

  [[nodiscard]] double forward(double value) const noexcept;
  [[nodiscard]] double inverse(double value) const noexcept;
  friend bool operator==(const AxisTransform&, const AxisTransform&) = default;
};
std::ostream& operator<<(std::ostream& out, const AxisTransform& transform);

/// A histogram of Boost.Histogram, with all its functions. The metadata of an axis are its title.
/// Axes have underflow and overflow bins. Each bin has the sum of weights and the sum of their
/// squares.
using Histogram = boost::histogram::histogram<
    std::vector<boost::histogram::axis::variant<
        boost::histogram::axis::regular<>, boost::histogram::axis::variable<>,
        boost::histogram::axis::regular<double, AxisTransform>, boost::histogram::axis::circular<>,
        boost::histogram::axis::category<double>>>,
    boost::histogram::weight_storage>;

/// A histogram whose bins have the mean and variance of another column, and the number or weight of
/// its values.
using Profile =
    boost::histogram::histogram<Histogram::axes_type, boost::histogram::weighted_profile_storage>;

/// An axis: the bins of a histogram in one dimension. The functions throw Error(usage) for invalid
/// bins, such as edges out of order.
struct Axis {
  Axis(unsigned bins, double low, double high, std::string title = {});
  [[nodiscard]] static Axis ofEdges(std::vector<double> edges, std::string title = {});
  /// Makes bins of equal width in transformed values, for example for a logarithmic axis.
  [[nodiscard]] static Axis transformed(AxisTransform transform, unsigned bins, double low,
                                        double high, std::string title = {});
  /// Makes bins of a periodic value, such as an angle. There is no underflow or overflow.
  [[nodiscard]] static Axis circular(unsigned bins, double low, double high,
                                     std::string title = {});
  /// Makes a bin for each of these values, and a last bin for all other values.
  [[nodiscard]] static Axis ofValues(std::vector<double> values, std::string title = {});
  /// Makes a bin for each of these texts. The histogram counts them as the values 0, 1, ...
  [[nodiscard]] static Axis ofTexts(std::vector<std::string> texts, std::string title = {});

  Histogram::axes_type::value_type axis;           ///< the axis of Boost.Histogram
  std::optional<std::vector<std::string>> texts{}; ///< the texts given to ofTexts()
  /// The upper end of the range, if the last bin includes it. For axes whose overflow is not used.
  std::optional<double> includedEnd{};

private:
  explicit Axis(Histogram::axes_type::value_type boost) : axis(std::move(boost)) {}
};

namespace detail {

/// A histogram or profile that is filled with columns in this order: the axes, the averaged column
/// of a profile, the weight if any.
template <class Bins>
class FilledBins {
public:
  /// `depths` has the number of lists around the values of each column. Columns without lists are
  /// repeated for all values of columns with lists. The last `presences` columns have 1 or 0:
  /// values with 0 in one of them are not filled.
  FilledBins(const std::vector<Axis>& axes, std::vector<unsigned> depths, bool hasWeight,
             std::size_t presences = 0);
  void add(std::size_t entries, std::span<const ArgumentValues> arguments);
  void merge(const FilledBins& next);
  [[nodiscard]] Bins result() && { return std::move(m_bins); }

private:
  void fill(std::span<const double> weights);
  void includeEnds();
  void leaveOutMissing();

  /// The upper end of an axis whose last bin includes it, and a value inside that bin.
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
  std::vector<std::vector<double>> m_present;  // values that exist, of each column
  std::vector<std::vector<double>> m_repeated; // numbers of entries, repeated for each object
  std::vector<std::vector<double>> m_included; // values with ends in the last bin
  std::vector<std::span<const double>> m_columns;
};
extern template class FilledBins<Histogram>;
extern template class FilledBins<Profile>;

} // namespace detail
} // namespace kaon
