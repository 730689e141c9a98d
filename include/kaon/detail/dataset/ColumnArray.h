#pragma once

#include <kaon/detail/base/LargeArray.h>
#include <kaon/detail/dataset/ChunkedValues.h>
#include <kaon/detail/dataset/Formula.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kaon::detail {

/// The values of a column for many entries, with a type known only at run time.
struct ColumnArray {
  ColumnType type;
  LargeArray<std::byte> values; ///< Contiguous; a bool is a byte of 0 or 1.
  /// For each level of lists, outermost first: the offset of each list in the level below. At last
  /// the end of the last list.
  std::vector<LargeArray<std::int64_t>> offsets;
  /// A byte for each value: 1 if it exists, 0 if it is missing. Without bytes, all values exist.
  std::optional<LargeArray<std::byte>> present;
  /// A byte for each list that begins at offsets[level]: 0 if the whole list is missing.
  struct PresentLists {
    unsigned level = 0;
    LargeArray<std::byte> present;
  };
  std::optional<PresentLists> presentLists;
};

/// Gathers the packed values of a column. If values may be missing, also gathers the bools that
/// tell which values exist.
class GatheredArray {
public:
  explicit GatheredArray(ColumnType type, Missing missing = {})
      : m_type(type), m_missing(missing), m_sizes(type.depth) {}
  [[nodiscard]] std::size_t arguments() const { return 1 + m_missing.columns(); }
  void add(std::size_t entries, std::span<const ArgumentValues> arguments);
  void merge(GatheredArray&& next);
  [[nodiscard]] ColumnArray result() &&;

private:
  ColumnType m_type;
  Missing m_missing;
  ChunkedValues<std::byte> m_values, m_present, m_presentLists;
  std::vector<ChunkedValues<std::uint32_t>> m_sizes; // the lengths of the lists of each level
};

} // namespace kaon::detail
