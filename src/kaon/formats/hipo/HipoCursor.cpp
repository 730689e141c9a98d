#include <kaon/formats/hipo/HipoCursor.h>

#include <kaon/base/Error.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/formats/hipo/Compression.h>
#include <kaon/formats/hipo/Words.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace kaon::hipo {
namespace {

/// Returns the number of events in a page, a power of two. All tables of a record have the same
/// pages, because their columns come from the same bytes. These bytes should stay in the
/// processor's cache.
std::uint64_t pageWidth(const RecordPlace& record) noexcept {
  constexpr std::uint64_t least = 16, most = std::uint64_t{640} << 10; // bytes in the file
  const std::uint64_t bytes = record.bytes / record.events + 1;        // of an event
  return std::max(least, std::bit_floor(most / bytes));
}

/// Copies a column of each piece, without gaps. Pieces are short, so it copies a fixed number of
/// bytes, which is faster. The next piece overwrites the excess. It may read behind the record's
/// bytes, but never writes behind `out`.
void copyColumns(std::span<const Piece> pieces, const std::byte* payload, std::size_t place,
                 std::size_t size, std::span<std::byte> out) noexcept {
  constexpr std::size_t least = 32, usual = bytesBehind;
  constexpr std::size_t ahead = 16; // pieces too far apart for the processor's prefetcher
  std::byte* next = out.data();
  const std::byte* const end = next + out.size();
  const auto copy = [&](const Piece& piece) {
    const std::byte* const from = payload + piece.begin + place * piece.rows;
    const std::size_t bytes = size * piece.rows;
    const auto room = static_cast<std::size_t>(end - next);
    if (bytes <= least && room >= usual) [[likely]]
      std::memcpy(next, from, least);
    else if (bytes <= usual && room >= usual)
      std::memcpy(next, from, usual);
    else if (bytes > 0)
      std::memcpy(next, from, bytes);
    next += bytes;
  };
  std::size_t i = 0;
  for (; i + ahead < pieces.size(); ++i) {
    const Piece& later = pieces[i + ahead];
    __builtin_prefetch(payload + later.begin + place * later.rows);
    copy(pieces[i]);
  }
  for (; i < pieces.size(); ++i)
    copy(pieces[i]);
}

/// Copies a member of the rows of each piece.
void copyMembers(std::span<const Piece> pieces, const std::byte* payload, std::size_t place,
                 std::size_t rowBytes, std::size_t size, std::byte* out) noexcept {
  for (const Piece& piece : pieces) {
    detail::copyStrided(out, size, payload + piece.begin + place, rowBytes, piece.rows, size);
    out += size * piece.rows;
  }
}

template <class T>
void swapAll(std::span<std::byte> bytes) noexcept {
  for (std::size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T)) {
    const T value = byteSwapped(detail::loadAs<T>(&bytes[i]));
    std::memcpy(&bytes[i], &value, sizeof(T));
  }
}

void swapValues(std::span<std::byte> bytes, Scalar type) noexcept {
  switch (sizeOf(type)) {
  case 2:
    return swapAll<std::uint16_t>(bytes);
  case 4:
    return swapAll<std::uint32_t>(bytes);
  case 8:
    return swapAll<std::uint64_t>(bytes);
  default:
    break;
  }
}

} // namespace

HipoCursor::HipoCursor(const HipoContents& contents)
    : m_contents(contents), m_container(contents.container()), m_record(contents) {}

void HipoCursor::want(std::uint32_t table) {
  const TableOrigin& origin = m_contents.tables().origin(table);
  if (origin.kind == TableOrigin::Kind::rows || origin.kind == TableOrigin::Kind::characters)
    m_record.want(origin.form);
}

void HipoCursor::fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) {
  m_record.clearWanted();
  for (const std::uint32_t column : columns)
    want(m_contents.schema().columns()[column].table);
  m_wanted = entries;
  const std::uint64_t last = std::min(entries.hull().last, m_container.entries());
  m_portion = m_planned = {0, 0};
  if (entries.hull().first < last)
    m_planned = {m_container.recordOf(entries.hull().first), m_container.recordOf(last - 1) + 1};
}

