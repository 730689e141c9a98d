#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/detail/batch/ColumnValues.h>
#include <kaon/detail/dataset/TakenLists.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace kaon::detail {

/// Memory for a column of some entries, used again for the next ones.
class ColumnBuffer {
public:
  /// Takes these entries of a column of numbers, in this order, in memory of its own, as values of
  /// another type where that is asked for.
  const ColumnValues& take(const ColumnValues& column, Scalar type,
                           std::span<const std::uint32_t> entries, Scalar as);
  /// Takes the values of a column of lists. The lists stay where they are.
  const ColumnValues& take(const ColumnValues& column, Scalar type, const TakenLists& lists,
                           Scalar as);
  /// All entries of a column, with values of another type; the lists stay where they are.
  const ColumnValues& convert(const ColumnValues& column, Scalar type, Scalar as);

private:
  void convertValues(const std::byte* values, std::size_t size, Scalar from, Scalar as);

  Buffer m_taken;
  Buffer m_values;
  ColumnValues m_column;
};

} // namespace kaon::detail
