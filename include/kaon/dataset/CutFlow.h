#pragma once

#include <kaon/dataset/Number.h>
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
    Number weight = 0; ///< of these entries, added up; their number where there are no weights
    Number passedWeight = 0; ///< of those that passed
  };
  /// How many entries there are at a place, and their weights.
  struct Entries {
    Result<std::uint64_t> number;
    std::vector<Result<Number>> weight; ///< one, or none where there are no weights
  };
  /// A filter: what it is asked about is what the one before let pass, unless explode() or
  /// implode() stands between them.
  struct Filter {
    std::string label;
    Entries asked;
    Entries passed;
  };

  explicit CutFlow(std::vector<Filter> filters) : m_filters(std::move(filters)) {}

  [[nodiscard]] std::vector<Cut> cuts() const;
  [[nodiscard]] const std::vector<Filter>& filters() const noexcept { return m_filters; }
  [[nodiscard]] std::vector<std::shared_ptr<detail::Action>> actions() const;

private:
  std::vector<Filter> m_filters;
};

/// A table.
std::ostream& operator<<(std::ostream& out, const CutFlow& cutFlow);

} // namespace kaon
