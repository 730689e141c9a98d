#include <kaon/formats/hipo/StreamRecord.h>

#include <kaon/base/Error.h>
#include <kaon/formats/hipo/Structures.h>
#include <kaon/formats/hipo/Words.h>

#include <cstring>
#include <limits>
#include <vector>

// The payload of these records:
//
//   u8 version, 3 bytes, u32 banks B, u32 events E, u32 bytes of the directory, u32 decompressed
//   the directory, always LZ4, then the streams
//
// and its directory:
//
//   B x {u16 group, u8 item, u8 type}
//   columns: B x u16 columns, 0: one stream of all; banks: B x u32 bytes, B x u32 decompressed
//   E x u32 tag, E x (B+7)/8 bytes of bits: which banks are present, B x E x u32 bytes
//   columns: for each stream u32 bytes, u32 decompressed
//   B x u8 bytes of the format of composites; missing in older files

namespace kaon::hipo {
namespace {

constexpr std::size_t prefixBytes = 20;
constexpr std::uint8_t versionOfBanks = 2, versionOfColumns = 1;

struct StoredStream {
  std::uint32_t storedBytes = 0;
  std::uint32_t bytes = 0;
};

struct StoredBank {
  std::uint32_t key = 0;
  std::byte type{};
  std::uint8_t formatBytes = 0;
  std::size_t firstStream = 0, streams = 0;
  const std::byte* sizes = nullptr; ///< of its structure in each event
  bool isWanted = false;
  std::size_t begin = 0; ///< of its streams among the decompressed ones
};

class StreamJoiner {
public:
  StreamJoiner(const HipoRecordHeader& header, RecordEncoding type,
               std::span<const std::byte> stored, const std::string& where)
      : m_type(type), m_where(where) {
    if (header.isSwapped)
      fail(ErrorKind::version, where, ": has a stream for each bank or column, and numbers in ",
           "another byte order, which no known program writes; write the file anew with LZ4");
    if (stored.size() < prefixBytes)
      failShort();
    const std::uint8_t version = type.form == RecordForm::banks ? versionOfBanks : versionOfColumns;
    if (static_cast<std::uint8_t>(stored[0]) != version)
      fail(ErrorKind::version, where, ": its streams are of version ", int(stored[0]),
           ", which kaon does not know; write the file anew with LZ4 or gzip");
    m_events = detail::loadAs<std::uint32_t>(&stored[8]);
    const auto directoryStored = detail::loadAs<std::uint32_t>(&stored[12]);
    const auto directoryBytes = detail::loadAs<std::uint32_t>(&stored[16]);
    if (m_events != header.events || directoryStored > stored.size() - prefixBytes)
      failDirectory();
    decompress(RecordCodec::lz4, stored.subspan(prefixBytes, directoryStored), directoryBytes,
               m_directory, where + ", directory");
    m_rest = m_directory.bytes().first(directoryBytes);
    readDirectory(detail::loadAs<std::uint32_t>(&stored[4]));
    m_stored = stored.subspan(prefixBytes + directoryStored);
  }

  void join(const IsWanted& isWanted, Payload& payload) {
    decompressWanted(isWanted);
    setBegins(payload);
    writeEvents(payload);
    for (std::size_t bank = 0; bank < m_banks.size(); ++bank)
      if (m_banks[bank].isWanted)
        writeBank(bank, payload);
  }

private:
  [[noreturn]] void failShort() const {
    fail(ErrorKind::corrupt, m_where, ": ends too early; the file is damaged");
  }
  [[noreturn]] void failDirectory() const {
    fail(ErrorKind::corrupt, m_where, ": its directory contradicts itself; the file is damaged");
  }

  std::span<const std::byte> take(std::uint64_t count) {
    if (count > m_rest.size())
      failDirectory();
    const auto taken = m_rest.first(static_cast<std::size_t>(count));
    m_rest = m_rest.subspan(taken.size());
    return taken;
  }

