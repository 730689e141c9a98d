#pragma once

#include <kaon/dataset/Number.h>
#include <kaon/dataset/Result.h>

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace kaon {

/// The numbers of entries that pass each filter of a dataframe, in the order of the filters.
class CutFlow {
public:
  struct Cut {
    std::string label;
    std::uint64_t entries = 0; ///< that reached the filter
    std::uint64_t passed = 0;
    Number weight = 0;       ///< sum of the weights of `entries`; their number if no weight is used
    Number passedWeight = 0; ///< sum of the weights of `passed`
  };
  /// The number of entries at one step of a dataframe, and the sum of their weights.
  struct Entries {
    Result<std::uint64_t> number;
    std::vector<Result<Number>> weight; ///< one result, or empty if no weight is used
  };
  /// A filter. `asked` equals `passed` of the filter before it, unless explode() or implode()
  /// stands between them.
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

/// Prints a table with a row for each cut.
std::ostream& operator<<(std::ostream& out, const CutFlow& cutFlow);

} // namespace kaon
