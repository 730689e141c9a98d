#include <kaon/formats/hipo/HipoContainer.h>

#include <kaon/base/Damage.h>
#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/base/Warning.h>
#include <kaon/base/Wording.h>
#include <kaon/formats/hipo/PayloadReader.h>
#include <kaon/formats/hipo/Structures.h>
#include <kaon/formats/hipo/Words.h>

#include <algorithm>
#include <utility>

namespace kaon::hipo {
namespace {

HipoFileHeader headerOf(const io::ByteSource& bytes) {
  Buffer scratch;
  return readFileHeader(bytes.view(0, std::min<std::uint64_t>(bytes.size(), headerBytes), scratch),
                        bytes.name());
}

/// Returns the header of a record that is completely in the file, or nothing.
std::optional<HipoRecordHeader> headerAt(const io::ByteSource& bytes, std::uint64_t position,
                                         Buffer& scratch) {
  if (position > bytes.size() || bytes.size() - position < headerBytes)
    return std::nullopt;
  const auto header = readRecordHeader(bytes.view(position, headerBytes, scratch));
  return header && header->bytes <= bytes.size() - position ? header : std::nullopt;
}

/// Reads the record of the dictionary or index.
void readRecord(const io::ByteSource& bytes, std::uint64_t position, const HipoRecordHeader& header,
                const std::string& what, Payload& payload) {
  Buffer scratch;
  readPayload(
      header, bytes.view(position, header.bytes, scratch), header.events,
      [](std::uint32_t) { return true; },
      bytes.name() + ": " + what + " at byte " + std::to_string(position), payload);
}

/// Returns the rows of the index in a record, or nothing if it is not the index.
std::span<const std::byte> indexRows(const Payload& payload) {
  std::span<const std::byte> rows;
  for (std::size_t event = 0; event < payload.events; ++event)
    if (!forStructures(payload.event(event), payload.isSwapped, [&](const Structure& structure) {
          if (structure.key == indexKey && rows.empty())
            rows = {structure.data, structure.bytes};
        }))
      return {};
  return rows;
}

} // namespace

HipoContainer::HipoContainer(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options)
    : m_bytes(std::move(bytes)), m_options(options), m_header(headerOf(*m_bytes)) {
  readDictionary();
  m_isComplete = readIndex();
  if (!m_isComplete) {
    findRecords();
    warn(WarningKind::incompleteFile, name() + ": was cut, or not finished: it has no index; its " +
                                          counted(m_records.size(), "whole record") + " with " +
                                          counted(entries(), "event") + " can be read");
  }
  setId();
  if (!m_options.tags.empty())
    leaveOutOtherTags();
}

/// Keeps only records with the requested tags. Tags have 32 bits; HIPO's Java library fills the
/// other bits with the sign.
void HipoContainer::leaveOutOtherTags() {
  const auto tagOf = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
  std::erase_if(m_records, [&](const HipoRecordLocator& place) {
    return std::ranges::find(m_options.tags, tagOf(place.tag), tagOf) == m_options.tags.end();
  });
  std::uint64_t entries = 0;
  for (HipoRecordLocator& place : m_records)
    entries = (place.firstEntry = entries) + place.events;
}

void HipoContainer::readDictionary() {
  if (m_header.dictionaryBytes == 0)
    return;
  Buffer scratch;
  const auto header = headerAt(*m_bytes, m_header.dictionary, scratch);
  if (!header)
    fail(ErrorKind::corrupt, name(), ": has no dictionary at byte ", m_header.dictionary,
         ", where it should be; the file is damaged");
  Payload payload;
  readRecord(*m_bytes, m_header.dictionary, *header, "dictionary", payload);
  if (payload.events > mostDescriptions)
    fail(ErrorKind::corrupt, name(), ": its dictionary claims to describe ", payload.events,
         " banks; kaon reads ", mostDescriptions, " at most");
  for (std::size_t event = 0; event < payload.events; ++event)
    readDictionaryEvent(payload.event(event), payload.isSwapped, m_dictionary);
}

/// Reads the index. Returns false if it is missing or damaged.
bool HipoContainer::readIndex() {
  Buffer scratch;
  const auto header = m_header.trailer >= headerBytes
                          ? headerAt(*m_bytes, m_header.trailer, scratch)
                          : std::nullopt;
  if (!header)
    return false;
  Payload payload;
  const bool isWhole =
      unlessDamaged([&] { readRecord(*m_bytes, m_header.trailer, *header, "index", payload); });
  return isWhole && takeIndex(indexRows(payload), payload.isSwapped);
}

/// Takes the records from the index. Returns false if their places are impossible.
bool HipoContainer::takeIndex(std::span<const std::byte> bytes, bool isSwapped) {
  const std::size_t rows = bytes.size() / indexRowBytes;
  if (bytes.size() != rows * indexRowBytes)
    return false;
  const std::byte* const positions = bytes.data();
  const std::byte* const lengths = positions + 8 * rows;
  const std::byte* const counts = lengths + 4 * rows;
  const std::byte* const tags = counts + 4 * rows;
  std::uint64_t end = headerBytes, entries = 0;
  std::vector<HipoRecordLocator> records;
  records.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const HipoRecordLocator place{loadWord<std::uint64_t>(positions + 8 * row, isSwapped),
                                  loadWord<std::uint32_t>(lengths + 4 * row, isSwapped), entries,
                                  loadWord<std::uint32_t>(counts + 4 * row, isSwapped),
                                  loadWord<std::uint64_t>(tags + 8 * row, isSwapped)};
    if (place.position < end || place.position > m_header.trailer ||
        place.bytes > m_header.trailer - place.position || place.bytes < headerBytes ||
        !canHoldEvents(place.bytes, place.events))
      return false;
    end = place.position + place.bytes;
    entries += place.events;
    if (place.events > 0)
      records.push_back(place);
  }
  m_records = std::move(records);
  return true;
}

