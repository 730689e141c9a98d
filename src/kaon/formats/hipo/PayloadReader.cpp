#include <kaon/formats/hipo/PayloadReader.h>

#include <kaon/base/Error.h>
#include <kaon/formats/hipo/Compression.h>
#include <kaon/formats/hipo/StreamRecord.h>
#include <kaon/formats/hipo/Structures.h>
#include <kaon/formats/hipo/Words.h>

#include <algorithm>

namespace kaon::hipo {
namespace {

/// Adds up the lengths of events, which are at the beginning of a payload.
void setBegins(const HipoRecordHeader& header, const std::string& where, Payload& payload) {
  payload.begins.resize(std::size_t{header.events} + 1);
  std::uint64_t begin = header.eventsBegin;
  const std::byte* const lengths = payload.bytes.data();
  for (std::uint32_t event = 0; event < header.events; ++event) {
    payload.begins[event] = static_cast<std::uint32_t>(begin);
    const auto length = loadWord<std::uint32_t>(lengths + std::size_t{4} * event, header.isSwapped);
    begin += length;
    if (length < eventHeaderBytes || begin > header.decodedBytes)
      fail(ErrorKind::corrupt, where, ": its event ", event, " has an impossible size of ", length,
           " bytes; the file is damaged");
  }
  payload.begins[header.events] = static_cast<std::uint32_t>(begin);
}

/// Decompresses the lengths of all events, then only the first `events` events.
bool readFirst(const HipoRecordHeader& header, RecordCodec codec, std::span<const std::byte> stored,
               std::size_t events, const std::string& where, Payload& payload) {
  const auto lengthsBytes = static_cast<std::size_t>(header.lengthsBytes());
  if (events >= header.events ||
      !decompressFirst(codec, stored, payload.bytes.assign(lengthsBytes), where))
    return false;
  setBegins(header, where, payload);
  const std::size_t size = payload.begins[events];
  const auto out = payload.bytes.assign(size + bytesBehind);
  std::ranges::fill(out.subspan(size), std::byte{0});
  payload.events = events;
  return decompressFirst(codec, stored, out.first(size), where);
}

} // namespace

void readPayload(const HipoRecordHeader& header, std::span<const std::byte> record,
                 std::size_t events, const IsWanted& isWanted, const std::string& where,
                 Payload& payload) {
  const auto type = recordType(header.compression);
  if (!type)
    fail(ErrorKind::version, where, ": is compressed in a way that kaon does not know (type ",
         header.compression, "); write the file anew with LZ4 or gzip");
  const auto stored = record.subspan(static_cast<std::size_t>(header.payload),
                                     static_cast<std::size_t>(header.storedBytes));
  payload.isSwapped = header.isSwapped;
  payload.isAsStored = type->form == RecordForm::whole && !header.isSwapped;
  payload.events = header.events;
  if (type->form != RecordForm::whole)
    return joinStreams(header, *type, stored, isWanted, where, payload);
  checkGrowth(type->codec, stored.size(), header.decodedBytes, where);
  if (readFirst(header, type->codec, stored, events, where, payload))
    return;
  decompress(type->codec, stored, header.decodedBytes, payload.bytes, where);
  setBegins(header, where, payload);
}

} // namespace kaon::hipo
