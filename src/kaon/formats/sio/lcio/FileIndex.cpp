#include <kaon/formats/sio/lcio/FileIndex.h>

#include <kaon/base/Damage.h>
#include <kaon/formats/sio/BlockReader.h>
#include <kaon/formats/sio/BlockWriter.h>
#include <kaon/formats/sio/SioContents.h>
#include <kaon/formats/sio/SioRecord.h>
#include <kaon/formats/sio/lcio/LcioVersion.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

namespace kaon::sio::lcio {
namespace {

constexpr std::string_view accessName = "LCIORandomAccess";
constexpr std::uint32_t accessBytes = 136;
constexpr std::uint32_t accessMark = 0xABCD0000U | accessBytes;
constexpr std::uint32_t isOfOneRun = 1, hasLongOffsets = 2;

struct Span {
  std::int32_t first = 0;
  std::int32_t last = 0;
};

/// Returns the smallest and the greatest value of a number in all entries, or 0 without entries.
Span spanOf(const std::vector<IndexEntry>& entries, std::int32_t IndexEntry::*number) {
  if (entries.empty())
    return {};
  const auto [least, greatest] = std::ranges::minmax_element(entries, {}, number);
  return {(*least).*number, (*greatest).*number};
}

void putIndex(const std::vector<IndexEntry>& entries, BlockWriter& out) {
  const auto [firstRun, lastRun] = spanOf(entries, &IndexEntry::run);
  const bool isOne = firstRun == lastRun;
  const bool isLong = std::ranges::any_of(entries, [](const IndexEntry& entry) {
    return entry.position > std::numeric_limits<std::int32_t>::max();
  });
  out.beginBlock(indexRecord, writtenVersion);
  out.put((isOne ? isOfOneRun : 0U) | (isLong ? hasLongOffsets : 0U));
  out.put(firstRun);
  out.put(std::int64_t{0}); // offsets count from here
  out.putCount(entries.size());
  for (const IndexEntry& entry : entries) {
    if (!isOne)
      out.put(static_cast<std::uint32_t>(entry.run) - static_cast<std::uint32_t>(firstRun));
    out.put(entry.event);
    if (isLong)
      out.put(entry.position);
    else
      out.put(static_cast<std::uint32_t>(entry.position));
  }
  out.endBlock();
}

/// The places of records; 0 for missing records.
struct AccessPositions {
  std::uint64_t index = 0, previous = 0, next = 0, own = 0;
};

void putAccess(const std::vector<IndexEntry>& entries, const AccessPositions& places,
               BlockWriter& out) {
  const Span ofRuns = spanOf(entries, &IndexEntry::run);
  const Span ofEvents = spanOf(entries, &IndexEntry::event);
  const auto runs = std::ranges::count(entries, -1, &IndexEntry::event);
  out.beginBlock(accessName, writtenVersion);
  out.put(ofRuns.first);
  out.put(ofEvents.first);
  out.put(ofRuns.last);
  out.put(ofEvents.last);
  out.putCount(static_cast<std::size_t>(runs));
  out.putCount(entries.size() - static_cast<std::size_t>(runs));
  out.put(std::int32_t{1}); // the records are in order
  for (const std::uint64_t place : {places.index, places.previous, places.next, places.own})
    out.put(place);
  out.put(accessMark);
  out.endBlock();
}

/// Returns the content of the only block of a record, which is never compressed.
BlockReader contentAt(const io::ByteSource& file, std::uint64_t position, std::string_view name,
                      Buffer& scratch) {
  const BlockPosition place{file.name(), position, name};
  const std::uint64_t rest = file.size() - std::min(file.size(), position);
  const auto header = readRecordHeader(file.view(
      position, std::min<std::uint64_t>(rest, recordHeaderBytes + mostNameBytes), scratch));
  const std::uint64_t begin = blockHeaderBytes + (name.size() + 3) / 4 * 4;
  if (!header || header->name != name || header->isCompressed || header->storedBytes < begin ||
      std::uint64_t{header->headerBytes} + header->storedBytes > rest)
    BlockReader({}, place).failHere("is missing where it should be");
  const std::uint64_t before = header->headerBytes + begin, bytes = header->storedBytes - begin;
  return {file.view(position + before, bytes, scratch), place};
}

AccessPositions accessAt(const io::ByteSource& file, std::uint64_t position) {
  constexpr int numbersBefore = 7;
  Buffer scratch;
  BlockReader in = contentAt(file, position, accessName, scratch);
  for (int i = 0; i < numbersBefore; ++i)
    (void)in.get<std::int32_t>();
  AccessPositions places;
  for (std::uint64_t* const place : {&places.index, &places.previous, &places.next, &places.own})
    *place = in.get<std::uint64_t>();
  if (in.get<std::uint32_t>() != accessMark)
    in.failHere("has no mark at its end");
  return places;
}

void addIndexed(const io::ByteSource& file, std::uint64_t index,
                std::vector<std::uint64_t>& positions) {
  Buffer scratch;
  BlockReader in = contentAt(file, index, indexRecord, scratch);
  const auto control = in.get<std::uint32_t>();
  const bool isOne = (control & isOfOneRun) != 0, isLong = (control & hasLongOffsets) != 0;
  (void)in.get<std::int32_t>(); // the first run
  const auto base = in.get<std::uint64_t>();
  const std::uint32_t count = in.count((isOne ? 0 : sizeof(std::int32_t)) + sizeof(std::int32_t) +
                                       (isLong ? sizeof(std::uint64_t) : sizeof(std::uint32_t)));
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!isOne)
      (void)in.get<std::int32_t>();
    (void)in.get<std::int32_t>();
    positions.push_back(base + (isLong ? in.get<std::uint64_t>() : in.get<std::uint32_t>()));
  }
}

} // namespace

std::vector<std::uint64_t> indexedPositions(const io::ByteSource& file) {
  std::vector<std::uint64_t> positions;
  if (file.size() < accessBytes)
    return positions;
  unlessDamaged([&] {
    // A file that was appended to has several indexes. Each of them is before the record that
    // points to it.
    std::uint64_t before = file.size();
    // All indexes together cannot list more records than the file has room for.
    const std::uint64_t most = file.size() / recordHeaderBytes;
    std::uint64_t access = accessAt(file, file.size() - accessBytes).next;
    while (access > 0 && access < before && positions.size() <= most) {
      const AccessPositions places = accessAt(file, access);
      addIndexed(file, places.index, positions);
      before = std::exchange(access, places.previous);
    }
  });
  std::ranges::sort(positions);
  positions.erase(std::ranges::unique(positions).begin(), positions.end());
  return positions;
}

Buffer indexRecords(std::vector<IndexEntry> entries, std::uint64_t position) {
  // Run headers come first, as in LCIO.
  std::ranges::stable_sort(entries, {}, [](const IndexEntry& entry) {
    return std::tuple(entry.event >= 0, entry.run, entry.event);
  });
  Buffer records;
  BlockWriter blocks("the index");
  const auto append = [&](std::string_view name) {
    appendRecord(name, blocks.bytes(), uncompressed(), records);
    blocks.clear();
  };
  putIndex(entries, blocks);
  append(indexRecord);
  const std::uint64_t access = position + records.size();
  putAccess(entries, {.index = position, .own = access}, blocks);
  append(accessName);
  putAccess(entries, {.previous = access, .next = access}, blocks);
  append(accessName);
  return records;
}

} // namespace kaon::sio::lcio
