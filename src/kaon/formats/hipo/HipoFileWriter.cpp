#include <kaon/formats/hipo/HipoFileWriter.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/base/Utf8.h>
#include <kaon/formats/hipo/Headers.h>
#include <kaon/formats/hipo/HipoContents.h>
#include <kaon/formats/hipo/HipoEventEncoder.h>
#include <kaon/formats/hipo/HipoRecordWriter.h>
#include <kaon/formats/hipo/HipoSource.h>
#include <kaon/model/KnownTables.h>
#include <kaon/model/Model.h>
#include <kaon/model/SplitSchema.h>
#include <kaon/writing/BatchCheck.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

namespace kaon::hipo {
namespace {

constexpr std::size_t roomForMore = std::size_t{16} << 10; // in the dictionary
constexpr std::uint64_t mostDescriptionBytes = std::uint64_t{256} << 20;

/// A bank that is written next to each piece of the configuration. HIPO's C++ library, 4.2, crashes
/// if an event of the dictionary describes no bank. Other readers ignore it.
constexpr std::string_view configurationBank = "{user::config/32555/1}";

/// Events that are assembled structure by structure.
class PlainEvents {
public:
  void begin() {
    m_lengths.push_back(eventHeaderBytes);
    std::byte* const header = m_events.grow(eventHeaderBytes);
    std::memset(header, 0, eventHeaderBytes);
    std::memcpy(header, "EVNT", 4);
  }
  void put(std::uint32_t key, StructureType type, std::span<const std::byte> data) {
    const std::uint32_t words[] = {key | static_cast<std::uint32_t>(type) << 24,
                                   static_cast<std::uint32_t>(data.size())};
    m_events.append(std::as_bytes(std::span(words)));
    m_events.append(data);
    m_lengths.back() += static_cast<std::uint32_t>(structureHeaderBytes + data.size());
  }
  void put(std::uint32_t key, std::string_view text) {
    put(key, StructureType::text, std::as_bytes(std::span(text)));
  }
  [[nodiscard]] EncodedRecord record(Compression how) {
    Buffer payload;
    payload.append(std::as_bytes(std::span(m_lengths)));
    std::size_t begin = payload.size();
    payload.append(m_events.bytes());
    for (const std::uint32_t length : m_lengths) {
      std::memcpy(payload.data() + begin + 4, &length, sizeof(length));
      begin += length;
    }
    return encodeRecord(payload.bytes(), static_cast<std::uint32_t>(m_lengths.size()), 0, how);
  }

private:
  std::vector<std::uint32_t> m_lengths;
  Buffer m_events;
};

/// Encodes the record of the dictionary: the columns of each bank, and the configuration.
Buffer dictionaryOf(const std::map<std::uint32_t, BankDescription>& ofBanks,
                    const std::map<std::string, std::string, std::less<>>& configuration) {
  std::vector<const BankDescription*> banks;
  for (const auto& [key, bank] : ofBanks)
    banks.push_back(&bank);
  std::ranges::sort(banks, {}, &BankDescription::name);
  PlainEvents events;
  for (const BankDescription* const bank : banks) {
    events.begin();
    events.put(jsonKey, jsonText(*bank));
    events.put(shortKey, shortText(*bank));
  }
  for (const auto& [key, value] : configuration) {
    events.begin();
    events.put(configurationKey, key);
    events.put(configurationValue, value);
    events.put(shortKey, configurationBank);
  }
  return std::move(events.record(lz4()).bytes);
}

/// Returns the beginning of a name, for messages.
std::string shortened(const std::string& name) { return name.substr(0, 80); }

std::string textOf(const Json& value) {
  const std::string* const text = value.as<std::string>();
  return text ? *text : value.text();
}

} // namespace

struct HipoFileWriter::Records final : detail::EncodedBatch {
  [[nodiscard]] std::size_t bytes() const noexcept override {
    std::size_t sum = 0;
    for (const EncodedRecord& record : records)
      sum += record.bytes.capacity();
    return sum;
  }
  std::vector<EncodedRecord> records;
};

HipoFileWriter::HipoFileWriter(std::unique_ptr<io::ByteSink> sink, SinkOptions options)
    : m_sink(std::move(sink)), m_options(std::move(options)) {
  m_options.codec = compressionOfRecords(m_options.codec);
  m_sink->rewrite(0, {});
  for (const std::uint32_t key :
       {jsonKey, shortKey, tagNamesKey, configurationKey, configurationValue, indexKey})
    m_numbers.reserve(key);
}

HipoFileWriter::~HipoFileWriter() = default;

Schema HipoFileWriter::schema(std::string_view category) const {
  const std::lock_guard lock(m_mutex);
  return category == eventsCategory ? m_schema : Schema();
}

/// Plans a batch and adds its new tables, if they can be written.
HipoEventPlan HipoFileWriter::planWith(const Batch& batch) {
  const Schema schema = splitSchema(batch.schema());
  checkKnownTables(schema, m_schema, name(), eventsCategory);
  HipoEventPlan plan = planEvents(schema, m_numbers, name());
  if (schema.size() <= m_schema.size())
    return plan;
  checkSizes(plan, batch, name());
  Banks banks = m_banks;
  std::uint64_t bytes = m_descriptionBytes;
  for (const StructurePlan& structure : plan.structures)
    if (structure.type == StructureType::bank &&
        banks.try_emplace(structure.bank.key(), structure.bank).second)
      bytes += checkedBytes(structure.bank);
  checkDictionary(banks, m_configuration, bytes);
  for (std::uint32_t table = m_schema.size(); table < schema.size(); ++table)
    m_schema.add(schema.table(table).definition());
  m_banks = std::move(banks);
  m_descriptionBytes = bytes;
  return plan;
}

/// Returns the size of a bank's texts in the dictionary. Throws if readers would refuse the bank.
std::uint64_t HipoFileWriter::checkedBytes(const BankDescription& bank) const {
  std::uint64_t rowBytes = 0;
  for (const BankColumn& column : bank.columns)
    rowBytes += std::uint64_t{sizeOf(column.type)} * column.extent;
  if (rowBytes > mostStructureBytes)
    fail(ErrorKind::usage, name(), ": a row of '", shortened(bank.name), "' has ", rowBytes,
         " bytes; a bank of HIPO has at most ", mostStructureBytes);
  const std::size_t json = jsonText(bank).size();
  if (json > mostStructureBytes)
    fail(ErrorKind::usage, name(), ": the names and descriptions of '", shortened(bank.name),
         "' and its columns are longer than the 16 MiB of HIPO's structures");
  return json + shortText(bank).size();
}

/// Throws if there are too many or too long banks and pieces of configuration, before they are
/// added. A file with them could not be opened or finished.
void HipoFileWriter::checkDictionary(const Banks& banks, const Configuration& configuration,
                                     std::uint64_t bytes) const {
  const std::size_t descriptions = banks.size() + configuration.size();
  if (descriptions > mostDescriptions)
    fail(ErrorKind::usage, name(), ": has ", descriptions, " banks and keys of metadata; kaon ",
         "reads ", mostDescriptions, " of a HIPO file at most: write to a .kaon file");
  if (bytes > mostDescriptionBytes)
    fail(ErrorKind::usage, name(), ": its metadata and descriptions of banks have ", bytes,
         " bytes; in a HIPO file they have at most ", mostDescriptionBytes,
         ": write to a .kaon file");
  if (m_dictionaryRoom > 0 && dictionaryOf(banks, configuration).size() > m_dictionaryRoom)
    fail(ErrorKind::usage, name(),
         ": tables or metadata that were added after the first events do not fit into the ",
         m_dictionaryRoom, " bytes before them; add them first");
}

std::unique_ptr<detail::EncodedBatch> HipoFileWriter::encode(std::string_view category,
                                                             const Batch& batch) {
  if (const std::string obstacle = obstacleTo(category); !obstacle.empty())
    fail(ErrorKind::usage, name(), ": there cannot be a category '", category, "': ", obstacle);
  if (batch.entries() > std::numeric_limits<std::uint32_t>::max())
    fail(ErrorKind::usage, name(), ": a batch must have at most 4294967295 entries");
  checkWhole(batch);
  const bool isStored = batch.schema() == StoredEvents::tables();
  HipoEventPlan plan;
  {
    const std::lock_guard lock(m_mutex);
    m_whole.checkOpen();
    if (!isStored)
      plan = planWith(batch);
  }
  auto records = std::make_unique<Records>();
  records->records = isStored ? encodeStoredEvents(batch, m_options.codec)
                              : encodeEvents(plan, batch, m_options.codec, name());
  return records;
}

bool HipoFileWriter::takesStoredEntries(const Source& source) const {
  const auto* const events = dynamic_cast<const HipoSource*>(&source);
  const Schema& schema = source.schema();
  if (!events || !events->unreadable().empty())
    return false;
  const std::lock_guard lock(m_mutex);
  for (const Table& table : schema.tables())
    if (const TableNumber own = m_schema.find(table.name);
        own == Table::none || m_schema.table(own) != table)
      return false;
  BankNumbers numbers = m_numbers;
  const HipoEventPlan plan = planEvents(schema, numbers, name());
  return std::ranges::all_of(plan.structures, [&](const StructurePlan& structure) {
    const BankTables& tables = events->contents().tables();
    const RowForm& form = tables.forms()[tables.origin(structure.table).form];
    return form.key == structure.bank.key() &&
           (form.kind == RowForm::Kind::bank) == (structure.type == StructureType::bank);
  });
}

void HipoFileWriter::writeBytes(std::span<const std::byte> bytes) {
  m_sink->write(bytes);
  m_position += bytes.size();
}

/// Writes a preliminary header and the present dictionary.
void HipoFileWriter::begin() {
  if (m_dictionaryRoom > 0)
    return;
  Buffer bytes = dictionaryOf(m_banks, m_configuration);
  const std::size_t room = bytes.size() + roomForMore;
  if (room > std::numeric_limits<std::uint32_t>::max())
    fail(ErrorKind::usage, name(), ": its dictionary is larger than 4 GiB");
  m_dictionaryRoom = static_cast<std::uint32_t>(room);
  std::array<std::byte, headerBytes> header;
  putFileHeader({.dictionaryBytes = m_dictionaryRoom, .trailer = 0}, header);
  std::memset(bytes.grow(roomForMore), 0, roomForMore);
  writeBytes(header);
  writeBytes(bytes.bytes());
}

/// Appends a batch. Its banks are in the dictionary only if this file had the same tables before.
void HipoFileWriter::appendCopy(std::string_view /*category*/, detail::EncodedBatch& encoded) {
  auto* const batch = dynamic_cast<Records*>(&encoded);
  if (!batch)
    fail(ErrorKind::usage, name(), ": cannot append a batch that another file encoded");
  constexpr std::size_t mostRecords = mostStructureBytes / indexRowBytes;
  const std::lock_guard lock(m_mutex);
  m_whole.attempt([&] {
    begin();
    for (EncodedRecord& record : batch->records) {
      if (m_index.size() >= mostRecords)
        fail(ErrorKind::usage, name(), ": a HIPO file has at most ", mostRecords,
             " records; write several files");
      setRecordNumber(record, static_cast<std::uint32_t>(m_index.size() + 1));
      m_index.push_back(
          {m_position, static_cast<std::uint32_t>(record.bytes.size()), record.events, record.tag});
      writeBytes(record.bytes.bytes());
    }
  });
}

void HipoFileWriter::addDocument(std::string_view documentName, std::string_view text) {
  const std::lock_guard lock(m_mutex);
  m_whole.checkOpen();
  if (documentName.starts_with(modelDocument))
    return;
  std::vector<std::pair<std::string, std::string>> pairs;
  if (documentName == detail::metadataDocument) {
    const Metadata metadata = Metadata::fromJson(text, name() + ": metadata");
    m_numbers.take(metadata);
    for (const std::string& key : metadata.keys())
      pairs.emplace_back(key, textOf(*metadata.find(key)));
  } else {
    pairs.emplace_back(documentName, text);
  }
  for (const auto& [key, value] : pairs)
    if (key.size() > mostStructureBytes || value.size() > mostStructureBytes)
      fail(ErrorKind::usage, name(), ": the metadata '", shortened(key),
           "' are longer than the 16 MiB of HIPO's structures");
  Configuration configuration = m_configuration;
  std::uint64_t bytes = m_descriptionBytes;
  for (auto& [key, value] : pairs) {
    bytes += key.size() + value.size();
    if (const auto known = configuration.find(key); known != configuration.end())
      bytes -= key.size() + known->second.size();
    configuration.insert_or_assign(std::move(key), std::move(value));
  }
  checkDictionary(m_banks, configuration, bytes);
  m_descriptionBytes = bytes;
  m_configuration = std::move(configuration);
}

/// Encodes the index of records without compression. HIPO's Java library cannot read an
/// uncompressed record behind a compressed one.
Buffer HipoFileWriter::index() const {
  ByteWriter rows;
  for (const IndexRow& row : m_index)
    rows.put(row.position);
  for (const IndexRow& row : m_index)
    rows.put(row.bytes);
  for (const IndexRow& row : m_index)
    rows.put(row.events);
  for (const IndexRow& row : m_index)
    rows.put(row.tag);
  for (std::size_t row = 0; row < m_index.size(); ++row)
    rows.put(std::uint64_t{0});
  PlainEvents events;
  events.begin();
  events.put(indexKey, StructureType::bank, rows.bytes());
  // HIPO's Java library finds a structure without data only if another one follows.
  if (m_index.empty())
    events.put(behindIndexKey, StructureType::int8, {});
  return std::move(events.record(uncompressed()).bytes);
}

void HipoFileWriter::finish() {
  const std::lock_guard lock(m_mutex);
  m_whole.finish([&] {
    begin();
    const std::uint64_t trailer = m_position;
    writeBytes(index().bytes());
    m_sink->rewrite(headerBytes, dictionaryOf(m_banks, m_configuration).bytes());
    std::array<std::byte, headerBytes> header;
    putFileHeader({.dictionaryBytes = m_dictionaryRoom, .trailer = trailer}, header);
    m_sink->rewrite(0, header);
    m_sink->finish();
  });
}

void HipoFileWriter::abandon() noexcept {
  const std::lock_guard lock(m_mutex);
  m_whole.abandon();
}

} // namespace kaon::hipo
