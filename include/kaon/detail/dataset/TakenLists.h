#pragma once

#include <kaon/detail/batch/ColumnValues.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon::detail {

/// Where the lists of some entries of a column lie. The columns of a collection have the same
/// lists, so it is found out once for all of them.
class TakenLists {
public:
  /// Goes on to these entries of a column with so many levels of lists, in this order.
  void take(const ColumnValues& column, unsigned depth, std::span<const std::uint32_t> entries);
  /// Whether these are lists of this column, too.
  [[nodiscard]] bool areOf(const ColumnValues& column, unsigned depth) const noexcept;

  [[nodiscard]] unsigned depth() const noexcept { return m_depth; }
  /// Where the lists of a level begin once they lie one behind the other, and the last one ends.
  [[nodiscard]] std::span<const std::uint32_t> offsets(unsigned level) const noexcept {
    return m_offsets[level];
  }
  /// Where pieces of the column's values begin and end that are to lie one behind the other.
  [[nodiscard]] std::span<const std::uint32_t> pieces() const noexcept { return m_pieces; }

private:
  unsigned m_depth = 0;
  std::array<const std::uint32_t*, mostListLevels> m_from{}; // the column's own lists
  std::array<std::vector<std::uint32_t>, mostListLevels> m_offsets;
  std::vector<std::uint32_t> m_pieces;
};

} // namespace kaon::detail
