#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/detail/dataset/SelectedLists.h>
#include <kaon/detail/reading/ColumnValues.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace kaon::detail {

/// Reusable memory for a column of selected entries.
class ColumnBuffer {
public:
  /// Copies the values of these entries, in this order, and converts them to type `as`.
  const ColumnValues& take(const ColumnValues& column, Scalar type,
                           std::span<const std::uint32_t> entries, Scalar as);
  /// Copies the values in these lists, and converts them to type `as`. Offsets refer to `lists`.
  const ColumnValues& take(const ColumnValues& column, Scalar type, const SelectedLists& lists,
                           Scalar as);
  /// Converts the values of all entries to type `as`. Offsets are not copied.
  const ColumnValues& convert(const ColumnValues& column, Scalar type, Scalar as);

private:
  void convertValues(const std::byte* values, std::size_t size, Scalar from, Scalar as);

  Buffer m_taken;
  Buffer m_values;
  ColumnValues m_column;
};

} // namespace kaon::detail
