#pragma once

#include <kaon/dataset/Result.h>

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kaon {

/// How many entries passed the filters of a dataframe, one after another.
class CutFlow {
public:
  struct Cut {
    std::string label;
    std::uint64_t entries = 0; ///< it was asked about
    std::uint64_t passed = 0;
  };

  /// The entries at the beginning, and after each filter.
  CutFlow(std::vector<std::string> labels, std::vector<Result<std::uint64_t>> counts)
      : m_labels(std::move(labels)), m_counts(std::move(counts)) {}

  [[nodiscard]] std::vector<Cut> cuts() const;
  [[nodiscard]] std::vector<std::shared_ptr<Action>> actions() const;

private:
  std::vector<std::string> m_labels;
  std::vector<Result<std::uint64_t>> m_counts;
};

/// A table.
std::ostream& operator<<(std::ostream& out, const CutFlow& cutFlow);

} // namespace kaon
