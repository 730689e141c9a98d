#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/base/SparseVector.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>

namespace kaon {

/// The last decoded pages of each column, which several cursors of a source share. Frames that are
/// read one by one, also by several threads, mostly need the same pages. Thread-safe.
class SharedPages {
public:
  /// Decoded pages to keep by default, in bytes.
  static constexpr std::size_t usualBytes = std::size_t{64} << 20;
  /// The source must outlive the pages. If all pages take more than `most` bytes, those that were
  /// not requested for the longest time are dropped.
  explicit SharedPages(const Source& source, std::size_t most = usualBytes);

  /// Returns a cursor of the source that shares pages with the others. It shares ownership of
  /// `pages`.
  [[nodiscard]] static std::unique_ptr<detail::Cursor> cursor(std::shared_ptr<SharedPages> pages);

  /// Whether a cursor has decoded a page of a single entry that takes much memory.
  [[nodiscard]] bool haveLargeEntries() const noexcept { return m_haveLargeEntries; }

private:
  class SharingCursor;
  struct KeptPage;
  using KeptPages = std::list<KeptPage>;
  struct ColumnPages {
    std::mutex decoding; // lock it before m_mutex
    /// Two, because frames on both sides of a border between pages may alternate.
    std::array<std::optional<KeptPages::iterator>, 2> last;
    std::size_t oldest = 0;
  };
  struct KeptPage {
    std::shared_ptr<const detail::Page> page;
    std::size_t bytes;
    std::optional<KeptPages::iterator>* place; // where its column has it
  };
  [[nodiscard]] ColumnPages& of(ColumnNumber column);
  [[nodiscard]] std::shared_ptr<const detail::Page> find(ColumnPages& column,
                                                         const detail::PageRange& range);
  void keep(ColumnPages& column, std::shared_ptr<const detail::Page> page, std::size_t bytes);
  void drop(KeptPages::iterator kept);

  const Source& m_source;
  const std::size_t m_most;
  std::mutex m_mutex; // guards everything below but the mutexes of columns
  detail::SparseVector<ColumnPages> m_columns;
  KeptPages m_kept; // of all columns; the last one was requested last
  std::size_t m_bytes = 0;
  std::atomic<bool> m_haveLargeEntries = false;
};

} // namespace kaon