  void readDirectory(std::uint32_t banks) {
    const std::uint64_t count = banks;
    const auto keys = take(4 * count);
    m_banks.resize(banks);
    for (std::uint32_t bank = 0; bank < banks; ++bank) {
      const std::byte* const key = &keys[std::size_t{4} * bank];
      m_banks[bank].key =
          structureKey(detail::loadAs<std::uint16_t>(key), static_cast<std::uint8_t>(key[2]));
      m_banks[bank].type = key[3];
    }
    if (m_type.form == RecordForm::banks)
      readStreamsOfBanks(count);
    else
      countColumns(count);
    m_tags = take(std::uint64_t{4} * m_events);
    m_presentBytes = (banks + 7) / 8;
    m_present = take(std::uint64_t{m_events} * m_presentBytes);
    for (StoredBank& bank : m_banks)
      bank.sizes = take(std::uint64_t{4} * m_events).data();
    if (m_type.form == RecordForm::columns)
      readStreamsOfColumns();
    if (m_rest.size() == banks)
      for (std::uint32_t bank = 0; bank < banks; ++bank)
        m_banks[bank].formatBytes = static_cast<std::uint8_t>(m_rest[bank]);
  }

  void readStreamsOfBanks(std::uint64_t banks) {
    const auto stored = take(4 * banks), bytes = take(4 * banks);
    for (std::size_t bank = 0; bank < m_banks.size(); ++bank) {
      m_banks[bank].firstStream = bank;
      m_banks[bank].streams = 1;
      m_streams.push_back({detail::loadAs<std::uint32_t>(&stored[4 * bank]),
                           detail::loadAs<std::uint32_t>(&bytes[4 * bank])});
    }
  }

  void countColumns(std::uint64_t banks) {
    const auto counts = take(2 * banks);
    std::size_t streams = 0;
    for (std::size_t bank = 0; bank < m_banks.size(); ++bank) {
      const auto columns = detail::loadAs<std::uint16_t>(&counts[2 * bank]);
      m_banks[bank].firstStream = streams;
      m_banks[bank].streams = columns > 0 ? columns : 1;
      streams += m_banks[bank].streams;
    }
  }

  void readStreamsOfColumns() {
    const std::size_t streams =
        m_banks.empty() ? 0 : m_banks.back().firstStream + m_banks.back().streams;
    const auto sizes = take(std::uint64_t{8} * streams);
    for (std::size_t stream = 0; stream < streams; ++stream)
      m_streams.push_back({detail::loadAs<std::uint32_t>(&sizes[8 * stream]),
                           detail::loadAs<std::uint32_t>(&sizes[8 * stream + 4])});
  }

  [[nodiscard]] bool isPresent(std::size_t event, std::size_t bank) const noexcept {
    const auto bits = static_cast<unsigned>(m_present[event * m_presentBytes + bank / 8]);
    return ((bits >> (bank % 8)) & 1) != 0;
  }
  [[nodiscard]] std::uint32_t sizeIn(std::size_t event, std::size_t bank) const noexcept {
    return detail::loadAs<std::uint32_t>(m_banks[bank].sizes + 4 * event);
  }

  /// Decompresses the streams of requested banks one after another. This verifies their sizes, so
  /// that memory of this size can be allocated.
  void decompressWanted(const IsWanted& isWanted) {
    std::uint64_t position = 0;
    for (std::size_t number = 0; number < m_banks.size(); ++number) {
      StoredBank& bank = m_banks[number];
      bank.isWanted = isWanted(bank.key);
      bank.begin = m_values.size();
      for (std::size_t i = bank.firstStream; i < bank.firstStream + bank.streams; ++i) {
        const StoredStream& stream = m_streams[i];
        if (position + stream.storedBytes > m_stored.size())
          failShort();
        if (bank.isWanted) {
          decompress(m_type.codec,
                     m_stored.subspan(static_cast<std::size_t>(position), stream.storedBytes),
                     stream.bytes, m_scratch, m_where);
          m_values.append(m_scratch.bytes().first(stream.bytes));
        }
        position += stream.storedBytes;
      }
      if (bank.isWanted)
        checkSizes(number, m_values.size() - bank.begin);
    }
  }

  void checkSizes(std::size_t bank, std::uint64_t bytes) const {
    std::uint64_t sum = 0;
    for (std::size_t event = 0; event < m_events; ++event) {
      const std::uint32_t size = sizeIn(event, bank);
      sum += size;
      if (size > mostStructureBytes || (size > 0 && !isPresent(event, bank)))
        failDirectory();
    }
    if (sum != bytes)
      failDirectory();
  }

