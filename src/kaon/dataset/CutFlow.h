#pragma once

#include <kaon/dataset/Result.h>

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace kaon {

/// How many entries passed the filters of a dataframe, one after another.
class CutFlow {
public:
  struct Cut {
    std::string label;
    std::uint64_t entries = 0; ///< it was asked about
    std::uint64_t passed = 0;
    double weight = 0; ///< of these entries, added up; their number where there are no weights
    double passedWeight = 0; ///< likewise
  };
  /// What there is at the beginning, and after each filter.
  struct Step {
    Result<std::uint64_t> entries;
    std::vector<Result<double>> weight; ///< one, or none where there are no weights
  };

  CutFlow(std::vector<std::string> labels, std::vector<Step> steps)
      : m_labels(std::move(labels)), m_steps(std::move(steps)) {}

  [[nodiscard]] std::vector<Cut> cuts() const;
  [[nodiscard]] const std::vector<std::string>& labels() const noexcept { return m_labels; }
  /// One more than there are cuts.
  [[nodiscard]] const std::vector<Step>& steps() const noexcept { return m_steps; }
  [[nodiscard]] bool hasWeights() const { return !m_steps.front().weight.empty(); }
  [[nodiscard]] std::vector<std::shared_ptr<Action>> actions() const;

private:
  std::vector<std::string> m_labels;
  std::vector<Step> m_steps;
};

/// A table.
std::ostream& operator<<(std::ostream& out, const CutFlow& cutFlow);

} // namespace kaon
