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

/// Reads pages of columns as stored, with all information to decode them elsewhere: on a GPU, or on
/// another machine. Pages come in the order of their first selected entry. Only formats that store
/// pages as in docs/format.md support it. A single pass, for one thread.
///
///   for (const kaon::StoredPage& page : events.storedPages({"bank.px"}))
///     send(page.encoding, page.values, page.bytes);
class StoredPages {
public:
  /// Selects members by name, see Schema::membersBelow(), and adds the columns of their counts and
  /// presence. Throws Error(name) for unknown names. Returns only pages with selected entries.
  /// `file`, if given, is kept open.
  StoredPages(const Source& source, const std::vector<std::string>& names,
              const EntrySelection& entries = {}, std::shared_ptr<const File> file = nullptr);

  /// Moves to the next page. Returns false at the end. Throws Error(corrupt) if its checksum is
  /// wrong, and Error(usage) if the format does not store pages this way.
  bool next();
  /// Returns the current page, which is valid until the next one.
  [[nodiscard]] const StoredPage& page() const noexcept { return m_page; }
  /// Returns the schema. A page's column is `schema().columns()[page.column]`.
  [[nodiscard]] const Schema& schema() const noexcept { return m_source->schema(); }

  using Iterator = detail::PassIterator<StoredPages, &StoredPages::page>;
  [[nodiscard]] Iterator begin() { return Iterator(*this); }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

private:
  struct Group { // columns whose pages have the same entries
    std::uint32_t number;
    std::vector<std::uint32_t> columns = {};
    std::uint64_t next = 0; // the next entry to read
  };
  [[nodiscard]] Group& groupOf(ColumnNumber column);

  std::shared_ptr<const File> m_file;
  const Source* m_source;
  std::unique_ptr<detail::Cursor> m_cursor;
  EntrySelection m_entries;
  std::vector<Group> m_groups;
  std::size_t m_current = 0;    // the group of the current page
  std::size_t m_nextColumn = 0; // index in the group
  detail::PageRange m_range;    // of the current pages
  StoredPage m_page;
};

} // namespace kaon