/// Walks from record to record while they are complete.
void HipoContainer::findRecords() {
  Buffer scratch;
  std::uint64_t position = m_header.firstRecord;
  HipoRecordHeader last;
  while (const auto header = headerAt(*m_bytes, position, scratch)) {
    if (header->events > 0)
      m_records.push_back({position, header->bytes, entries(), header->events, header->tag});
    last = *header;
    position += header->bytes;
  }
  if (m_records.empty() && position < m_bytes->size())
    fail(ErrorKind::corrupt, name(), ": was cut, or not finished: it has no whole record");
  if (m_records.empty() || m_records.back().position + m_records.back().bytes != position)
    return;
  Payload payload; // the last record may be the index, which its header does not show
  try {
    readRecord(*m_bytes, m_records.back().position, last, "record", payload);
    if (!indexRows(payload).empty())
      m_records.pop_back();
  } catch (const Error&) { // reported when its events are read
  }
}

std::vector<EntryRange> HipoContainer::clusters() const {
  std::vector<EntryRange> ranges;
  for (const HipoRecordLocator& place : m_records)
    ranges.push_back({place.firstEntry, place.lastEntry()});
  return ranges;
}

std::size_t HipoContainer::recordOf(std::uint64_t entry) const noexcept {
  const auto after = std::ranges::upper_bound(m_records, entry, {}, &HipoRecordLocator::firstEntry);
  return static_cast<std::size_t>(after - m_records.begin()) - 1;
}

std::string HipoContainer::where(const HipoRecordLocator& record) const {
  return name() + ": record at byte " + std::to_string(record.position);
}

std::uint64_t HipoContainer::indexBytes() const noexcept {
  if (!m_isComplete)
    return 0;
  const std::uint64_t end =
      m_records.empty() ? m_header.firstRecord : m_records.back().position + m_records.back().bytes;
  return m_bytes->size() > end ? m_bytes->size() - end : 0;
}

void HipoContainer::setId() {
  constexpr std::uint64_t most = 4096;
  const std::uint64_t size = m_bytes->size();
  const std::uint64_t first = std::min(m_header.firstRecord, size);
  const std::uint64_t last = size - std::min(size, most);
  Buffer scratch, all;
  for (const auto& part : m_bytes->views(
           std::vector<io::ByteRange>{
               {0, headerBytes}, {first, std::min(size - first, most)}, {last, size - last}},
           scratch))
    all.append(part);
  m_id = checksum(all.bytes());
}

} // namespace kaon::hipo
