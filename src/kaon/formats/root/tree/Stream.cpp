#include <kaon/formats/root/tree/Stream.h>

#include <kaon/formats/root/objects/Frame.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace kaon::root {
namespace {

using Kind = Shape::Kind;
using Wrap = Part::Wrap;

/// Whether values can be without bytes, so that bytes do not bound their number.
bool canBeEmpty(const Part& part) noexcept {
  if (part.wrap == Wrap::each)
    return false;
  if (part.shape.kind == Kind::record)
    return std::ranges::all_of(part.shape.parts, canBeEmpty);
  return part.shape.kind == Kind::nothing;
}

} // namespace

Stream::Stream(const Part& part) : m_part(part) {
  prepare(part.shape);
  clear();
}

void Stream::prepare(const Shape& shape) {
  const std::uint32_t last = shape.characters != Shape::none ? shape.characters : shape.output;
  if (last != Shape::none && last >= m_outputs.size())
    m_outputs.resize(last + 1);
  if (shape.kind == Kind::list || shape.characters != Shape::none)
    m_outputs[shape.output].isCounts = true;
  for (const Part& part : shape.parts)
    prepare(part.shape);
}

void Stream::clear() {
  for (std::uint32_t i = 0; i < m_outputs.size(); ++i) {
    m_outputs[i].bytes.clear();
    m_outputs[i].total = 0;
    if (m_outputs[i].isCounts)
      put(i, 0);
  }
}

void Stream::put(std::uint32_t output, std::uint32_t number) {
  std::memcpy(m_outputs[output].bytes.grow(sizeof(number)), &number, sizeof(number));
}

void Stream::putCount(std::uint32_t output, std::size_t count, const BigEndianReader& reader) {
  std::uint32_t& total = m_outputs[output].total;
  if (count > std::numeric_limits<std::uint32_t>::max() - total)
    reader.failHere("lists have too many elements");
  total += static_cast<std::uint32_t>(count);
  put(output, total);
}

void Stream::decode(BigEndianReader& reader, std::size_t end, std::size_t count) {
  if (count == 0) // what it may have is the frame of nothing
    return reader.seek(end);
  if (reader.position() == end && m_part.shape.kind == Kind::text && m_part.wrap == Wrap::none) {
    for (std::size_t i = 0; i < count; ++i) // an empty text may be without its length
      put(m_part.shape.output, m_outputs[m_part.shape.output].total);
    return;
  }
  if (count > end - reader.position())
    reader.failHere("there are fewer bytes than values; the file is damaged");
  decodePart(m_part, count, false, reader);
  if (reader.position() != end)
    reader.failHere("the entry has another number of bytes than its type; the file is damaged");
}

/// `isBare`: as the elements of collections, which have no frames for collections in them.
void Stream::decodePart(const Part& part, std::size_t count, bool isBare, BigEndianReader& reader) {
  if (part.wrap == Wrap::each)
    return decodeEach(part, count, reader);
  if (part.wrap == Wrap::flag)
    return decodeCounted(part, count, reader);
  if (part.wrap == Wrap::once && !isBare)
    return decodeOnce(part, count, reader);
  decodeValues(part.shape, count, reader);
}

void Stream::decodeOnce(const Part& part, std::size_t count, BigEndianReader& reader) {
  const Frame frame = readCollectionFrame(reader);
  if (frame.isMemberWise)
    decodeMemberWise(part.shape, count, reader);
  else
    decodeValues(part.shape, count, reader);
  endWholeFrame(reader, frame);
}

void Stream::decodeEach(const Part& part, std::size_t count, BigEndianReader& reader) {
  for (std::size_t i = 0; i < count; ++i) {
    const Frame frame = readFrame(reader);
    const ClassInfo* const info = part.shape.info;
    const bool isOther = info && (frame.version > 0 ? frame.version != info->version
                                                    : frame.checksum != info->checksum);
    if (isOther)
      fail(ErrorKind::version, reader.where(), ": an object is of another version of '", info->name,
           "' than the file's newest");
    decodeRecord(part.shape, false, reader);
    endWholeFrame(reader, frame);
  }
}

/// Numbers whose count another member has.
void Stream::decodeCounted(const Part& part, std::size_t count, BigEndianReader& reader) {
  for (std::size_t i = 0; i < count; ++i) {
    const bool isThere = reader.get<std::uint8_t>() != 0;
    if (!m_record || count != 1)
      reader.failHere("an array has no counter; the file is damaged");
    const std::size_t size = isThere ? lastNumber(*m_record, part.counter, reader) : 0;
    putCount(part.shape.output, size, reader);
    decodeNumber(part.shape.parts[0].shape, size, reader);
  }
}

