#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/ColumnValues.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon {

/// Memory for a column of some entries, used again for the next ones.
class ColumnBuffer {
public:
  /// Takes these entries of a column, in this order, in memory of its own, as values of another
  /// type where that is asked for.
  const ColumnValues& take(const ColumnValues& column, ColumnType type,
                           std::span<const std::uint32_t> entries, Scalar as);
  /// All entries of a column, with values of another type; the lists stay where they are.
  const ColumnValues& convert(const ColumnValues& column, ColumnType type, Scalar as);

private:
  void convertValues(const std::byte* values, std::size_t size, Scalar from, Scalar as);

  Buffer m_taken;
  Buffer m_values;
  std::array<std::vector<std::uint32_t>, mostListLevels> m_offsets;
  std::vector<std::uint32_t> m_pieces; // of the values: where each begins and ends
  ColumnValues m_column;
};

/// Whether each value of one type is one of another one, too.
[[nodiscard]] bool isLossless(Scalar from, Scalar as) noexcept;

} // namespace kaon
