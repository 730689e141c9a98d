#include <kaon/formats/root/objects/ObjectHeader.h>

namespace kaon::root {
namespace {

constexpr std::uint16_t memberWise = 0x4000;

ObjectHeader readCountAndVersion(BigEndianReader& reader) {
  ObjectHeader frame;
  const std::size_t begin = reader.position();
  if (reader.remaining() >= 6) {
    const auto count = reader.get<std::uint32_t>();
    if ((count & hasByteCount) == 0) {
      reader.seek(begin);
    } else {
      const std::uint32_t bytes = count & ~hasByteCount;
      if (bytes > reader.remaining() || bytes < 2)
        reader.failHere("an object has another length than it says; the file is damaged");
      frame.end = reader.position() + bytes;
    }
  }
  const auto version = reader.get<std::uint16_t>();
  frame.isMemberWise = frame.end && (version & memberWise) != 0 && (version & 0x8000) == 0;
  frame.version = static_cast<std::int16_t>(frame.isMemberWise ? version & ~memberWise : version);
  return frame;
}

} // namespace

ObjectHeader readFrame(BigEndianReader& reader) {
  ObjectHeader frame = readCountAndVersion(reader);
  if (frame.version <= 0 && frame.end && *frame.end - reader.position() >= 4)
    frame.checksum = reader.get<std::uint32_t>();
  return frame;
}

ObjectHeader readCollectionFrame(BigEndianReader& reader) { return readCountAndVersion(reader); }

void endFrame(BigEndianReader& reader, const ObjectHeader& frame) {
  if (!frame.end)
    return;
  if (reader.position() > *frame.end)
    reader.failHere("an object has another length than it says; the file is damaged");
  reader.seek(*frame.end);
}

void endWholeFrame(BigEndianReader& reader, const ObjectHeader& frame) {
  if (frame.end && reader.position() != *frame.end)
    reader.failHere("an object has another length than it says; the file is damaged");
}

std::uint32_t skipTObject(BigEndianReader& reader) {
  reader.skip(6); // version and unique ID
  const auto bits = reader.get<std::uint32_t>();
  if ((bits & isReferenced) != 0)
    reader.skip(2);
  return bits;
}

} // namespace kaon::root
