#include <kaon/formats/sio/SioContainer.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/base/Warning.h>
#include <kaon/formats/sio/SioRecord.h>

#include <algorithm>
#include <utility>

namespace kaon::sio {
namespace {

/// Whether podio's end of file follows the last record.
bool isPodioEnd(const io::ByteSource& bytes, std::uint64_t position) {
  std::uint64_t end = 0;
  if (bytes.size() - position != sizeof(end))
    return false;
  Buffer scratch;
  end = detail::loadAs<std::uint64_t>(bytes.view(position, sizeof(end), scratch).data());
  return end >> 32 == podioEndMark;
}

} // namespace

SioContainer::SioContainer(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options,
                           std::span<const std::uint64_t> headers)
    : m_bytes(std::move(bytes)), m_options(options) {
  holdHeaders(headers);
  findRecords();
  setId();
}

/// Fetches each header with bytes behind it. Judging by the last one, these include most of the
/// next record's header.
void SioContainer::holdHeaders(std::span<const std::uint64_t> positions) {
  constexpr std::uint64_t least = 1024, most = 65536,
                          headerBytes = recordHeaderBytes + mostNameBytes;
  const std::uint64_t size = m_bytes->size();
  if (positions.empty() || positions.back() >= size || !m_bytes->isDistant())
    return;
  Buffer scratch;
  const auto last = readRecordHeader(
      m_bytes->view(positions.back(), std::min(headerBytes, size - positions.back()), scratch));
  const std::uint64_t each =
      std::clamp(last ? 2 * last->wholeBytes() + headerBytes : 0, least, most);
  std::vector<io::ByteRange> ranges;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < positions.size() && bytes < m_options.memoryBudget / 4; ++i) {
    const std::uint64_t end = i + 1 < positions.size() ? positions[i + 1] : size;
    ranges.push_back({positions[i], std::min(each, end - positions[i])});
    bytes += ranges.back().count;
  }
  m_held = m_bytes->hold(ranges);
}

void SioContainer::findRecords() {
  Buffer scratch;
  std::uint64_t position = 0;
  const std::uint64_t size = m_bytes->size();
  while (position < size) {
    const std::uint64_t most =
        std::min<std::uint64_t>(size - position, recordHeaderBytes + mostNameBytes);
    const auto header = readRecordHeader(m_bytes->view(position, most, scratch));
    // The padding of the last record may be missing.
    if (!header || header->bytesInFile() > size - position)
      break;
    m_records.push_back({{position, header->bytesInFile()}, header->bytes, numberOf(header->name)});
    position += header->wholeBytes();
  }
  if (m_records.empty())
    fail(ErrorKind::corrupt, name(), ": has no whole record of SIO; it was cut, or is damaged");
  m_isComplete = position >= size || isPodioEnd(*m_bytes, position);
  if (!m_isComplete)
    warn(WarningKind::incompleteFile,
         name() + ": was cut, or not finished, or is damaged: there is no whole record at byte " +
             std::to_string(position) + "; the data before it are read");
}

/// Files have few different names, so a linear search is fast.
std::uint32_t SioContainer::numberOf(std::string_view name) {
  const auto known = std::ranges::find(m_names, name);
  const auto number = static_cast<std::uint32_t>(known - m_names.begin());
  if (known == m_names.end()) {
    if (m_names.size() == mostRecordNames)
      fail(ErrorKind::version, this->name(), ": its records have more than ", mostRecordNames,
           " different names, which kaon does not read");
    m_names.emplace_back(name);
  }
  return number;
}

std::vector<SioRecordLocator> SioContainer::recordsNamed(std::string_view name) const {
  std::vector<SioRecordLocator> records;
  for (const SioRecordLocator& record : m_records)
    if (nameOf(record) == name)
      records.push_back(record);
  return records;
}

std::string SioContainer::where(std::uint64_t position) const {
  return name() + ": record at byte " + std::to_string(position);
}

void SioContainer::setId() {
  constexpr std::uint64_t most = 4096;
  const std::uint64_t size = m_bytes->size();
  const std::uint64_t first = std::min(size, most), last = size - first;
  Buffer scratch, all;
  for (const auto& part :
       m_bytes->views(std::vector<io::ByteRange>{{0, first}, {last, size - last}}, scratch))
    all.append(part);
  m_id = checksum(all.bytes());
}

} // namespace kaon::sio
