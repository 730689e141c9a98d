#pragma once

#include <kaon/batch/Batch.h>
#include <kaon/batch/Source.h>
#include <kaon/detail/base/SparseVector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace kaon::detail {

/// The decoded pages around one entry of a source, in reused buffers. A window checks all pages
/// that it returns: numbers of values agree with the counts, and bools are 0 or 1. For one thread
/// at a time.
class Window {
public:
  explicit Window(const Source& source);
  /// Reads with this cursor, which is one of the source's or wraps one.
  Window(const Source& source, std::unique_ptr<Cursor> cursor);

  /// Returns false if the window was moved from.
  [[nodiscard]] bool isValid() const noexcept { return m_cursor != nullptr; }
  [[nodiscard]] const Source& source() const noexcept { return *m_source; }
  /// Returns the window's cursor, for code that keeps and checks pages itself.
  [[nodiscard]] Cursor& cursor() noexcept { return *m_cursor; }

  /// Announces columns and entries; see Cursor::fetch().
  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) {
    m_cursor->fetch(columns, entries);
  }
  /// Returns the columns that were requested so far, each once.
  [[nodiscard]] std::span<const std::uint32_t> usedColumns() const noexcept { return m_used; }

  /// Returns the range of the table's pages that contain `entry`.
  [[nodiscard]] const PageRange& pages(TableNumber table, std::uint64_t entry);

  /// Returns a column's page that contains the entry. It stays valid until you request an entry in
  /// another page. `room` is as in Page; a page in `room` is decoded again on each request.
  [[nodiscard]] const Page& page(ColumnNumber column, std::uint64_t entry,
                                 std::span<std::byte> room = {});

  /// Returns a member's values in the page that contains the entry; never null.
  [[nodiscard]] ColumnView member(TableNumber table, MemberNumber member, std::uint64_t entry,
                                  std::span<std::byte> room = {});

  /// Returns the extremes of the page that contains the entry; see Cursor::extremes().
  [[nodiscard]] std::optional<Extremes> extremes(TableNumber table, MemberNumber member,
                                                 std::uint64_t entry) {
    return m_cursor->extremes(table, member, pages(table, entry));
  }

  /// Returns the offsets of a counted table in its page: entry i of the page, or row i of the
  /// parent's page, has the rows [offsets[i], offsets[i + 1]).
  [[nodiscard]] std::span<const std::uint32_t> offsets(TableNumber table, std::uint64_t entry);

  /// Returns whether the entry has this root table.
  [[nodiscard]] bool isPresent(TableNumber rootTable, std::uint64_t entry);

  /// Returns a table's rows [first, last) of an entry, counted in the table's page.
  [[nodiscard]] std::pair<std::size_t, std::size_t> rows(TableNumber table, std::uint64_t entry);

private:
  [[nodiscard]] std::size_t rowsInPage(TableNumber table, std::uint64_t entry);
  [[nodiscard]] std::size_t parentsInPage(TableNumber table, std::uint64_t entry);
  void checkAbsent(const Page& offsets, TableNumber table, const PageRange& range);
  void checkBools(const Page& page, ColumnNumber column) const;

  const Source* m_source;
  std::unique_ptr<Cursor> m_cursor;
  SparseVector<PageRange> m_ranges;  // by group
  SparseVector<Page> m_pages;        // by column
  std::vector<std::uint32_t> m_used; // the requested columns
  std::vector<bool> m_isUsed;
};

} // namespace kaon::detail
