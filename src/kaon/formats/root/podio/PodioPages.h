#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/base/SparseVector.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

namespace kaon::root::podio {

/// The values of a column in order. Their bytes need no alignment.
template <class T>
class PageValues {
public:
  explicit PageValues(const detail::Page& page)
      : m_data(page.data), m_stride(page.isRepeated ? 0 : sizeof(T)) {}
  [[nodiscard]] T operator[](std::size_t i) const noexcept {
    T value;
    std::memcpy(&value, m_data + i * m_stride, sizeof(T));
    return value;
  }

private:
  const std::byte* m_data;
  std::size_t m_stride;
};

/// Pages of stored columns, kept until other entries are requested. Unlike a window, it reads
/// exactly the requested entries. Tables with different pages can thus be read together. For one
/// thread.
class PodioPages {
public:
  explicit PodioPages(const Source& source);

  [[nodiscard]] detail::Cursor& cursor() noexcept { return *m_cursor; }

  /// Returns the entries around `entry` that are in one page of each of these root tables.
  [[nodiscard]] detail::PageRange common(std::span<const std::uint32_t> roots, std::uint64_t entry);

  /// Returns the start of the rows of each entry, or of each row of the table above, and the end of
  /// the last. All results are valid until the column is read for other entries.
  [[nodiscard]] std::span<const std::uint32_t> offsets(TableNumber table,
                                                       const detail::PageRange& range);
  [[nodiscard]] std::size_t rows(TableNumber table, const detail::PageRange& range);
  /// Returns the values of a member's column.
  [[nodiscard]] const detail::Page& page(std::uint32_t column, const detail::PageRange& range);

private:
  [[nodiscard]] const detail::Page& read(ColumnNumber column, const detail::PageRange& range,
                                         std::size_t values);

  const Source& m_source;
  std::unique_ptr<detail::Cursor> m_cursor;
  detail::SparseVector<detail::Page> m_pages; // by column
};

/// Whether two ranges have the same entries.
[[nodiscard]] inline bool areSame(const detail::PageRange& a, const detail::PageRange& b) noexcept {
  return a.firstEntry == b.firstEntry && a.lastEntry == b.lastEntry;
}

} // namespace kaon::root::podio
