#pragma once

#include <kaon/batch/ObjectStore.h>

#include <string>
#include <string_view>

namespace kaon::detail {

/// Whether objects of a class can be added: TH1, TH2, TH3, profiles and TEfficiency.
[[nodiscard]] bool isAddable(std::string_view className) noexcept;

/// Returns why the axes of two histograms differ, or "" if they are equal: "its x axis has 10 bins
/// from 0 to 1, not 20 bins from 0 to 2". The text is about `other`.
[[nodiscard]] std::string unlikeAxes(const ObjectTree& histogram, const ObjectTree& other);

/// Adds histograms bin by bin, as hadd does for equal axes. The sum is one of them with other
/// values: its members that are not sums stay. For one thread.
class HistogramSum {
public:
  explicit HistogramSum(ObjectTree first) : m_sum(std::move(first)) {}

  enum class Outcome { added, addedToOther, failed };
  /// Adds a histogram of the same class with equal axes. If only the other one has the arrays that
  /// the sum needs, the sum becomes the other one (`addedToOther`). After a failure, obstacle()
  /// says why, and the sum is not valid.
  [[nodiscard]] Outcome add(ObjectTree other);
  [[nodiscard]] const ObjectTree& sum() const noexcept { return m_sum; }
  [[nodiscard]] const std::string& obstacle() const noexcept { return m_obstacle; }

private:
  ObjectTree m_sum;
  std::string m_obstacle;
};

/// Whether two objects have equal values, apart from the bits that ROOT sets in memory, and from
/// members that one of them lacks.
[[nodiscard]] bool areEqual(const ObjectTree& a, const ObjectTree& b);

} // namespace kaon::detail