  void setBegins(Payload& payload) const {
    payload.begins.resize(std::size_t{m_events} + 1);
    std::uint64_t begin = 0;
    for (std::size_t event = 0; event < m_events; ++event) {
      payload.begins[event] = static_cast<std::uint32_t>(begin);
      begin += eventHeaderBytes;
      for (std::size_t bank = 0; bank < m_banks.size(); ++bank)
        if (m_banks[bank].isWanted && isPresent(event, bank))
          begin += structureHeaderBytes + sizeIn(event, bank);
      if (begin > std::numeric_limits<std::int32_t>::max())
        failDirectory();
    }
    payload.begins[m_events] = static_cast<std::uint32_t>(begin);
  }

  /// Writes the headers of events. m_next is the place of their next structure.
  void writeEvents(Payload& payload) {
    const std::size_t size = payload.begins.back();
    const auto out = payload.bytes.assign(size + bytesBehind);
    std::memset(out.data() + size, 0, bytesBehind);
    m_next.resize(m_events);
    for (std::size_t event = 0; event < m_events; ++event) {
      std::byte* const begin = &out[payload.begins[event]];
      const std::uint32_t bytes = payload.begins[event + 1] - payload.begins[event];
      std::memcpy(begin, "EVNT", 4);
      std::memcpy(begin + 4, &bytes, 4);
      std::memcpy(begin + 8, &m_tags[4 * event], 4);
      std::memset(begin + 12, 0, 4);
      m_next[event] = payload.begins[event] + static_cast<std::uint32_t>(eventHeaderBytes);
    }
  }

  void writeBank(std::size_t number, Payload& payload) {
    const StoredBank& bank = m_banks[number];
    std::byte* const out = payload.bytes.data();
    for (std::size_t event = 0; event < m_events; ++event) {
      if (!isPresent(event, number))
        continue;
      const std::uint32_t size = sizeIn(event, number);
      const std::uint32_t lengths = size | std::uint32_t{bank.formatBytes} << 24;
      std::byte* const begin = out + m_next[event];
      const auto key = bank.key | std::uint32_t(bank.type) << 24;
      std::memcpy(begin, &key, 4);
      std::memcpy(begin + 4, &lengths, 4);
      m_next[event] += static_cast<std::uint32_t>(structureHeaderBytes) + size;
    }
    fillBank(number, out);
  }

  /// Writes the values of each column into every event. A column has the same share of each event's
  /// bytes as of all bytes.
  void fillBank(std::size_t number, std::byte* out) {
    const StoredBank& bank = m_banks[number];
    const std::byte* next = m_values.data() + bank.begin;
    std::uint64_t total = 0, before = 0;
    for (std::size_t i = 0; i < bank.streams; ++i)
      total += m_streams[bank.firstStream + i].bytes;
    for (std::size_t i = 0; i < bank.streams && total > 0; ++i) {
      const std::uint64_t share = m_streams[bank.firstStream + i].bytes;
      std::uint64_t sum = 0;
      for (std::size_t event = 0; event < m_events; ++event) {
        const std::uint64_t size = sizeIn(event, number);
        if (size == 0)
          continue;
        const std::uint64_t bytes = size * share / total, place = size * before / total;
        if (bytes * total != size * share || place * total != size * before)
          failDirectory();
        std::memcpy(out + m_next[event] - size + place, next + sum,
                    static_cast<std::size_t>(bytes));
        sum += bytes;
      }
      next += share;
      before += share;
    }
  }

  RecordEncoding m_type;
  const std::string& m_where;
  std::span<const std::byte> m_stored; // streams
  std::span<const std::byte> m_rest;   // of the directory
  std::span<const std::byte> m_tags, m_present;
  std::size_t m_presentBytes = 0;
  std::uint32_t m_events = 0;
  std::vector<StoredBank> m_banks;
  std::vector<StoredStream> m_streams;
  std::vector<std::uint32_t> m_next;
  Buffer m_directory, m_scratch, m_values;
};

} // namespace

void joinStreams(const HipoRecordHeader& header, RecordEncoding type,
                 std::span<const std::byte> stored, const IsWanted& isWanted,
                 const std::string& where, Payload& payload) {
  StreamJoiner(header, type, stored, where).join(isWanted, payload);
}

} // namespace kaon::hipo