/// Fetches records beginning with this one, up to the memory budget.
void HipoCursor::fetchPortion(std::size_t first) {
  std::uint64_t bytes = 0;
  std::vector<io::ByteRange> ranges;
  std::size_t last = first;
  for (; last < m_planned.second; ++last) {
    const RecordPlace& place = m_container.records()[last];
    if (!m_wanted.overlaps({place.firstEntry, place.lastEntry()}))
      continue;
    bytes += place.bytes;
    if (last > first && bytes > m_container.options().memoryBudget)
      break;
    ranges.push_back({place.position, place.bytes});
  }
  m_portion = {first, last};
  if (m_container.bytes().isInMemory()) {
    m_container.bytes().prefetch(ranges);
  } else {
    io::joinNeighbours(ranges, 1);
    m_fetched.fetch(m_container.bytes(), ranges);
  }
}

const LoadedRecord& HipoCursor::load(const detail::PageRange& range) {
  const auto number = static_cast<std::size_t>(range.cluster);
  const RecordPlace& place = m_container.records()[number];
  const bool isPlanned = number >= m_planned.first && number < m_planned.second;
  auto events = static_cast<std::size_t>((isPlanned ? place.lastEntry() : range.lastEntry) -
                                         place.firstEntry);
  if (m_record.has(number, events))
    return m_record;
  if (isPlanned && (number < m_portion.first || number >= m_portion.second))
    fetchPortion(number);
  if (m_record.number() == number && m_record.payload()->events < events)
    events = place.events; // the record is being read in sequence
  const auto fetched = m_fetched.find(place.position, place.bytes);
  m_record.load(number, events,
                fetched ? *fetched : m_container.bytes().view(place.position, place.bytes, m_room));
  if (!m_record.stranger().empty())
    m_contents.warnOf(m_record.stranger());
  return m_record;
}

detail::PageRange HipoCursor::pages(std::uint32_t /*group*/, std::uint64_t entry) {
  const std::size_t number = m_container.recordOf(entry);
  const RecordPlace& place = m_container.records()[number];
  const std::uint64_t width = pageWidth(place);
  const std::uint64_t page = (entry - place.firstEntry) / width;
  const std::uint64_t first = place.firstEntry + page * width;
  return {first,  std::min(first + width, place.lastEntry()),
          number, static_cast<std::uint32_t>(page),
          0,      true};
}

void HipoCursor::read(std::uint32_t columnNumber, const detail::PageRange& range,
                      std::size_t values, detail::Page& page) {
  const Schema& schema = m_contents.schema();
  const Column column = schema.columns()[columnNumber];
  const TableOrigin& origin = m_contents.tables().origin(column.table);
  want(column.table);
  load(range);
  page.shared.reset();
  page.values = values;
  switch (origin.kind) {
  case TableOrigin::Kind::tag:
    return readWords(tagPlace, range, page);
  case TableOrigin::Kind::mask:
    return readWords(maskPlace, range, page);
  case TableOrigin::Kind::rows:
  case TableOrigin::Kind::characters:
    break;
  }
  if (column.role == ColumnRole::presence)
    return readPresence(origin.form, range, page);
  if (column.role == ColumnRole::member)
    return readMember(origin.form, column.member, schema.table(column.table).members[column.member],
                      range, values, page);
  if (origin.kind == TableOrigin::Kind::characters)
    return readLengths(origin.form, range, page);
  readCounts(origin.form, range, page);
}

std::span<const Piece> HipoCursor::piecesIn(std::uint32_t form,
                                            const detail::PageRange& range) const {
  const std::uint64_t firstEntry = m_container.records()[m_record.number()].firstEntry;
  const auto all = m_record.pieces(form);
  const auto begin =
      std::ranges::lower_bound(all, range.firstEntry - firstEntry, {}, &Piece::event);
  const auto end =
      std::ranges::lower_bound(begin, all.end(), range.lastEntry - firstEntry, {}, &Piece::event);
  return {begin, end};
}

