#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace kaon::expression {

/// The entries of a batch, with their numbers for error messages.
struct Entries {
  std::size_t count = 0;
  std::uint64_t first = 0;
  /// If filters removed entries: the distance of each remaining entry from `first`. Else empty.
  std::span<const std::uint32_t> numbers = {};

  [[nodiscard]] std::uint64_t numberOf(std::size_t entry) const {
    return first + (numbers.empty() ? entry : numbers[entry]);
  }
};

} // namespace kaon::expression
