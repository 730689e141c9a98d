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
    const std::scoped_lock lock(known.mutex);
    auto shared = std::ranges::find_if(known.last, [&](const auto& each) {
      return each && each->range.firstEntry == range.firstEntry &&
             each->range.lastEntry == range.lastEntry;
    });
    if (shared == known.last.end()) {
      auto decoded = std::make_shared<detail::Page>();
      m_cursor->read(column, range, values, *decoded);
      decoded->range = range;
      shared = known.last.begin() + static_cast<std::ptrdiff_t>(known.oldest);
      *shared = std::move(decoded);
      known.oldest = (known.oldest + 1) % known.last.size();
    }
    page.values = (*shared)->values;
    page.isRepeated = (*shared)->isRepeated;
    page.data = (*shared)->data;
    page.shared = *shared;
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
    if (page.values * m_pages->m_source.schema().columns()[column].elementSize > large)
      m_pages->m_haveLargeEntries = true;
  }

  std::shared_ptr<SharedPages> m_pages;
  std::unique_ptr<detail::Cursor> m_cursor;
};

SharedPages::SharedPages(const Source& source)
    : m_source(source), m_columns(source.schema().columns().size()) {}

std::unique_ptr<detail::Cursor> SharedPages::cursor(std::shared_ptr<SharedPages> pages) {
  return std::make_unique<SharingCursor>(std::move(pages));
}

SharedPages::ColumnPages& SharedPages::of(ColumnNumber column) {
  const std::scoped_lock lock(m_mutex);
  return m_columns[column];
}

} // namespace kaon
