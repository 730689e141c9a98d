#pragma once

#include <kaon/dataset/Formula.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace kaon {

/// What a column has for many entries, with a type that is known at run time only.
struct ColumnArray {
  ColumnType type;
  std::vector<std::byte> values; ///< one after another; bools are bytes of 0 and 1
  /// For each level of lists, the outermost first: where each begins in what is below it, and at
  /// last where the last one ends.
  std::vector<std::vector<std::int64_t>> offsets;
};

namespace detail {

/// Gathers a column; its argument is packed.
class GatheredArray {
public:
  explicit GatheredArray(ColumnType type) : m_array{type, {}, {}} {
    m_array.offsets.assign(type.depth, {0});
  }
  void add(std::size_t entries, std::span<const ArgumentValues> arguments);
  void merge(GatheredArray&& next);
  [[nodiscard]] ColumnArray result() && { return std::move(m_array); }

private:
  ColumnArray m_array;
};

} // namespace detail
} // namespace kaon
