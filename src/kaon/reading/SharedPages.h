#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/base/SparseVector.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>

namespace kaon {

/// The last decoded pages of each column, which several cursors of a source share. Frames that are
/// read one by one, also by several threads, mostly need the same pages. Thread-safe.
class SharedPages {
public:
  /// The source must outlive the pages.
  explicit SharedPages(const Source& source);

  /// Returns a cursor of the source that shares pages with the others. It shares ownership of
  /// `pages`.
  [[nodiscard]] static std::unique_ptr<detail::Cursor> cursor(std::shared_ptr<SharedPages> pages);

  /// Whether a cursor has decoded a page of a single entry that takes much memory.
  [[nodiscard]] bool haveLargeEntries() const noexcept { return m_haveLargeEntries; }

private:
  class SharingCursor;
  struct ColumnPages {
    std::mutex mutex;
    /// Two, because frames on both sides of a border between pages may alternate.
    std::array<std::shared_ptr<const detail::Page>, 2> last;
    std::size_t oldest = 0;
  };
  [[nodiscard]] ColumnPages& of(ColumnNumber column);

  const Source& m_source;
  std::mutex m_mutex;
  detail::SparseVector<ColumnPages> m_columns;
  std::atomic<bool> m_haveLargeEntries = false;
};

} // namespace kaon
