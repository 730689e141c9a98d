#pragma once

#include <kaon/batch/EntrySelection.h>
#include <kaon/batch/Source.h>
#include <kaon/detail/batch/PassIterator.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace kaon {

/// Pages of some columns as they are stored, with what must be known to decode them elsewhere: on a
/// GPU, or another machine. Their order is that of the entries that they end with. Only formats
/// that store pages as docs/format.md says have them. A single pass, for one thread.
///
///   for (const kaon::StoredPage& page : events.storedPages({"bank.px"}))
///     send(page.encoding, page.values, page.bytes);
class StoredPages {
public:
  /// Names as in Schema::membersBelow(); the columns that say how many rows there are, and whether
  /// they are there, come by themselves. Throws Error(name) for unknown ones. Only pages that have
  /// selected entries. `file`, if given, is kept open.
  StoredPages(const Source& source, const std::vector<std::string>& names,
              const EntrySelection& entries = {}, std::shared_ptr<const File> file = nullptr);

  /// Goes on to the next page; false at the end. Throws Error(corrupt) for one that does not match
  /// its checksum, Error(usage) where the format does not have pages so.
  bool next();
  /// Lasts until the next one.
  [[nodiscard]] const StoredPage& page() const noexcept { return m_page; }
  /// What a column of a page is: `schema().columns()[page.column]`.
  [[nodiscard]] const Schema& schema() const noexcept { return m_source->schema(); }

  using Iterator = detail::PassIterator<StoredPages, &StoredPages::page>;
  [[nodiscard]] Iterator begin() { return Iterator(*this); }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

private:
  struct Group { // columns whose pages have the same entries
    std::uint32_t number;
    std::vector<std::uint32_t> columns = {};
    std::uint64_t next = 0; // entry
  };
  [[nodiscard]] Group& groupOf(std::uint32_t column);

  std::shared_ptr<const File> m_file;
  const Source* m_source;
  std::unique_ptr<detail::Cursor> m_cursor;
  EntrySelection m_entries;
  std::vector<Group> m_groups;
  std::size_t m_current = 0;    // the group whose pages are being given
  std::size_t m_nextColumn = 0; // of the group
  detail::PageRange m_range;    // of these pages
  StoredPage m_page;
};

} // namespace kaon
