#include <kaon/batch/Window.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>

#include <algorithm>
#include <limits>

namespace kaon {

Window::Window(const Source& source)
    : m_source(&source), m_ranges(source.schema().tables().size()),
      m_pages(source.schema().columns().size()) {}

const PageRange& Window::pages(std::uint32_t rootTable, std::uint64_t entry) {
  PageRange& range = m_ranges[rootTable];
  if (!range.contains(entry)) {
    if (entry >= m_source->entries())
      fail(ErrorKind::usage, m_source->name(), ": has no entry ", entry, ", only ",
           m_source->entries());
    range = m_source->pages(rootTable, entry);
  }
  return range;
}

const Page& Window::page(std::uint32_t column, std::uint64_t entry) {
  Page& page = m_pages[column];
  if (page.range.contains(entry))
    return page;
  const Schema& schema = m_source->schema();
  const Column& info = schema.columns()[column];
  const PageRange& range = pages(schema.rootOf(info.table), entry);
  const std::size_t rows = info.role == ColumnRole::presence
                               ? static_cast<std::size_t>(range.lastEntry - range.firstEntry)
                               : rowsInPage(info.table, entry);
  page.range = {}; // stays so if reading fails
  m_source->read(column, range, page);
  if (page.values != rows)
    fail(ErrorKind::corrupt, m_source->name(), ": entries ", range.firstEntry, " to ",
         range.lastEntry, " have ", rows, " rows of '", schema.table(info.table).name, "' but ",
         page.values, " values; the file is damaged");
  checkBools(page, column);
  page.range = range;
  return page;
}

ColumnView Window::member(std::uint32_t table, std::uint32_t member, std::uint64_t entry) {
  static constexpr std::byte nothing{};
  const Schema& schema = m_source->schema();
  const Place place = schema.place(table, member);
  const Page& values = page(place.column, entry);
  if (values.values == 0)
    return {&nothing, 0};
  return {values.data + place.offset, schema.stride(place)};
}

std::span<const std::uint32_t> Window::offsets(std::uint32_t table, std::uint64_t entry) {
  const Page& page = counts(table, entry);
  return {reinterpret_cast<const std::uint32_t*>(page.data), page.values + 1};
}

bool Window::isPresent(std::uint32_t rootTable, std::uint64_t entry) {
  const Schema& schema = m_source->schema();
  if (!schema.table(rootTable).canBeAbsent())
    return true;
  const Page& presence = page(schema.presenceColumn(rootTable), entry);
  return presence.data[entry - presence.range.firstEntry] != std::byte{0};
}

std::pair<std::size_t, std::size_t> Window::rows(std::uint32_t table, std::uint64_t entry) {
  const Table& info = m_source->schema().table(table);
  const auto inPage =
      static_cast<std::size_t>(entry - pages(m_source->schema().rootOf(table), entry).firstEntry);
  const auto [first, last] =
      info.isRoot() ? std::pair{inPage, inPage + 1} : rows(info.parent, entry);
  if (!info.isCounted())
    return {first, last};
  const auto begins = offsets(table, entry);
  return {begins[first], begins[last]};
}

std::size_t Window::rowsInPage(std::uint32_t table, std::uint64_t entry) {
  const Table& info = m_source->schema().table(table);
  if (info.isCounted())
    return offsets(table, entry).back();
  if (!info.isRoot())
    return rowsInPage(info.parent, entry);
  const PageRange& range = pages(table, entry);
  return static_cast<std::size_t>(range.lastEntry - range.firstEntry);
}

const Page& Window::counts(std::uint32_t table, std::uint64_t entry) {
  const Schema& schema = m_source->schema();
  const std::uint32_t column = schema.countsColumn(table);
  Page& page = m_pages[column];
  if (page.range.contains(entry))
    return page;
  const Table& info = schema.table(table);
  const PageRange& range = pages(schema.rootOf(table), entry);
  const std::size_t parents = info.isRoot()
                                  ? static_cast<std::size_t>(range.lastEntry - range.firstEntry)
                                  : rowsInPage(info.parent, entry);
  page.range = {};
  m_source->read(column, range, page);
  if (page.values != parents)
    fail(ErrorKind::corrupt, m_source->name(), ": entries ", range.firstEntry, " to ",
         range.lastEntry, " have ", page.values, " counts of '", info.name, "' for ", parents,
         "; the file is damaged");
  sumCounts(page, table);
  page.range = range;
  return page;
}

/// Turns counts into offsets: one more value, the first 0.
void Window::sumCounts(Page& page, std::uint32_t table) {
  if (page.data == page.storage.data()) {
    std::swap(page.storage, m_counts);
  }
  const std::byte* const counts = page.data;
  const auto out = page.storage.assign((page.values + 1) * sizeof(std::uint32_t));
  auto* const offsets = reinterpret_cast<std::uint32_t*>(out.data());
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < page.values; ++i) {
    offsets[i] = static_cast<std::uint32_t>(sum);
    sum += loadAs<std::uint32_t>(counts + i * sizeof(std::uint32_t));
  }
  if (sum > std::numeric_limits<std::uint32_t>::max())
    fail(ErrorKind::corrupt, m_source->name(), ": the counts of '",
         m_source->schema().table(table).name, "' add up to ", sum, "; the file is damaged");
  offsets[page.values] = static_cast<std::uint32_t>(sum);
  page.data = out.data();
}

void Window::checkBools(const Page& page, std::uint32_t column) const {
  const Column& info = m_source->schema().columns()[column];
  if (info.role != ColumnRole::rows && info.role != ColumnRole::member)
    return;
  const Table& table = m_source->schema().table(info.table);
  for (std::uint32_t i = 0; i < table.members.size(); ++i) {
    const Member& member = table.members[i];
    if (member.type != Scalar::Bool || (info.role == ColumnRole::member && info.member != i))
      continue;
    const std::size_t offset = info.role == ColumnRole::rows ? member.offset : 0;
    for (std::size_t row = 0; row < page.values; ++row)
      for (std::size_t k = 0; k < member.extent; ++k)
        if (page.data[row * info.elementSize + offset + k] > std::byte{1})
          fail(ErrorKind::corrupt, m_source->name(), ": '", table.name, ".", member.name,
               "' holds a bool that is neither 0 nor 1; the file is damaged");
  }
}

} // namespace kaon
