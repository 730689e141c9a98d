#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace kaon::expression {

/// The entries of a batch, as error messages call them.
struct Entries {
  std::size_t count = 0;
  std::uint64_t first = 0;
  /// If some were left out before: for each that is there, how many it comes behind the first.
  std::span<const std::uint32_t> numbers = {};

  [[nodiscard]] std::uint64_t numberOf(std::size_t entry) const {
    return first + (numbers.empty() ? entry : numbers[entry]);
  }
};

} // namespace kaon::expression
