#include <kaon/formats/root/SerializedPages.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/formats/root/container/Blocks.h>
#include <kaon/reading/NamedMembers.h>

#include <algorithm>

namespace kaon::root {
namespace {

/// Returns the columns of these members, and the columns that locate their rows.
std::vector<std::uint32_t> columnsOf(const Source& source, const std::vector<std::string>& names) {
  const Schema& schema = source.schema();
  std::vector<std::uint32_t> columns;
  for (const std::string& name : names)
    for (const auto& [owner, member] : detail::membersBelow(source, name)) {
      columns.push_back(schema.place(owner, member).column);
      for (TableNumber table = owner; table != Table::none; table = schema.table(table).parent)
        if (schema.table(table).isCounted())
          columns.push_back(schema.countsColumn(table));
    }
  sortUnique(columns);
  return columns;
}

} // namespace

SerializedPages::SerializedPages(const Source& source, const std::vector<std::string>& names,
                                 EntryRange entries)
    : m_source(&source), m_serialized(dynamic_cast<const SerializedSource*>(&source)) {
  if (!m_serialized)
    fail(ErrorKind::usage, source.name(),
         ": only plain RNTuples and trees give pages as ROOT stores them; batches read all files, "
         "and StoredPages reads pages of .kaon files");
  entries.last = std::min(entries.last, source.entries());
  for (const std::uint32_t column : columnsOf(source, names)) {
    const std::vector<SerializedPage> pages = m_serialized->serializedPages(column, entries);
    m_pages.insert(m_pages.end(), pages.begin(), pages.end());
  }
  std::ranges::stable_sort(m_pages, {},
                           [](const SerializedPage& page) { return page.entries.first; });
}

bool SerializedPages::next() {
  if (m_next == m_pages.size())
    return false;
  if (m_next == m_fetchedPages)
    fetch();
  m_serialized->readSerialized(m_pages[m_next], m_fetched, m_room);
  ++m_next;
  return true;
}

/// Fetches the next pages in one request. If the file is in place, pages are only prefetched.
void SerializedPages::fetch() {
  constexpr std::uint64_t mostBytes = std::uint64_t{8} << 20, smallGap = 4096;
  const io::ByteSource& file = m_serialized->bytesOfFile();
  std::vector<io::ByteRange> ranges;
  for (std::uint64_t bytes = 0; m_fetchedPages < m_pages.size() && bytes < mostBytes;
       ++m_fetchedPages) {
    const SerializedPage& page = m_pages[m_fetchedPages];
    bytes += page.storedBytes;
    const bool isThere =
        page.position < file.size() && page.storedBytes <= file.size() - page.position;
    if (isThere && page.storedBytes <= mostBytes)
      ranges.push_back({page.position, page.storedBytes});
  }
  io::joinNeighbours(ranges, smallGap);
  if (file.inPlace())
    file.prefetch(ranges);
  else
    m_fetched.fetch(file, ranges);
}

std::span<const std::byte> decompressed(const SerializedPage& page, Buffer& room) {
  if (page.bytes.size() == page.decompressedBytes)
    return page.bytes;
  const auto out = room.assign(static_cast<std::size_t>(page.decompressedBytes));
  decompressBlocks(page.bytes, out, "a page at byte " + std::to_string(page.position));
  return out;
}

} // namespace kaon::root
