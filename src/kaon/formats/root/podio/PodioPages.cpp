#include <kaon/formats/root/podio/PodioPages.h>

#include <kaon/detail/base/Memory.h>

#include <algorithm>

namespace kaon::root::podio {

PodioPages::PodioPages(const Source& source)
    : m_source(source), m_cursor(source.cursor()), m_pages(source.schema().columns().size()) {}

detail::PageRange PodioPages::common(std::span<const std::uint32_t> roots, std::uint64_t entry) {
  detail::PageRange range;
  for (const std::uint32_t root : roots) {
    const detail::PageRange each = m_cursor->pages(m_source.schema().groupOf(root), entry);
    if (range.lastEntry == 0)
      range = each;
    range.firstEntry = std::max(range.firstEntry, each.firstEntry);
    range.lastEntry = std::min(range.lastEntry, each.lastEntry);
  }
  return range;
}

std::span<const std::uint32_t> PodioPages::offsets(TableNumber table,
                                                   const detail::PageRange& range) {
  const Schema& schema = m_source.schema();
  const Table info = schema.table(table);
  const std::size_t above = info.isRoot()
                                ? static_cast<std::size_t>(range.lastEntry - range.firstEntry)
                                : rows(info.parent, range);
  const detail::Page& counts = read(schema.countsColumn(table), range, above);
  return {detail::valuesAt<std::uint32_t>(counts.data), counts.values};
}

std::size_t PodioPages::rows(TableNumber table, const detail::PageRange& range) {
  return offsets(table, range).back(); // all tables passed to this function are counted
}

const detail::Page& PodioPages::page(std::uint32_t column, const detail::PageRange& range) {
  return read(column, range, rows(m_source.schema().columns()[column].table, range));
}

const detail::Page& PodioPages::read(ColumnNumber column, const detail::PageRange& range,
                                     std::size_t values) {
  detail::Page& page = m_pages[column];
  if (areSame(page.range, range))
    return page;
  page.range = {}; // stays empty if this fails
  page.isRepeated = false;
  m_cursor->read(column, range, values, page);
  page.range = range;
  return page;
}

} // namespace kaon::root::podio
