#include <kaon/formats/sio/SioCursor.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <vector>

namespace kaon::sio {
namespace {

constexpr std::uint64_t mostFill = 4; // padding has fewer bytes

} // namespace

void SioCursor::fetch(std::span<const std::uint32_t> /*columns*/, const EntrySelection& entries) {
  m_wanted = entries;
  const std::uint64_t last =
      std::min<std::uint64_t>(entries.hull().last, m_contents.entries().size());
  m_portion = m_planned = {0, 0};
  if (entries.hull().first < last)
    m_planned = {m_contents.pageOf(entries.hull().first), m_contents.pageOf(last - 1) + 1};
}

/// Fetches the records of pages, beginning with this one, up to the memory budget. Records of other
/// categories may be between them.
void SioCursor::fetchPortion(std::size_t first) {
  const io::ByteSource& bytes = m_contents.container().bytes();
  std::uint64_t sum = 0;
  std::vector<io::ByteRange> ranges;
  std::size_t last = first;
  for (; last < m_planned.second; ++last) {
    const EntryRange range = m_contents.entriesOf(last);
    if (!m_wanted.overlaps(range))
      continue;
    const auto entries = m_contents.entries().subspan(
        static_cast<std::size_t>(range.first), static_cast<std::size_t>(range.last - range.first));
    for (const EntryPlace& entry : entries)
      sum += entry.header.count + entry.data.count;
    if (last > first && sum > m_contents.container().options().memoryBudget)
      break;
    for (const EntryPlace& entry : entries)
      for (const io::ByteRange& record : {entry.header, entry.data})
        if (record.count > 0)
          ranges.push_back(record);
  }
  m_portion = {first, last};
  io::joinNeighbours(ranges, mostFill);
  if (bytes.isInMemory())
    bytes.prefetch(ranges);
  else
    m_fetched.fetch(bytes, ranges);
}

detail::PageRange SioCursor::pages(std::uint32_t /*group*/, std::uint64_t entry) {
  const std::size_t page = m_contents.pageOf(entry);
  const EntryRange range = m_contents.entriesOf(page);
  return {range.first, range.last, page, 0};
}

void SioCursor::read(std::uint32_t columnNumber, const detail::PageRange& range, std::size_t values,
                     detail::Page& page) {
  const auto number = static_cast<std::size_t>(range.cluster);
  if (number != m_page.number() && number >= m_planned.first && number < m_planned.second &&
      (number < m_portion.first || number >= m_portion.second))
    fetchPortion(number);
  m_page.open(number);
  const Column column = m_contents.schema().columns()[columnNumber];
  const auto columns = m_page.columns(m_contents.unitOf(column.table));
  m_contents.complete(columnNumber, m_page);
  const Buffer& decoded = columns->column(columnNumber);
  const bool isCounts = column.role == ColumnRole::counts;
  const std::size_t wanted = values + (isCounts ? 1 : 0);
  if (decoded.size() != wanted * column.elementSize)
    fail(ErrorKind::corrupt, m_contents.name(), ": entries from ", range.firstEntry,
         " on have other ", "numbers of rows of '", m_contents.schema().table(column.table).name,
         "' than before; the file was changed while it was read");
  static constexpr std::byte nothing{};
  page.values = wanted;
  page.data = decoded.empty() ? &nothing : decoded.data();
  page.shared = columns;
}

} // namespace kaon::sio
