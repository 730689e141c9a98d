#pragma once

#include <kaon/base/LargeArray.h>
#include <kaon/dataset/Formula.h>
#include <kaon/dataset/Pieces.h>

#include <cstddef>
#include <cstdint>
#include <optional>
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
  /// Of each value a byte, 1 where it is there and 0 where it is missing; nothing: all are there.
  std::optional<LargeArray<std::byte>> present;
};

namespace detail {

/// Gathers a column, and where its values are there, if they may be missing. Both are packed.
class GatheredArray {
public:
  explicit GatheredArray(ColumnType type, bool mayBeMissing = false)
      : m_type(type), m_mayBeMissing(mayBeMissing), m_sizes(type.depth) {}
  [[nodiscard]] std::size_t arguments() const { return m_mayBeMissing ? 2 : 1; }
  void add(std::size_t entries, std::span<const ArgumentValues> arguments);
  void merge(GatheredArray&& next);
  [[nodiscard]] ColumnArray result() &&;

private:
  ColumnType m_type;
  bool m_mayBeMissing;
  Pieces<std::byte> m_values, m_present;
  std::vector<Pieces<std::uint32_t>> m_sizes; // of the lists of each level
};

} // namespace detail
} // namespace kaon
