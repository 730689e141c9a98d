#pragma once

#include <kaon/detail/formats/arrow/CInterface.h>
#include <kaon/formats/arrow/StreamColumn.h>
#include <kaon/formats/arrow/TableRows.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

// Functions that read the parts of arrays of Arrow's C interface. Columns give the name for
// messages, and the form of lists. Functions throw Error(usage) for parts that do not fit.

namespace kaon::arrow {

/// Returns the index of a row in an array's buffers, which start before the array's offset.
[[nodiscard]] inline std::size_t placeOf(const ArrowArray& array, std::size_t row) noexcept {
  return static_cast<std::size_t>(array.offset) + row;
}

[[noreturn]] void failToFit(const StreamColumn& column);

/// Returns a buffer of an array. It can be null only if the array is empty.
[[nodiscard]] const std::byte* bufferOf(const StreamColumn& column, const ArrowArray& array,
                                        std::int64_t number);

template <class T>
[[nodiscard]] T storedAt(const std::byte* buffer, std::size_t place) noexcept {
  T value;
  std::memcpy(&value, buffer + place * sizeof(T), sizeof value);
  return value;
}

[[nodiscard]] inline bool bitAt(const std::byte* buffer, std::size_t place) noexcept {
  return (std::to_integer<unsigned>(buffer[place / 8]) >> (place % 8) & 1) != 0;
}

[[nodiscard]] inline bool mayHaveNulls(const ArrowArray& array) noexcept {
  return array.null_count != 0 && array.n_buffers > 0 && array.buffers[0];
}

[[nodiscard]] inline bool isNull(const ArrowArray& array, std::size_t row) noexcept {
  return mayHaveNulls(array) &&
         !bitAt(static_cast<const std::byte*>(array.buffers[0]), placeOf(array, row));
}

/// Appends rows. Merges them with the last run if they continue it.
void append(RowRuns& runs, RowRun run);

[[nodiscard]] const ArrowArray& childOf(const StreamColumn& column, const ArrowArray& array,
                                        std::size_t number = 0);
/// Returns the rows of an inner array that has `size` rows for each outer row.
[[nodiscard]] RowRun runBelow(const StreamColumn& column, const ArrowArray& array,
                              const ArrowArray& child, const RowRun& run, std::size_t size);
/// Returns the elements of a list or string: the range of their rows or bytes.
[[nodiscard]] RowRun elementsOf(const StreamColumn& column, const ArrowArray& array,
                                std::size_t row);

} // namespace kaon::arrow
