#include <kaon/formats/hipo/Headers.h>

#include <kaon/base/Error.h>
#include <kaon/formats/hipo/Words.h>

namespace kaon::hipo {
namespace {

constexpr std::uint32_t olderFileId = 0x43455248; // "HREC"
constexpr std::uint32_t leastVersion = 4, mostVersion = 6;

// The places of words in both headers.
constexpr std::size_t lengthWord = 0, eventsWord = 3, headerWord = 2, indexWord = 4, bitsWord = 5,
                      userWord = 6, magicWord = 7, dataWord = 8, compressionWord = 9;
constexpr std::size_t trailerPlace = 40, recordTagPlace = 40;

class HeaderWords {
public:
  explicit HeaderWords(std::span<const std::byte> bytes)
      : m_bytes(bytes.data()),
        m_isSwapped(detail::loadAs<std::uint32_t>(m_bytes + 4 * magicWord) == byteSwapped(magic)) {}
  [[nodiscard]] bool isSwapped() const noexcept { return m_isSwapped; }
  [[nodiscard]] std::uint32_t operator[](std::size_t word) const noexcept {
    return loadWord<std::uint32_t>(m_bytes + 4 * word, m_isSwapped);
  }
  [[nodiscard]] std::uint64_t longAt(std::size_t place) const noexcept {
    return loadWord<std::uint64_t>(m_bytes + place, m_isSwapped);
  }
  [[nodiscard]] bool isHeader() const noexcept { return (*this)[magicWord] == magic; }
  [[nodiscard]] std::uint32_t version() const noexcept { return (*this)[bitsWord] & 0xFF; }
  [[nodiscard]] bool hasKnownVersion() const noexcept {
    return version() >= leastVersion && version() <= mostVersion;
  }
  /// The number of padding bytes behind the user header.
  [[nodiscard]] std::uint32_t userPadding() const noexcept { return ((*this)[bitsWord] >> 20) & 3; }
  /// The number of padding bytes behind the compressed payload.
  [[nodiscard]] std::uint32_t payloadPadding() const noexcept {
    return ((*this)[bitsWord] >> 24) & 3;
  }

private:
  const std::byte* m_bytes;
  bool m_isSwapped;
};

} // namespace

bool isHipoFile(std::span<const std::byte> firstBytes) noexcept {
  if (firstBytes.size() < 4)
    return false;
  const auto id = detail::loadAs<std::uint32_t>(firstBytes.data());
  for (const std::uint32_t known : {fileId, olderFileId})
    if (id == known || id == byteSwapped(known))
      return true;
  return false;
}

HipoFileHeader readFileHeader(std::span<const std::byte> bytes, const std::string& name) {
  if (bytes.size() < headerBytes)
    fail(ErrorKind::corrupt, name, ": ends in its header; the file is damaged");
  const HeaderWords words(bytes);
  if (!words.isHeader())
    fail(ErrorKind::corrupt, name,
         ": lacks the magic number of HIPO files at byte 28; the file is damaged");
  if (!words.hasKnownVersion())
    fail(ErrorKind::version, name, ": has version ", words.version(), " of HIPO's format; ",
         "kaon reads ", leastVersion, " to ", mostVersion);
  const std::uint64_t begin = std::uint64_t{4} * words[headerWord];
  if (begin < headerBytes)
    fail(ErrorKind::corrupt, name, ": its header is shorter than headers are; the file is damaged");
  HipoFileHeader header;
  header.isSwapped = words.isSwapped();
  header.dictionary = begin + words[indexWord];
  header.dictionaryBytes = words[userWord];
  header.firstRecord = header.dictionary + header.dictionaryBytes + words.userPadding();
  header.trailer = words.longAt(trailerPlace);
  return header;
}

std::optional<HipoRecordHeader> readRecordHeader(std::span<const std::byte> bytes) {
  const HeaderWords words(bytes);
  if (!words.isHeader() || !words.hasKnownVersion())
    return std::nullopt;
  HipoRecordHeader header;
  header.isSwapped = words.isSwapped();
  header.bytes = std::uint64_t{4} * words[lengthWord];
  header.payload = std::uint64_t{4} * words[headerWord];
  header.events = words[eventsWord];
  header.compression = words[compressionWord] >> 28;
  header.tag = words.longAt(recordTagPlace);
  header.eventsBegin = header.lengthsBytes() + words[userWord] + words.userPadding();
  header.decodedBytes = header.eventsBegin + words[dataWord];
  const std::uint64_t padding = words.payloadPadding();
  if (header.payload < headerBytes || header.payload + padding > header.bytes ||
      words[indexWord] != header.lengthsBytes() || !canHoldEvents(header.bytes, header.events))
    return std::nullopt;
  header.storedBytes = header.bytes - header.payload - padding;
  return header;
}

} // namespace kaon::hipo
