#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/ColumnValues.h>
#include <kaon/expression/Entries.h>
#include <kaon/expression/Graph.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kaon::expression {

/// Memory for the values and lists of one step, used again for each batch.
struct Storage {
  Buffer values;
  std::array<Buffer, mostListLevels> offsets;

  template <class T>
  [[nodiscard]] T* assignValues(std::size_t size) {
    return reinterpret_cast<T*>(values.assign(size * sizeof(T)).data());
  }
  [[nodiscard]] std::uint32_t* assignOffsets(unsigned level, std::size_t lists) {
    return reinterpret_cast<std::uint32_t*>(
        offsets[level].assign((lists + 1) * sizeof(std::uint32_t)).data());
  }
};

/// An operand of a step.
struct Operand {
  ColumnValues values;
  ColumnType type;
  bool isConstant = false;    ///< one value, for all
  std::string_view text = {}; ///< what a user would recognise it by
};

/// A step that works on lists.
struct ListStep {
  const Node& node;
  const Entries& entries;
  std::array<Operand, 4> operands;
  std::string_view text;
};

/// Throws Error(usage) with an entry where two columns differ in the first `levels` levels of their
/// lists. Columns of the same table have the same lists, which costs nothing to see.
void checkSameLists(const Operand& a, const Operand& b, unsigned levels, const Entries& entries);

/// Computes a step that is not one of single values. The result lasts as long as the storage and
/// the operands. Throws Error(usage) with the entry where a list has no value of an index, and
/// Error(memory) where lists would become too long.
[[nodiscard]] ColumnValues computeLists(const ListStep& step, Storage& storage);

/// Begin and end of a slice as the detail of its node.
[[nodiscard]] constexpr std::uint64_t packed(std::int32_t begin, std::int32_t end) {
  return std::uint64_t{static_cast<std::uint32_t>(begin)} << 32U | static_cast<std::uint32_t>(end);
}

} // namespace kaon::expression