std::size_t Stream::lastNumber(const Shape& record, const std::string& member,
                               const BigEndianReader& reader) const {
  for (const Part& part : record.parts) {
    if (part.name != member || part.shape.kind != Kind::number || sizeOf(part.shape.form.type) != 4)
      continue;
    const auto bytes = m_outputs[part.shape.output].bytes.bytes();
    if (bytes.size() >= 4) {
      const auto value = loadAs<std::int32_t>(bytes.data() + bytes.size() - 4);
      if (value >= 0)
        return static_cast<std::size_t>(value);
    }
  }
  reader.failHere("an array has no counter '" + member + "'");
}

void Stream::decodeValues(const Shape& shape, std::size_t count, BigEndianReader& reader) {
  if (shape.kind == Kind::number)
    return decodeNumber(shape, count, reader);
  for (std::size_t i = 0; i < count; ++i)
    switch (shape.kind) {
    case Kind::text:
    case Kind::longText:
      decodeText(shape, reader);
      break;
    case Kind::references:
      decodeReferences(shape, reader);
      break;
    case Kind::bits: {
      const auto bits = reader.get<std::uint32_t>();
      put(shape.output, bits);
      reader.skip((bits & 0x10) != 0 ? 2 : 0);
      break;
    }
    case Kind::reference:
      reader.skip(2);
      put(shape.output, reader.get<std::uint32_t>());
      reader.skip(6);
      break;
    case Kind::list:
      decodeList(shape, reader);
      break;
    case Kind::record:
      decodeRecord(shape, shape.info == nullptr, reader);
      break;
    case Kind::nothing:
      skipTObject(reader);
      break;
    case Kind::number:
      break;
    }
}

void Stream::decodeNumber(const Shape& shape, std::size_t count, BigEndianReader& reader) {
  const std::size_t stored = std::size_t{shape.form.storedBytes} * shape.extent;
  if (count > reader.remaining() / stored)
    reader.failHere("there are fewer bytes than numbers; the file is damaged");
  const auto bytes = reader.take(count * stored);
  std::byte* const out =
      m_outputs[shape.output].bytes.grow(count * shape.extent * sizeOf(shape.form.type));
  decodeNumbers(shape.form, bytes.data(), count * shape.extent, out);
}

void Stream::decodeText(const Shape& shape, BigEndianReader& reader) {
  const auto text = shape.kind == Kind::text ? std::as_bytes(std::span(reader.getString()))
                                             : reader.take(reader.get<std::uint32_t>());
  putCount(shape.output, text.size(), reader);
  m_outputs[shape.characters].bytes.append(text);
}

void Stream::decodeReferences(const Shape& shape, BigEndianReader& reader) {
  const Frame frame = readFrame(reader);
  skipTObject(reader);
  (void)reader.getString();
  const std::size_t count = reader.get<std::uint32_t>();
  reader.skip(6); // the lower bound, the process
  if (count > reader.remaining() / 4)
    reader.failHere("there are fewer bytes than references; the file is damaged");
  putCount(shape.output, count, reader);
  for (std::size_t i = 0; i < count; ++i)
    put(shape.characters, reader.get<std::uint32_t>());
  endWholeFrame(reader, frame);
}

void Stream::decodeList(const Shape& shape, BigEndianReader& reader) {
  const std::size_t count =
      shape.length > 0 ? shape.length : std::size_t{reader.get<std::uint32_t>()};
  if (count > reader.remaining() && (shape.length == 0 || canBeEmpty(shape.parts[0])))
    reader.failHere("a list has more elements than bytes; the file is damaged");
  putCount(shape.output, count, reader);
  decodePart(shape.parts[0], count, true, reader);
}

/// The elements of lists member by member: first the version of their class.
void Stream::decodeMemberWise(const Shape& list, std::size_t count, BigEndianReader& reader) {
  if (list.kind != Kind::list || list.parts[0].shape.kind != Kind::record)
    reader.failHere("elements lie member by member that have none; the file is damaged");
  const Shape& record = list.parts[0].shape;
  const auto version = reader.get<std::int16_t>();
  const std::uint32_t checksum = version <= 0 ? reader.get<std::uint32_t>() : 0;
  if (record.info &&
      (version > 0 ? version != record.info->version : checksum != record.info->checksum))
    fail(ErrorKind::version, reader.where(), ": objects are of another version of '",
         record.info->name, "' than the file's newest");
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t size = reader.get<std::uint32_t>();
    if (size > reader.remaining())
      reader.failHere("a list has more elements than bytes; the file is damaged");
    putCount(list.output, size, reader);
    if (size > 0)
      decodeColumns(record, size, reader);
  }
}

void Stream::decodeColumns(const Shape& record, std::size_t count, BigEndianReader& reader) {
  for (const Part& part : record.parts) {
    if (part.isBase && part.shape.kind == Kind::record)
      decodeColumns(part.shape, count, reader);
    else
      decodePart(part, count, false, reader);
  }
}

void Stream::decodeRecord(const Shape& record, bool isBare, BigEndianReader& reader) {
  const Shape* const outer = std::exchange(m_record, &record);
  for (const Part& part : record.parts)
    decodePart(part, 1, isBare, reader);
  m_record = outer;
}

} // namespace kaon::root
