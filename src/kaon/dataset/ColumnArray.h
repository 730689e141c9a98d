#pragma once

#include <kaon/base/LargeArray.h>
#include <kaon/dataset/Formula.h>
#include <kaon/dataset/Pieces.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon {

/// What a column has for many entries, with a type that is known at run time only.
struct ColumnArray {
  ColumnType type;
  LargeArray<std::byte> values; ///< one after another; bools are bytes of 0 and 1
  /// For each level of lists, the outermost first: where each begins in what is below it, and at
  /// last where the last one ends.
  std::vector<LargeArray<std::int64_t>> offsets;
};

namespace detail {

/// Gathers a column; its argument is packed.
class GatheredArray {
public:
  explicit GatheredArray(ColumnType type) : m_type(type), m_sizes(type.depth) {}
  void add(std::size_t entries, std::span<const ArgumentValues> arguments);
  void merge(GatheredArray&& next);
  [[nodiscard]] ColumnArray result() &&;

private:
  ColumnType m_type;
  Pieces<std::byte> m_values;
  std::vector<Pieces<std::uint32_t>> m_sizes; // of the lists of each level
};

} // namespace detail
} // namespace kaon