/// Reads a word of the header of each event.
void HipoCursor::readWords(std::size_t place, const detail::PageRange& range,
                           detail::Page& page) const {
  const Payload& payload = *m_record.payload();
  const std::uint64_t firstEntry = m_container.records()[m_record.number()].firstEntry;
  const auto events = static_cast<std::size_t>(range.lastEntry - range.firstEntry);
  const auto first = static_cast<std::size_t>(range.firstEntry - firstEntry);
  std::byte* const out = page.roomFor(events * sizeof(std::uint32_t)).data();
  for (std::size_t i = 0; i < events; ++i) {
    const auto word = loadWord<std::uint32_t>(
        payload.bytes.data() + payload.begins[first + i] + place, payload.isSwapped);
    std::memcpy(out + i * sizeof(word), &word, sizeof(word));
  }
}

void HipoCursor::readPresence(std::uint32_t form, const detail::PageRange& range,
                              detail::Page& page) const {
  const std::uint64_t firstEntry = m_container.records()[m_record.number()].firstEntry;
  const auto out = page.roomFor(static_cast<std::size_t>(range.lastEntry - range.firstEntry));
  std::ranges::fill(out, std::byte{0});
  for (const Piece& piece : piecesIn(form, range))
    out[static_cast<std::size_t>(firstEntry + piece.event - range.firstEntry)] = std::byte{1};
}

/// Cumulates the number of rows in each event. For texts, counts structures.
void HipoCursor::readCounts(std::uint32_t form, const detail::PageRange& range,
                            detail::Page& page) const {
  const bool isText = m_contents.tables().forms()[form].kind == RowForm::Kind::text;
  const std::uint64_t firstEntry = m_container.records()[m_record.number()].firstEntry;
  const auto events = static_cast<std::size_t>(range.lastEntry - range.firstEntry);
  const auto first = static_cast<std::size_t>(range.firstEntry - firstEntry);
  page.values = events + 1;
  page.data = page.storage.assign(page.values * sizeof(std::uint32_t)).data();
  auto* const sums = reinterpret_cast<std::uint32_t*>(page.storage.data());
  std::uint32_t sum = 0;
  std::size_t event = 0;
  for (const Piece& piece : piecesIn(form, range)) {
    for (const std::size_t own = piece.event - first; event <= own; ++event)
      sums[event] = sum;
    sum += isText ? 1 : piece.rows;
  }
  for (; event <= events; ++event)
    sums[event] = sum;
}

/// Cumulates the number of characters of each text.
void HipoCursor::readLengths(std::uint32_t form, const detail::PageRange& range,
                             detail::Page& page) const {
  const auto pieces = piecesIn(form, range);
  page.values = pieces.size() + 1;
  page.data = page.storage.assign(page.values * sizeof(std::uint32_t)).data();
  auto* const sums = reinterpret_cast<std::uint32_t*>(page.storage.data());
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    sums[i] = sum;
    sum += pieces[i].rows;
  }
  sums[pieces.size()] = sum;
}

void HipoCursor::readMember(std::uint32_t formNumber, std::uint32_t member, const Member& info,
                            const detail::PageRange& range, std::size_t values,
                            detail::Page& page) const {
  const RowForm& form = m_contents.tables().forms()[formNumber];
  const auto pieces = piecesIn(formNumber, range);
  std::uint64_t rows = 0;
  for (const Piece& piece : pieces)
    rows += piece.rows;
  if (rows != values)
    fail(ErrorKind::corrupt, m_container.where(m_container.records()[m_record.number()]),
         ": has another number of rows than before; the file was changed while it was read");
  const std::size_t size = info.size();
  const auto out = page.roomFor(values * size);
  const std::byte* const payload = m_record.payload()->bytes.data();
  if (form.kind == RowForm::Kind::composite)
    copyMembers(pieces, payload, form.places[member], form.rowBytes, size, out.data());
  else
    copyColumns(pieces, payload, form.places[member], size, out);
  if (m_record.payload()->isSwapped)
    swapValues(out, info.type);
}

} // namespace kaon::hipo
