#include <kaon/reading/SharedPages.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace kaon {

class SharedPages::SharingCursor final : public detail::Cursor {
public:
  explicit SharingCursor(std::shared_ptr<SharedPages> pages)
      : m_pages(std::move(pages)), m_cursor(m_pages->m_source.cursor()) {}

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override {
    m_cursor->fetch(columns, entries);
  }
  [[nodiscard]] std::shared_ptr<const void> hold() override { return m_cursor->hold(); }
  [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry) override {
    return m_cursor->pages(group, entry);
  }

  void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
            detail::Page& page) override {
    if (!page.room.empty() || range.lastEntry - range.firstEntry <= 1)
      return readAlone(column, range, values, page);
    ColumnPages& known = m_pages->of(column);
    // Other threads wait for the page instead of decoding it, too.
    const std::scoped_lock lock(known.decoding);
    auto shared = m_pages->find(known, range);
    if (!shared) {
      auto decoded = std::make_shared<detail::Page>();
      m_cursor->read(column, range, values, *decoded);
      decoded->range = range;
      shared = std::move(decoded);
      m_pages->keep(known, shared, bytesOf(column, *shared));
    }
    page.values = shared->values;
    page.isRepeated = shared->isRepeated;
    page.data = shared->data;
    page.shared = std::move(shared);
  }

  [[nodiscard]] std::optional<StoredPage> stored(ColumnNumber column,
                                                 const detail::PageRange& range) override {
    return m_cursor->stored(column, range);
  }
  [[nodiscard]] std::optional<Extremes> extremes(TableNumber table, MemberNumber member,
                                                 const detail::PageRange& range) override {
    return m_cursor->extremes(table, member, range);
  }

private:
  /// Reads a page that has no other readers.
  void readAlone(ColumnNumber column, const detail::PageRange& range, std::size_t values,
                 detail::Page& page) {
    constexpr std::size_t large = std::size_t{1} << 20;
    m_cursor->read(column, range, values, page);
    if (bytesOf(column, page) > large)
      m_pages->m_haveLargeEntries = true;
  }

  [[nodiscard]] std::size_t bytesOf(ColumnNumber column, const detail::Page& page) const {
    const std::size_t values = page.isRepeated ? 1 : page.values;
    return values * m_pages->m_source.schema().columns()[column].elementSize;
  }

  std::shared_ptr<SharedPages> m_pages;
  std::unique_ptr<detail::Cursor> m_cursor;
};

SharedPages::SharedPages(const Source& source, std::size_t most)
    : m_source(source), m_most(most), m_columns(source.schema().columns().size()) {}

std::unique_ptr<detail::Cursor> SharedPages::cursor(std::shared_ptr<SharedPages> pages) {
  return std::make_unique<SharingCursor>(std::move(pages));
}

SharedPages::ColumnPages& SharedPages::of(ColumnNumber column) {
  const std::scoped_lock lock(m_mutex);
  return m_columns[column];
}

/// Returns a page of a column, if it is kept, and counts the request.
std::shared_ptr<const detail::Page> SharedPages::find(ColumnPages& column,
                                                      const detail::PageRange& range) {
  const std::scoped_lock lock(m_mutex);
  for (const auto& last : column.last) {
    if (!last)
      continue;
    const auto& page = (*last)->page;
    if (page->range.firstEntry != range.firstEntry || page->range.lastEntry != range.lastEntry)
      continue;
    m_kept.splice(m_kept.end(), m_kept, *last);
    return page;
  }
  return nullptr;
}

/// Keeps a page in place of the older one of its column, and drops others until all fit.
void SharedPages::keep(ColumnPages& column, std::shared_ptr<const detail::Page> page,
                       std::size_t bytes) {
  const std::scoped_lock lock(m_mutex);
  auto& place = column.last[column.oldest];
  if (place)
    drop(*place);
  while (!m_kept.empty() && m_bytes + bytes > m_most)
    drop(m_kept.begin());
  place = m_kept.insert(m_kept.end(), {std::move(page), bytes, &place});
  m_bytes += bytes;
  column.oldest = (column.oldest + 1) % column.last.size();
}

void SharedPages::drop(KeptPages::iterator kept) {
  m_bytes -= kept->bytes;
  kept->place->reset();
  m_kept.erase(kept);
}

} // namespace kaon
