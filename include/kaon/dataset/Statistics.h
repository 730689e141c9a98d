#pragma once

#include <kaon/dataset/Number.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace kaon {

/// Of numbers; the least and the greatest are integers where the column has them.
struct Statistics {
  std::uint64_t count = 0;
  double mean = 0;
  double squares = 0; ///< of the distances from the mean, added up
  Number min = std::numeric_limits<double>::infinity();
  Number max = -std::numeric_limits<double>::infinity();

  /// Of the numbers themselves; NaN of less than two.
  [[nodiscard]] double deviation() const noexcept {
    return count < 2 ? std::numeric_limits<double>::quiet_NaN()
                     : std::sqrt(squares / static_cast<double>(count - 1));
  }
};

} // namespace kaon
