#include <kaon/detail/reading/Window.h>

#include <kaon/base/Bools.h>
#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>

#include <cstring>

namespace kaon::detail {
Window::Window(const Source& source) : Window(source, source.cursor()) {}

Window::Window(const Source& source, std::unique_ptr<Cursor> cursor)
    : m_source(&source), m_cursor(std::move(cursor)), m_ranges(source.schema().size()),
      m_pages(source.schema().columns().size()), m_isUsed(m_pages.size()) {}

const PageRange& Window::pages(TableNumber table, std::uint64_t entry) {
  const TableNumber group = m_source->schema().groupOf(table);
  PageRange& range = m_ranges[group];
  if (!range.contains(entry)) {
    if (entry >= m_source->entries())
      fail(ErrorKind::usage, m_source->name(), ": has no entry ", entry, ", only ",
           m_source->entries());
    range = m_cursor->pages(group, entry);
  }
  return range;
}

const Page& Window::page(ColumnNumber column, std::uint64_t entry, std::span<std::byte> room) {
  Page& page = m_pages[column];
  // A page in `room` is decoded again, because the caller may have changed that memory.
  if (page.range.contains(entry) && (page.room.empty() || page.data != page.room.data()))
    return page;
  const Column& info = m_source->schema().columns()[column];
  const PageRange& range = pages(info.table, entry);
  std::size_t values = 0;
  if (info.role == ColumnRole::presence)
    values = static_cast<std::size_t>(range.lastEntry - range.firstEntry);
  else if (info.role == ColumnRole::counts)
    values = parentsInPage(info.table, entry);
  else
    values = rowsInPage(info.table, entry);
  if (!m_isUsed[column]) {
    m_isUsed[column] = true;
    m_used.push_back(column);
  }
  page.range = {}; // stays empty if reading fails
  page.isRepeated = false;
  page.room = room;
  m_cursor->read(column, range, values, page);
  checkBools(page, column);
  if (info.role == ColumnRole::counts)
    checkAbsent(page, info.table, range);
  page.range = range;
  return page;
}

ColumnView Window::member(TableNumber table, MemberNumber member, std::uint64_t entry,
                          std::span<std::byte> room) {
  const Schema& schema = m_source->schema();
  const MemberPosition place = schema.place(table, member);
  const Page& values = page(place.column, entry, room);
  if (values.values == 0)
    return {&noValues, 0};
  return {values.data + place.offset, values.isRepeated ? 0 : schema.stride(place)};
}

std::span<const std::uint32_t> Window::offsets(TableNumber table, std::uint64_t entry) {
  const Page& counts = page(m_source->schema().countsColumn(table), entry);
  return {detail::valuesAt<std::uint32_t>(counts.data), counts.values};
}

bool Window::isPresent(TableNumber rootTable, std::uint64_t entry) {
  const Schema& schema = m_source->schema();
  if (!schema.table(rootTable).canBeAbsent())
    return true;
  const Page& presence = page(schema.presenceColumn(rootTable), entry);
  return presence.data[entry - presence.range.firstEntry] != std::byte{0};
}

std::pair<std::size_t, std::size_t> Window::rows(TableNumber table, std::uint64_t entry) {
  const Table info = m_source->schema().table(table);
  const auto inPage = static_cast<std::size_t>(entry - pages(table, entry).firstEntry);
  const auto [first, last] =
      info.isRoot() ? std::pair{inPage, inPage + 1} : rows(info.parent, entry);
  if (!info.isCounted())
    return {first, last};
  const auto begins = offsets(table, entry);
  return {begins[first], begins[last]};
}

/// Returns the number of rows of the parent, or of entries, in the page.
std::size_t Window::parentsInPage(TableNumber table, std::uint64_t entry) {
  const Table info = m_source->schema().table(table);
  if (!info.isRoot())
    return rowsInPage(info.parent, entry);
  const PageRange& range = pages(table, entry);
  return static_cast<std::size_t>(range.lastEntry - range.firstEntry);
}

std::size_t Window::rowsInPage(TableNumber table, std::uint64_t entry) {
  if (m_source->schema().table(table).isCounted())
    return offsets(table, entry).back();
  return parentsInPage(table, entry);
}

/// Throws if an entry has rows of a table that it lacks.
void Window::checkAbsent(const Page& offsets, TableNumber table, const PageRange& range) {
  const Schema& schema = m_source->schema();
  if (!schema.table(table).canBeAbsent())
    return;
  const Page& presence = page(schema.presenceColumn(table), range.firstEntry);
  if (!std::memchr(presence.data, 0, presence.values)) // the usual case, and fast to check
    return;
  const auto* const sums = detail::valuesAt<std::uint32_t>(offsets.data);
  for (std::size_t entry = 0; entry < presence.values; ++entry)
    if (presence.data[entry] == std::byte{0} && sums[entry + 1] != sums[entry])
      fail(ErrorKind::corrupt, m_source->name(), ": entry ", range.firstEntry + entry,
           " is without '", schema.table(table).name, "', but has rows of it; the file is damaged");
}

void Window::checkBools(const Page& page, ColumnNumber column) const {
  const Column& info = m_source->schema().columns()[column];
  if (info.role == ColumnRole::presence && !areBools({page.data, page.values}))
    fail(ErrorKind::corrupt, m_source->name(), ": a presence of '",
         m_source->schema().table(info.table).name, "' is neither 0 nor 1; the file is damaged");
  if (info.role != ColumnRole::rows && info.role != ColumnRole::member)
    return;
  const Table table = m_source->schema().table(info.table);
  const std::size_t rows = page.isRepeated ? 1 : page.values;
  const auto check = [&](const Member& member, std::size_t offset) {
    if (member.type != Scalar::Bool)
      return;
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t k = 0; k < member.extent; ++k)
        if (page.data[row * info.elementSize + offset + k] > std::byte{1})
          fail(ErrorKind::corrupt, m_source->name(), ": '", table.name, ".", member.name,
               "' holds a bool that is neither 0 nor 1; the file is damaged");
  };
  if (info.role == ColumnRole::member)
    return check(table.members[info.member], 0);
  for (const Member& member : table.members)
    check(member, member.offset);
}

} // namespace kaon::detail
