#include <kaon/formats/root/tree/Basket.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/container/Blocks.h>

#include <algorithm>
#include <limits>

namespace kaon::root {

namespace {

constexpr std::uint8_t sizesForOffsets = 1; // a bit of fIOBits

/// Reads the key of a basket that was not written as a record. Only the size of the key is valid.
RecordKey readUnwrittenKey(BigEndianReader& reader) {
  constexpr std::int16_t firstWideVersion = 1001;
  RecordKey key;
  reader.skip(4);
  const bool isWide = reader.get<std::int16_t>() >= firstWideVersion;
  reader.skip(8);
  key.keyBytes = reader.get<std::uint16_t>();
  reader.skip(2 + (isWide ? 16 : 8));
  for (int text = 0; text < 3; ++text)
    (void)reader.getString();
  return key;
}

} // namespace

void Basket::failBasket(const std::string& what) const {
  fail(ErrorKind::corrupt, m_where, ": ", what, "; the file is damaged");
}

BasketHeader readBasketHeader(BigEndianReader& reader, bool isEmbedded, const std::string& where) {
  BasketHeader header;
  header.key = isEmbedded ? readUnwrittenKey(reader) : readKey(reader);
  reader.skip(6); // version, size of the buffer
  header.entryBytes = reader.get<std::int32_t>();
  if (header.entryBytes < 0) {
    const auto bits = reader.get<std::uint8_t>();
    if ((bits & ~sizesForOffsets) != 0)
      fail(ErrorKind::version, where, ": the basket has features that kaon does not know");
    header.entryBytes = -std::max(header.entryBytes, -std::numeric_limits<std::int32_t>::max());
    header.hasSizes = bits != 0;
  }
  const auto entries = reader.get<std::int32_t>();
  const auto last = reader.get<std::int32_t>();
  header.flag = reader.get<std::uint8_t>();
  if (entries < 0 || last < static_cast<std::int32_t>(header.key.keyBytes) ||
      (!isEmbedded && reader.position() != header.key.keyBytes))
    fail(ErrorKind::corrupt, where, ": the basket contradicts itself; the file is damaged");
  header.entries = static_cast<std::uint32_t>(entries);
  header.dataBytes = static_cast<std::size_t>(last) - header.key.keyBytes;
  return header;
}

void Basket::open(std::span<const std::byte> record, bool isEmbedded, std::uint64_t firstEntry,
                  const std::string& where) {
  m_where = where;
  m_entries = 0;
  m_firstEntry = firstEntry;
  m_ends.clear();
  m_offsets = {};
  m_isDecompressed = false;
  BigEndianReader reader(record, where);
  const BasketHeader header = readBasketHeader(reader, isEmbedded, where);
  m_keyBytes = header.key.keyBytes;
  m_entryBytes = static_cast<std::size_t>(header.entryBytes);
  if (isEmbedded)
    openEmbedded(record.subspan(reader.position()), header);
  else
    openRecord(record, header);
  m_entries = header.entries;
  if (m_bounds != Bounds::fixed || m_entries == 0)
    return;
  if (m_entryBytes == 0 && m_data.empty())
    fail(ErrorKind::version, m_where, ": ROOT has written it without values");
  if (m_entryBytes == 0 || m_entryBytes > m_data.size() / m_entries)
    failBasket("the basket has fewer bytes than its entries");
}

/// Opens a basket with its own record.
void Basket::openRecord(std::span<const std::byte> record, const BasketHeader& header) {
  const RecordKey& key = header.key;
  if (record.size() < key.recordBytes)
    failBasket("the basket is larger than the tree says");
  const auto stored = record.subspan(m_keyBytes, key.storedBytes());
  std::span<const std::byte> payload =
      stored.first(std::min<std::size_t>(stored.size(), key.objectBytes));
  if (key.isCompressed()) {
    if (!canBecome(stored.size(), key.objectBytes))
      failBasket("the basket claims to hold more than it can");
    decompressBlocks(stored, m_storage.assign(key.objectBytes), m_where);
    payload = m_storage.bytes();
    m_isDecompressed = true;
  }
  if (header.dataBytes > payload.size())
    failBasket("the basket has fewer bytes than it says");
  m_data = payload.first(header.dataBytes);
  takeOffsets(payload.subspan(header.dataBytes), header);
}

/// Opens a basket in the record of its tree. These are never compressed.
void Basket::openEmbedded(std::span<const std::byte> rest, const BasketHeader& header) {
  BigEndianReader reader(rest, m_where);
  const bool lacksOffsets = header.lacksOffsets();
  const unsigned flag = lacksOffsets ? header.flag - BasketHeader::withoutOffsets : header.flag;
  m_bounds = Bounds::fixed;
  if (flag != 0 && flag % 10 != 2 && header.entries > 0 && !lacksOffsets) {
    const auto count = reader.get<std::uint32_t>();
    if (count < header.entries)
      failBasket("the basket lacks offsets of entries");
    m_offsets = reader.take(std::size_t{count} * offsetBytes).first(header.entries * offsetBytes);
    m_bounds = Bounds::stored;
    if (flag > 20 && flag < 40)
      fail(ErrorKind::version, m_where, ": the basket has offsets of an old kind");
    if (flag > 40)
      reader.skip(std::size_t{reader.get<std::uint32_t>()} * offsetBytes);
  } else if (lacksOffsets && flag % 10 != 2) {
    m_bounds = Bounds::missing;
  }
  if (flag != 1 && flag <= 10)
    failBasket("the basket has no data");
  reader.skip(m_keyBytes);
  m_data = reader.take(header.dataBytes);
  if (header.hasSizes && m_bounds == Bounds::stored)
    sumStoredSizes(header.entries);
}

/// Reads the start of each entry, stored behind the entries.
void Basket::takeOffsets(std::span<const std::byte> rest, const BasketHeader& header) {
  m_bounds = header.flag == BasketHeader::withoutOffsets ? Bounds::missing : Bounds::fixed;
  if (rest.empty())
    return;
  BigEndianReader reader(rest, m_where);
  const auto count = reader.get<std::uint32_t>();
  if (count < header.entries || count > reader.remaining() / offsetBytes)
    failBasket("the basket lacks offsets of entries");
  m_offsets = reader.take(std::size_t{header.entries} * offsetBytes);
  m_bounds = Bounds::stored;
  if (header.hasSizes)
    sumStoredSizes(header.entries);
}

/// Sums up sizes. For each entry, the size of the entry before is stored.
void Basket::sumStoredSizes(std::size_t count) {
  std::uint64_t sum = 0;
  m_ends.resize(count);
  for (std::size_t entry = 0; entry < count; ++entry) {
    const bool isLast = entry + 1 == count;
    const std::uint64_t end =
        isLast ? m_data.size()
               : sum + loadBigEndian<std::uint32_t>(&m_offsets[(entry + 1) * offsetBytes]);
    if (end < sum || end > m_data.size())
      failBasket("the basket has sizes of entries that do not fit");
    sum = end;
    m_ends[entry] = static_cast<std::uint32_t>(end);
  }
  m_bounds = Bounds::summed;
}

void Basket::setSizes(std::span<const std::uint32_t> sizes) {
  std::uint64_t sum = 0;
  m_ends.clear();
  for (const std::uint32_t size : sizes) {
    sum += size;
    if (sum > m_data.size())
      failBasket("the basket has fewer bytes than its counter says");
    m_ends.push_back(static_cast<std::uint32_t>(sum));
  }
  if (sum != m_data.size() || sizes.size() != m_entries)
    failBasket("the basket has more bytes than its counter says");
  m_bounds = Bounds::summed;
}

void Basket::failOffsets() const { failBasket("offsets of entries lie outside of the basket"); }

std::span<const std::byte> Basket::bytes(std::uint64_t first, std::uint64_t last) const {
  const std::size_t from = begin(static_cast<std::size_t>(first - m_firstEntry));
  const std::size_t to = begin(static_cast<std::size_t>(last - m_firstEntry));
  if (from > to || to > m_data.size())
    failOffsets();
  return m_data.subspan(from, to - from);
}

void Basket::putSerialized(Buffer& out) const {
  out.append(m_data);
  if (m_bounds == Bounds::fixed || m_bounds == Bounds::missing)
    return;
  BigEndianWriter offsets;
  offsets.put(static_cast<std::uint32_t>(m_entries));
  for (std::size_t entry = 0; entry < m_entries; ++entry)
    offsets.put(static_cast<std::uint32_t>(m_keyBytes + begin(entry)));
  out.append(offsets.bytes());
}

} // namespace kaon::root
