#include <kaon/formats/sio/SioCursor.h>

#include <kaon/base/Error.h>

#include <vector>

namespace kaon::sio {
namespace {

constexpr std::uint64_t mostFill = 4; // padding has fewer bytes

} // namespace

SioCursor::SioCursor(const SioContents& contents)
    : m_contents(contents),
      m_reads(contents.container().bytes(), contents.container().options().memoryBudget,
              [this](std::uint64_t entry) { return portionAt(entry); }),
      m_page(contents, m_reads.fetched()) {}

void SioCursor::fetch(std::span<const std::uint32_t> /*columns*/, const EntrySelection& entries) {
  m_reads.plan(entries.within({0, m_contents.entries().size()}));
}

/// Returns the records of pages, beginning with that of an entry, up to the memory budget. Records
/// of other categories may be between them.
PlannedReads::Portion SioCursor::portionAt(std::uint64_t entry) const {
  PlannedReads::Portion portion;
  std::vector<io::ByteRange> records;
  for (std::size_t page = m_contents.pageOf(entry); page < m_contents.pages(); ++page) {
    const EntryRange range = m_contents.entriesOf(page);
    records.clear();
    for (std::uint64_t each = range.first; each < range.last; ++each) {
      const EntryRecords& place = m_contents.entries()[static_cast<std::size_t>(each)];
      for (const io::ByteRange& record : {place.header, place.data})
        if (record.count > 0)
          records.push_back(record);
    }
    if (!m_reads.extend(portion, range, records))
      break;
  }
  io::joinNeighbours(portion.ranges, mostFill);
  return portion;
}

detail::PageRange SioCursor::pages(TableNumber /*group*/, std::uint64_t entry) {
  const std::size_t page = m_contents.pageOf(entry);
  const EntryRange range = m_contents.entriesOf(page);
  return {range.first, range.last, page, 0};
}

void SioCursor::read(ColumnNumber columnNumber, const detail::PageRange& range, std::size_t values,
                     detail::Page& page) {
  const auto number = static_cast<std::size_t>(range.cluster);
  if (number != m_page.number())
    m_reads.reach(m_contents.entriesOf(number));
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
