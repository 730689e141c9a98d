#pragma once

#include <kaon/dataset/Number.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace kaon {

/// Statistics of the values of a column. `min` and `max` are integers if the column has integers.
struct Statistics {
  std::uint64_t count = 0;
  double mean = 0;
  double squares = 0; ///< sum of squared distances from the mean
  Number min = std::numeric_limits<double>::infinity();
  Number max = -std::numeric_limits<double>::infinity();

  /// Returns the standard deviation of the values; NaN for fewer than two values.
  [[nodiscard]] double deviation() const noexcept {
    return count < 2 ? std::numeric_limits<double>::quiet_NaN()
                     : std::sqrt(squares / static_cast<double>(count - 1));
  }
};

} // namespace kaon
