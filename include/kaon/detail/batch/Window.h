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

/// The decoded pages around one entry of a source, in buffers that are used again and again. A
/// window checks what it hands out: numbers of values agree with the counts, bools are bools. For
/// one thread at a time.
class Window {
public:
  explicit Window(const Source& source);
  /// Reads by this cursor, which is one of the source's or reads by one.
  Window(const Source& source, std::unique_ptr<Cursor> cursor);

  /// False after it was moved away.
  [[nodiscard]] bool isValid() const noexcept { return m_cursor != nullptr; }
  [[nodiscard]] const Source& source() const noexcept { return *m_source; }
  /// What it reads by; for pages that others keep and check.
  [[nodiscard]] Cursor& cursor() noexcept { return *m_cursor; }

  /// As Cursor::fetch().
  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) {
    m_cursor->fetch(columns, entries);
  }
  /// The columns that were asked for so far, each once.
  [[nodiscard]] std::span<const std::uint32_t> usedColumns() const noexcept { return m_used; }

  /// The entries whose pages of this table hold `entry`.
  [[nodiscard]] const PageRange& pages(std::uint32_t table, std::uint64_t entry);

  /// A column's page with that entry. Stays as it is until another entry is asked for that lies in
  /// another page. `room` is as in Page; a page that was put there is decoded anew when it is asked
  /// for again.
  [[nodiscard]] const Page& page(std::uint32_t column, std::uint64_t entry,
                                 std::span<std::byte> room = {});

  /// A member's values in the table's page with that entry; never null.
  [[nodiscard]] ColumnView member(std::uint32_t table, std::uint32_t member, std::uint64_t entry,
                                  std::span<std::byte> room = {});

  /// As Cursor::extremes(), of the table's page with that entry.
  [[nodiscard]] std::optional<Extremes> extremes(std::uint32_t table, std::uint32_t member,
                                                 std::uint64_t entry) {
    return m_cursor->extremes(table, member, pages(table, entry));
  }

  /// For a counted table: where in the page the rows begin of each entry, or of each row of the
  /// parent in its page, and at last where they end.
  [[nodiscard]] std::span<const std::uint32_t> offsets(std::uint32_t table, std::uint64_t entry);

  /// Whether the entry has this root table.
  [[nodiscard]] bool isPresent(std::uint32_t rootTable, std::uint64_t entry);

  /// A table's rows [first, last) of an entry in the table's pages.
  [[nodiscard]] std::pair<std::size_t, std::size_t> rows(std::uint32_t table, std::uint64_t entry);

private:
  [[nodiscard]] std::size_t rowsInPage(std::uint32_t table, std::uint64_t entry);
  [[nodiscard]] std::size_t parentsInPage(std::uint32_t table, std::uint64_t entry);
  void checkAbsent(const Page& offsets, std::uint32_t table, const PageRange& range);
  void checkBools(const Page& page, std::uint32_t column) const;

  const Source* m_source;
  std::unique_ptr<Cursor> m_cursor;
  SparseVector<PageRange> m_ranges;  // by group
  SparseVector<Page> m_pages;        // by column
  std::vector<std::uint32_t> m_used; // columns
  std::vector<bool> m_isUsed;
};

} // namespace kaon::detail
