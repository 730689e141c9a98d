#include <kaon/formats/root/ntuple/Envelope.h>

#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/formats/root/container/Blocks.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace kaon::root {
namespace {

constexpr std::size_t wordBytes = sizeof(std::uint64_t);
constexpr std::uint64_t mostBytes = std::uint64_t{1} << 62; // at a locator

[[noreturn]] void failIn(const std::string& where, std::string_view what) {
  fail(ErrorKind::corrupt, where, ": ", what, "; the file is damaged");
}

/// Returns the bytes of one frame, which begins with its size.
ByteReader takeFrame(ByteReader& reader, std::int64_t size) {
  const auto bytes = static_cast<std::uint64_t>(size) - wordBytes;
  if (bytes > reader.rest().size())
    failDamaged(reader, "a frame is longer than the data that contain it");
  return {reader.take(static_cast<std::size_t>(bytes)), reader.where()};
}

} // namespace

void failDamaged(const ByteReader& reader, std::string_view what) { failIn(reader.where(), what); }

std::span<const std::byte> readBlob(const io::ByteSource& bytes, const Locator& locator,
                                    std::uint64_t maxKeySize, Buffer& storage,
                                    const std::string& where) {
  if (locator.bytes <= maxKeySize || maxKeySize == 0)
    return bytes.view(locator.position, locator.bytes, storage);
  if (maxKeySize <= wordBytes || locator.bytes > bytes.size())
    failIn(where, "is cut into pieces of an impossible size");
  // All pieces except the last are full. The first one ends with the positions of the others.
  const std::uint64_t pieces =
      (locator.bytes - wordBytes + maxKeySize - wordBytes - 1) / (maxKeySize - wordBytes);
  const std::uint64_t positionBytes = wordBytes * (pieces - 1);
  if (positionBytes > maxKeySize)
    failIn(where, "is cut into too many pieces");
  Buffer scratch;
  const auto first = bytes.view(locator.position, maxKeySize, scratch);
  const auto split = static_cast<std::size_t>(maxKeySize - positionBytes);
  std::vector<io::ByteRange> ranges;
  std::uint64_t rest = locator.bytes - split;
  for (std::size_t at = split; at < first.size() && rest > 0; at += wordBytes) {
    ranges.push_back(
        {detail::loadAs<std::uint64_t>(first.data() + at), std::min(rest, maxKeySize)});
    rest -= ranges.back().count;
  }
  storage.clear();
  storage.append(first.first(split));
  Buffer others;
  for (const auto piece : bytes.views(ranges, others))
    storage.append(piece);
  return storage.bytes();
}

Envelope openEnvelope(std::span<const std::byte> stored, EnvelopeType type, std::uint64_t length,
                      Buffer& storage, const std::string& where) {
  constexpr unsigned typeBits = 16;
  if (length < 2 * wordBytes || length < stored.size() || !canDescribe(stored.size(), length))
    failIn(where, "claims a length that it cannot have");
  std::span<const std::byte> all = stored;
  if (stored.size() != length) {
    const auto room = storage.assign(static_cast<std::size_t>(length));
    decompressBlocks(stored, room, where);
    all = room;
  }
  const auto head = detail::loadAs<std::uint64_t>(all.data());
  if (head != (static_cast<std::uint64_t>(type) | length << typeBits))
    failIn(where, "has another type or length than its reference says");
  const auto covered = all.first(all.size() - wordBytes);
  const auto sum = detail::loadAs<std::uint64_t>(covered.data() + covered.size());
  if (sum != checksum(covered))
    failIn(where, "does not match its checksum");
  return {covered.subspan(wordBytes), sum};
}

ByteReader takeRecord(ByteReader& reader) {
  const auto size = reader.get<std::int64_t>();
  if (size < static_cast<std::int64_t>(wordBytes))
    failDamaged(reader, "there is no record where one should be");
  return takeFrame(reader, size);
}

ItemList takeList(ByteReader& reader) {
  const auto size = reader.get<std::int64_t>();
  constexpr auto least = static_cast<std::int64_t>(wordBytes + sizeof(std::uint32_t));
  if (size > -least || size == INT64_MIN)
    failDamaged(reader, "there is no list where one should be");
  ByteReader items = takeFrame(reader, -size);
  const auto count = items.get<std::uint32_t>();
  if (count > items.rest().size()) // each item has at least one byte
    failDamaged(reader, "a list claims more items than it can have");
  return {std::move(items), count};
}

Locator takeLocator(ByteReader& reader) {
  const auto head = reader.get<std::int32_t>();
  if (head >= 0)
    return {reader.get<std::uint64_t>(), static_cast<std::uint32_t>(head)};
  constexpr std::uint32_t large = sizeof(std::int32_t) + 2 * wordBytes;
  const std::uint32_t negated = 0U - static_cast<std::uint32_t>(head);
  const std::uint32_t own = negated & 0xFFFFU, type = negated >> 24;
  if (type != 1)
    fail(ErrorKind::version, reader.where(), ": lies partly elsewhere (locator type ", type,
         "), which kaon does not read");
  if (own < large)
    failDamaged(reader, "a locator is too short");
  Locator locator;
  locator.bytes = reader.get<std::uint64_t>();
  locator.position = reader.get<std::uint64_t>();
  if (locator.bytes > mostBytes)
    failDamaged(reader, "a locator leads to more bytes than files have");
  (void)reader.take(own - large);
  return locator;
}

EnvelopeLink takeLink(ByteReader& reader) {
  const auto length = reader.get<std::uint64_t>();
  return {length, takeLocator(reader)};
}

void checkFeatures(ByteReader& reader) {
  std::int64_t word = -1;
  while (word < 0) {
    word = reader.get<std::int64_t>();
    if ((word & INT64_MAX) != 0)
      fail(ErrorKind::version, reader.where(), ": needs features that kaon does not know");
  }
}

} // namespace kaon::root
