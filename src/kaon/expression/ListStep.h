#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/expression/Entries.h>
#include <kaon/detail/expression/Graph.h>
#include <kaon/detail/reading/ColumnValues.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace kaon::expression {

/// Memory for the values and lists of a step, reused for each batch.
struct StepMemory {
  Buffer values;
  std::array<Buffer, detail::mostListLevels> offsets;

  template <class T>
  [[nodiscard]] T* assignValues(std::size_t size) {
    return detail::valuesAt<T>(values.assign(size * sizeof(T)).data());
  }
  [[nodiscard]] std::uint32_t* assignOffsets(unsigned level, std::size_t lists) {
    return detail::valuesAt<std::uint32_t>(
        offsets[level].assign((lists + 1) * sizeof(std::uint32_t)).data());
  }
};

/// An operand of a step.
struct Operand {
  detail::ColumnValues values;
  detail::ColumnType type;
  bool isConstant = false;    ///< one value for all
  std::string_view text = {}; ///< the part of the expression, for messages
};

/// A step that works on lists.
struct ListStep {
  const Node& node;
  const Entries& entries;
  std::array<Operand, 4> operands;
  std::string_view text;
};

using Offsets = std::span<const std::uint32_t>;

[[nodiscard]] inline std::size_t listsIn(Offsets offsets) noexcept {
  return offsets.empty() ? 0 : offsets.size() - 1;
}
[[nodiscard]] inline Offsets innermost(const Operand& lists) noexcept {
  return lists.values.offsets[lists.type.depth - 1];
}
/// Returns the entry that contains a list. Level 0 means the entry itself.
[[nodiscard]] std::size_t entryOf(const Operand& lists, unsigned level, std::size_t list) noexcept;
/// Returns the range of a column's values in the lists [begin, end) of a level.
[[nodiscard]] inline std::pair<std::size_t, std::size_t>
valuesIn(const Operand& column, unsigned level, std::size_t begin, std::size_t end) noexcept {
  for (unsigned below = level; below < column.type.depth; ++below) {
    begin = column.values.offsets[below][begin];
    end = column.values.offsets[below][end];
  }
  return {begin, end};
}

[[nodiscard]] inline detail::ColumnValues view(const void* values, std::size_t size) noexcept {
  return {static_cast<const std::byte*>(values), size};
}
/// Returns a result with the outer levels of other lists.
[[nodiscard]] inline detail::ColumnValues withOuter(detail::ColumnValues result,
                                                    const detail::ColumnValues& lists,
                                                    unsigned levels) noexcept {
  std::copy_n(lists.offsets.begin(), levels, result.offsets.begin());
  return result;
}

/// Throws Error(usage) with the entry's number if two columns differ in the outer `levels` levels
/// of lists. Columns of one table share their offsets, so this check costs nothing.
void checkSameLists(const Operand& a, const Operand& b, unsigned levels, const Entries& entries);

/// The greatest number of rows that a step may make in one batch. More would be a mistake, or
/// exhaust the memory.
inline constexpr std::uint64_t mostRows = std::uint64_t{1} << 25U;
[[noreturn]] void failTooManyRows(const ListStep& step, std::size_t entry);
/// Returns the number of rows of a step. Throws Error(memory) with the entry's number if it exceeds
/// mostRows.
[[nodiscard]] inline std::uint32_t checkedRows(const ListStep& step, std::uint64_t count,
                                               std::size_t entry) {
  if (count > mostRows) [[unlikely]]
    failTooManyRows(step, entry);
  return static_cast<std::uint32_t>(count);
}

} // namespace kaon::expression
