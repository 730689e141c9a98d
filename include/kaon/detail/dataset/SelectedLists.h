#pragma once

#include <kaon/detail/reading/ColumnValues.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon::detail {

/// The lists of selected entries of a column. All columns of a collection share their lists, so
/// that they are located only once.
class SelectedLists {
public:
  /// Locates the lists of these entries, in this order, in a column with `depth` levels of lists.
  void take(const ColumnValues& column, unsigned depth, std::span<const std::uint32_t> entries);
  /// Returns whether another column has the same lists.
  [[nodiscard]] bool areOf(const ColumnValues& column, unsigned depth) const noexcept;

  [[nodiscard]] unsigned depth() const noexcept { return m_depth; }
  /// Returns the offsets of the lists of a level after copying, then the end of the last list.
  [[nodiscard]] std::span<const std::uint32_t> offsets(unsigned level) const noexcept {
    return m_offsets[level];
  }
  /// Returns pairs of bounds: the ranges of the column's values to copy one after another.
  [[nodiscard]] std::span<const std::uint32_t> pieces() const noexcept { return m_pieces; }

private:
  unsigned m_depth = 0;
  std::array<const std::uint32_t*, mostListLevels> m_from{}; // the offsets of the column itself
  std::array<std::vector<std::uint32_t>, mostListLevels> m_offsets;
  std::vector<std::uint32_t> m_pieces;
};

} // namespace kaon::detail
