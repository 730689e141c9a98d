#include <kaon/formats/hipo/HipoCursor.h>

#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/formats/hipo/Compression.h>
#include <kaon/formats/hipo/Words.h>
#include <kaon/reading/EntryPages.h>

#include <algorithm>
#include <cstring>

namespace kaon::hipo {
namespace {

/// Returns the number of events in a page. All tables of a record have the same pages, because
/// their columns come from the same bytes. These bytes should stay in the processor's cache.
std::uint64_t widthIn(const HipoRecordLocator& record) noexcept {
  constexpr double wanted = 640 * 1024; // bytes in the file
  const std::uint64_t bytesOfEvent = record.bytes / record.events + 1;
  return std::max<std::uint64_t>(16, pageWidth(wanted, static_cast<double>(bytesOfEvent), 1));
}

/// Copies a column of each piece, without gaps. Pieces are short, so it copies a fixed number of
/// bytes, which is faster. The next piece overwrites the excess. It may read behind the record's
/// bytes, but never writes behind `out`.
void copyColumns(std::span<const StructureRows> pieces, const std::byte* payload, std::size_t place,
                 std::size_t size, std::span<std::byte> out) noexcept {
  constexpr std::size_t least = 32, usual = bytesBehind;
  constexpr std::size_t ahead = 16; // pieces too far apart for the processor's prefetcher
  std::byte* next = out.data();
  const std::byte* const end = next + out.size();
  const auto copy = [&](const StructureRows& piece) {
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
    const StructureRows& later = pieces[i + ahead];
    __builtin_prefetch(payload + later.begin + place * later.rows);
    copy(pieces[i]);
  }
  for (; i < pieces.size(); ++i)
    copy(pieces[i]);
}

/// Copies a member of the rows of each piece.
void copyMembers(std::span<const StructureRows> pieces, const std::byte* payload, std::size_t place,
                 std::size_t rowBytes, std::size_t size, std::byte* out) noexcept {
  for (const StructureRows& piece : pieces) {
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
    : m_contents(contents), m_container(contents.container()), m_record(contents),
      m_reads(m_container.bytes(), m_container.options().memoryBudget,
              [this](std::uint64_t entry) { return portionAt(entry); }) {}

void HipoCursor::want(std::uint32_t table) {
  const BankOrigin& origin = m_contents.tables().origin(table);
  if (origin.kind == BankOrigin::Kind::rows || origin.kind == BankOrigin::Kind::characters)
    m_record.want(origin.form);
}

void HipoCursor::fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) {
  m_record.clearWanted();
  for (const std::uint32_t column : columns)
    want(m_contents.schema().columns()[column].table);
  m_reads.plan(entries.within({0, m_container.entries()}));
}

/// Returns the records beginning with that of an entry, up to the memory budget.
PlannedReads::Portion HipoCursor::portionAt(std::uint64_t entry) const {
  const auto records = m_container.records();
  PlannedReads::Portion portion;
  for (std::size_t number = m_container.recordOf(entry); number < records.size(); ++number) {
    const HipoRecordLocator& place = records[number];
    const io::ByteRange bytes{place.position, place.bytes};
    if (!m_reads.extend(portion, {place.firstEntry, place.lastEntry()}, {&bytes, 1}))
      break;
  }
  io::joinNeighbours(portion.ranges, 1);
  return portion;
}

const LoadedHipoRecord& HipoCursor::load(const detail::PageRange& range) {
  const auto number = static_cast<std::size_t>(range.cluster);
  const HipoRecordLocator& place = m_container.records()[number];
  const EntryRange entries{place.firstEntry, place.lastEntry()};
  const bool isPlanned = m_reads.isPlanned(entries);
  auto events =
      static_cast<std::size_t>((isPlanned ? entries.last : range.lastEntry) - entries.first);
  if (m_record.has(number, events))
    return m_record;
  m_reads.reach(entries);
  if (m_record.number() == number && m_record.payload()->events < events)
    events = place.events; // the record is being read in sequence
  if (const auto fetched = m_reads.fetched().find(place.position, place.bytes))
    m_record.load(number, events, *fetched);
  else
    m_container.bytes().useInPlace(
        {place.position, place.bytes}, m_room,
        [&](std::span<const std::byte> bytes) { m_record.load(number, events, bytes); });
  if (!m_record.stranger().empty())
    m_contents.warnOf(m_record.stranger());
  return m_record;
}

detail::PageRange HipoCursor::pages(TableNumber /*group*/, std::uint64_t entry) {
  const std::size_t number = m_container.recordOf(entry);
  const HipoRecordLocator& place = m_container.records()[number];
  return pageIn({place.firstEntry, place.lastEntry()}, number, widthIn(place), entry);
}

void HipoCursor::read(ColumnNumber columnNumber, const detail::PageRange& range, std::size_t values,
                      detail::Page& page) {
  const Schema& schema = m_contents.schema();
  const Column column = schema.columns()[columnNumber];
  const BankOrigin& origin = m_contents.tables().origin(column.table);
  want(column.table);
  load(range);
  page.shared.reset();
  page.values = values;
  switch (origin.kind) {
  case BankOrigin::Kind::tag:
    return readWords(tagPlace, range, page);
  case BankOrigin::Kind::mask:
    return readWords(maskPlace, range, page);
  case BankOrigin::Kind::rows:
  case BankOrigin::Kind::characters:
    break;
  }
  if (column.role == ColumnRole::presence)
    return readPresence(origin.form, range, page);
  if (column.role == ColumnRole::member)
    return readMember(origin.form, column.member, schema.table(column.table).members[column.member],
                      range, values, page);
  if (origin.kind == BankOrigin::Kind::characters)
    return readLengths(origin.form, range, page);
  readCounts(origin.form, range, page);
}

std::span<const StructureRows> HipoCursor::piecesIn(std::uint32_t form,
                                                    const detail::PageRange& range) const {
  const std::uint64_t firstEntry = m_container.records()[m_record.number()].firstEntry;
  const auto all = m_record.pieces(form);
  const auto begin =
      std::ranges::lower_bound(all, range.firstEntry - firstEntry, {}, &StructureRows::event);
  const auto end = std::ranges::lower_bound(begin, all.end(), range.lastEntry - firstEntry, {},
                                            &StructureRows::event);
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
  for (const StructureRows& piece : piecesIn(form, range))
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
  auto* const sums = detail::valuesAt<std::uint32_t>(page.storage.data());
  std::uint32_t sum = 0;
  std::size_t event = 0;
  for (const StructureRows& piece : piecesIn(form, range)) {
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
  auto* const sums = detail::valuesAt<std::uint32_t>(page.storage.data());
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
  for (const StructureRows& piece : pieces)
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
