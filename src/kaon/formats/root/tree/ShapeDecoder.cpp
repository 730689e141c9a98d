#include <kaon/formats/root/tree/ShapeDecoder.h>

#include <kaon/formats/root/objects/ObjectHeader.h>
#include <kaon/formats/root/objects/TypeName.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace kaon::root {
namespace {

using Kind = Shape::Kind;
using Wrap = ShapePart::Wrap;

/// The limit on bytes of values that are not in the file, for each byte of an entry.
constexpr std::uint64_t mostCopies = 256;

/// Returns the shape for a version of a class. `version` and `checksum` are as in ObjectHeader.
const Shape& versionOf(const Shape& record, std::int16_t version, std::uint32_t checksum,
                       const BigEndianReader& reader) {
  const auto isIt = [&](const Shape& shape) {
    return !shape.info ||
           (version > 0 ? version == shape.info->version : checksum == shape.info->checksum);
  };
  if (isIt(record))
    return record;
  const auto other = std::ranges::find_if(record.versions, isIt);
  if (other == record.versions.end())
    fail(ErrorKind::version, reader.where(), ": an object is of version ", version, " of '",
         record.info->name, "', which cannot be read as the newest one of the file");
  return *other;
}

/// Whether `name`, in any spelling, is the name of a class.
bool isNameOf(std::string_view name, std::string_view normalName) {
  return name == normalName || normalTypeName(name) == normalName;
}

/// Returns an integer member of a record or its bases, or null if it is missing.
const Shape* wholeNumberIn(const Shape& record, const std::string& member) noexcept {
  for (const ShapePart& part : record.parts) {
    const Shape& shape = part.shape;
    if (part.name == member && isWholeNumber(shape))
      return &shape;
    if (part.isBase && shape.kind == Kind::record)
      if (const Shape* const inBase = wholeNumberIn(shape, member))
        return inBase;
  }
  return nullptr;
}

/// Returns the count that an integer in memory is, or nothing if it is negative or too large.
std::optional<std::size_t> countIn(Scalar type, const std::byte* number) noexcept {
  std::optional<std::size_t> count;
  withScalar(type, [&](auto zero) {
    using Number = decltype(zero);
    if constexpr (std::is_integral_v<Number> && !std::is_same_v<Number, bool>)
      if (const auto value = detail::loadAs<Number>(number); std::in_range<std::uint32_t>(value))
        count = static_cast<std::size_t>(value);
  });
  return count;
}

struct ClonesClass {
  std::string_view name;
  std::int16_t version = 0;
};

/// Parses the description of the objects in a TClonesArray: "Hit;2".
ClonesClass clonesClassIn(std::string_view text) noexcept {
  const std::size_t end = std::min(text.find(';'), text.size());
  ClonesClass clones{text.substr(0, end)};
  if (end < text.size())
    std::from_chars(text.data() + end + 1, text.data() + text.size(), clones.version);
  return clones;
}

} // namespace

ShapeDecoder::ShapeDecoder(const ShapePart& part) : m_part(part) {
  prepare(part.shape);
  clear();
}

void ShapeDecoder::prepare(const Shape& shape) {
  const std::uint32_t last = shape.characters != Shape::none ? shape.characters : shape.output;
  if (last != Shape::none && last >= m_outputs.size())
    m_outputs.resize(last + 1);
  if (shape.kind == Kind::list || shape.kind == Kind::pointer || shape.characters != Shape::none)
    m_outputs[shape.output].isCounts = true;
  for (const ShapePart& part : shape.parts)
    prepare(part.shape);
  for (const Shape& version : shape.versions)
    prepare(version);
}

void ShapeDecoder::clear() {
  m_left = std::uint64_t{16} << 20;
  for (std::uint32_t i = 0; i < m_outputs.size(); ++i) {
    m_outputs[i].bytes.clear();
    m_outputs[i].total = 0;
    if (m_outputs[i].isCounts)
      put(i, 0);
  }
}

void ShapeDecoder::put(std::uint32_t output, std::uint32_t number) {
  std::memcpy(m_outputs[output].bytes.grow(sizeof(number)), &number, sizeof(number));
}

void ShapeDecoder::putCount(std::uint32_t output, std::size_t count,
                            const BigEndianReader& reader) {
  std::uint32_t& total = m_outputs[output].total;
  if (count > std::numeric_limits<std::uint32_t>::max() - total)
    reader.failHere("lists have too many elements");
  total += static_cast<std::uint32_t>(count);
  put(output, total);
}

void ShapeDecoder::decode(BigEndianReader& reader, std::size_t end, std::size_t count,
                          std::span<const std::uint32_t> sizes) {
  if (count == 0) // an empty value may still have a frame
    return reader.seek(end);
  if (reader.position() == end && m_part.shape.kind == Kind::text && m_part.wrap == Wrap::none) {
    for (std::size_t i = 0; i < count; ++i) // an empty text may lack its length
      put(m_part.shape.output, m_outputs[m_part.shape.output].total);
    return;
  }
  if (count > end - reader.position())
    reader.failHere("there are fewer bytes than values");
  beginEntry(end - reader.position());
  m_sizes = sizes;
  m_end = end;
  decodeEntry(count, reader);
  if (reader.position() != end)
    reader.failHere("the size of the entry does not match its type");
}

void ShapeDecoder::lookAt(BigEndianReader& reader) {
  clear();
  beginEntry(reader.remaining());
  m_end = reader.position() + reader.remaining();
  for (std::size_t before = 0; reader.remaining() > 0 && reader.remaining() != before;) {
    before = reader.remaining();
    decodeEntry(1, reader);
  }
}

void ShapeDecoder::beginEntry(std::size_t bytes) {
  m_pointers.beginEntry();
  m_record = nullptr;
  m_left += mostCopies * bytes;
}

void ShapeDecoder::decodeEntry(std::size_t count, BigEndianReader& reader) {
  if (m_part.isNamed)
    readClassName(reader);
  decodePart(m_part, count, false, reader);
}

/// `isBare` is true for elements of collections. Collections among them have no frames.
void ShapeDecoder::decodePart(const ShapePart& part, std::size_t count, bool isBare,
                              BigEndianReader& reader) {
  switch (part.wrap) {
  case Wrap::none:
  case Wrap::bytes:
    return decodeValues(part.shape, count, reader);
  case Wrap::once:
    return isBare ? decodeValues(part.shape, count, reader) : decodeOnce(part, count, reader);
  case Wrap::each:
    return decodeEach(part, count, reader);
  case Wrap::flag:
    return decodeCounted(part, count, reader);
  case Wrap::sized:
  case Wrap::triangle:
    return decodeSized(part, count, reader);
  case Wrap::clones:
    return decodeClones(part, count, reader);
  case Wrap::loop:
    return decodeLoop(part, count, reader);
  case Wrap::framed:
    return decodeFramed(part, count, reader);
  case Wrap::prefixed:
    return decodePrefixed(part, count, reader);
  case Wrap::rest:
    return decodeRest(part, count, reader);
  case Wrap::absent:
    return putZeros(part.shape, count, reader);
  }
}

void ShapeDecoder::decodeOnce(const ShapePart& part, std::size_t count, BigEndianReader& reader) {
  if (part.shape.kind == Kind::skipped)
    return skipFrame(reader);
  const ObjectHeader frame = readCollectionFrame(reader);
  if (frame.isMemberWise)
    decodeMemberWise(part.shape, count, reader);
  else
    decodeValues(part.shape, count, reader);
  endWholeFrame(reader, frame);
}

void ShapeDecoder::decodeEach(const ShapePart& part, std::size_t count, BigEndianReader& reader) {
  for (std::size_t i = 0; i < count; ++i) {
    const ObjectHeader frame = readFrame(reader);
    decodeRecord(versionOf(part.shape, frame.version, frame.checksum, reader), false, reader);
    endWholeFrame(reader, frame);
  }
}

/// Decodes TClonesArrays. The name and version of the class come first. The objects follow member
/// by member, or each behind a byte that is 0 for missing objects.
void ShapeDecoder::decodeClones(const ShapePart& part, std::size_t count, BigEndianReader& reader) {
  constexpr std::uint32_t memberByMember = 0x1000; // one of TObject's bits
  constexpr std::int16_t leastVersion = 3;
  for (std::size_t i = 0; i < count; ++i) {
    const ObjectHeader frame = readFrame(reader);
    if (!frame.end || frame.version < leastVersion)
      reader.failHere("a TClonesArray has an unknown version");
    const std::uint32_t bits = skipTObject(reader);
    (void)reader.getString();
    const ClonesClass objects = clonesClassIn(reader.getString());
    const auto size = std::size_t{reader.get<std::uint32_t>()};
    reader.skip(4); // the lower bound
    const ShapePart& elements = part.shape.parts[0];
    if (elements.shape.kind == Kind::nothing) { // the class is not known
      m_newClones.try_emplace(part.place, normalTypeName(objects.name));
      putCount(part.shape.output, 0, reader);
      reader.seek(*frame.end);
      continue;
    }
    if (elements.shape.info && !isNameOf(objects.name, elements.shape.info->name))
      fail(ErrorKind::version, reader.where(), ": a TClonesArray holds objects of the class '",
           objects.name, "', and earlier ones of '", elements.shape.info->name, "'");
    if (size > reader.remaining())
      reader.failHere("a TClonesArray has more objects than bytes");
    putCount(part.shape.output, size, reader);
    if ((bits & memberByMember) != 0)
      decodeColumns(versionOf(elements.shape, objects.version, 0, reader), size, reader);
    else
      for (std::size_t k = 0; k < size; ++k)
        reader.get<std::uint8_t>() != 0 ? decodePart(elements, 1, false, reader)
                                        : putZeros(elements.shape, 1, reader);
    endWholeFrame(reader, frame);
  }
}

/// Reads the name of the class of the next object.
void ShapeDecoder::readClassName(BigEndianReader& reader) {
  reader.skip(1); // its length
  const std::string_view name = reader.getCString();
  const std::string_view wanted = m_part.className;
  if (!isNameOf(name, wanted))
    fail(ErrorKind::version, reader.where(), ": an object is of the class '", name, "', not '",
         wanted, "'");
}

/// Decodes arrays whose lengths are in another member, for each of `count` objects.
void ShapeDecoder::decodeCounted(const ShapePart& part, std::size_t count,
                                 BigEndianReader& reader) {
  for (std::size_t i = 0; i < count; ++i) {
    const bool isThere = reader.get<std::uint8_t>() != 0;
    if (!m_record && i >= m_sizes.size())
      reader.failHere("an array has no counter");
    std::size_t size = 0;
    if (isThere)
      size = m_record ? counterOf(part, count - i, reader) : m_sizes[i];
    putCount(part.shape.output, size, reader);
    decodeNumber(part.shape.parts[0].shape, size, reader);
  }
}

/// Decodes arrays behind their counters, for each of `count` objects.
void ShapeDecoder::decodeSized(const ShapePart& part, std::size_t count, BigEndianReader& reader) {
  if (!m_record)
    reader.failHere("an array has no counter");
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t size = counterOf(part, count - i, reader);
    if (part.wrap == Wrap::triangle)
      size = size * (size + 1) / 2;
    decodeElements(part.shape, size, reader);
  }
}

/// Decodes so many elements of a list.
void ShapeDecoder::decodeElements(const Shape& list, std::size_t size, BigEndianReader& reader) {
  if (size > reader.remaining())
    reader.failHere("a list has more elements than bytes");
  putCount(list.output, size, reader);
  decodePart(list.parts[0], size, false, reader);
}

/// Decodes arrays of objects whose lengths are in another member, for each of `count` objects.
void ShapeDecoder::decodeLoop(const ShapePart& part, std::size_t count, BigEndianReader& reader) {
  const ObjectHeader frame = readCollectionFrame(reader);
  for (std::size_t i = 0; i < count; ++i) {
    if (!m_record && i >= m_sizes.size())
      reader.failHere("an array has no counter");
    decodeElements(part.shape, m_record ? counterOf(part, count - i, reader) : m_sizes[i], reader);
  }
  endWholeFrame(reader, frame);
}

/// Decodes records behind ROOT's header, whose version is ignored.
void ShapeDecoder::decodeFramed(const ShapePart& part, std::size_t count, BigEndianReader& reader) {
  for (std::size_t i = 0; i < count; ++i) {
    const ObjectHeader frame = readCollectionFrame(reader);
    if (!frame.end)
      reader.failHere("it has no header, but its description says so");
    const std::size_t outer = std::exchange(m_end, *frame.end);
    decodeRecord(part.shape, false, reader);
    m_end = outer;
    endWholeFrame(reader, frame);
  }
}

void ShapeDecoder::decodePrefixed(const ShapePart& part, std::size_t count,
                                  BigEndianReader& reader) {
  const NumberLayout& form = part.shape.form;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<std::byte, sizeof(std::uint64_t)> number{};
    decodeNumbers(form, reader.take(form.storedBytes).data(), 1, number.data());
    const std::optional<std::size_t> size = countIn(form.type, number.data());
    if (!size)
      reader.failHere("a list has a count that is negative or too large");
    decodeElements(part.shape, *size, reader);
  }
}

void ShapeDecoder::decodeRest(const ShapePart& part, std::size_t count, BigEndianReader& reader) {
  const ShapePart& element = part.shape.parts[0];
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t size = 0;
    for (; reader.position() < m_end; ++size)
      decodePart(element, 1, false, reader);
    putCount(part.shape.output, size, reader);
  }
}

/// Returns the counter of an array. `fromLast` selects among the decoded values of the member; 1 is
/// the last.
std::size_t ShapeDecoder::counterOf(const ShapePart& array, std::size_t fromLast,
                                    const BigEndianReader& reader) const {
  if (const Shape* const counter = wholeNumberIn(*m_record, array.counter)) {
    const auto bytes = m_outputs[counter->output].bytes.bytes();
    const Scalar type = counter->form.type;
    if (bytes.size() / sizeOf(type) >= fromLast)
      if (const auto count = countIn(type, bytes.data() + bytes.size() - fromLast * sizeOf(type)))
        return *count;
  }
  reader.failHere("an array has no counter '" + array.counter + "'");
}

void ShapeDecoder::decodeValues(const Shape& shape, std::size_t count, BigEndianReader& reader) {
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
      reader.skip((bits & isReferenced) != 0 ? 2 : 0);
      break;
    }
    case Kind::reference:
      reader.skip(2);
      put(shape.output, reader.get<std::uint32_t>());
      reader.skip((reader.get<std::uint32_t>() & isReferenced) != 0 ? 2 : 0);
      reader.skip(2);
      break;
    case Kind::bitset:
      if (reader.get<std::uint32_t>() != shape.extent)
        reader.failHere("a bitset has another number of bits than its type");
      decodeNumber(shape, 1, reader);
      break;
    case Kind::list:
      decodeList(shape, reader);
      break;
    case Kind::pointer:
    case Kind::pointed:
      decodePointer(shape, reader);
      break;
    case Kind::record:
      decodeRecord(shape, shape.info == nullptr, reader);
      break;
    case Kind::nothing:
      skipTObject(reader);
      break;
    case Kind::padding:
      reader.skip(shape.extent);
      break;
    case Kind::leftOut:
      for (std::uint32_t k = 0; k < shape.extent; ++k)
        skipPointer(reader);
      break;
    case Kind::skipped:
      for (std::uint32_t k = 0; k < shape.extent; ++k)
        skipFrame(reader);
      break;
    case Kind::number:
      break;
    }
}

void ShapeDecoder::decodeNumber(const Shape& shape, std::size_t count, BigEndianReader& reader) {
  const std::size_t stored = std::size_t{shape.form.storedBytes} * shape.extent;
  if (count > reader.remaining() / stored)
    reader.failHere("there are fewer bytes than numbers");
  const auto bytes = reader.take(count * stored);
  std::byte* const out =
      m_outputs[shape.output].bytes.grow(count * shape.extent * sizeOf(shape.form.type));
  decodeNumbers(shape.form, bytes.data(), count * shape.extent, out);
}

void ShapeDecoder::decodeText(const Shape& shape, BigEndianReader& reader) {
  const auto text = shape.kind == Kind::text ? std::as_bytes(std::span(reader.getString()))
                                             : reader.take(reader.get<std::uint32_t>());
  putCount(shape.output, text.size(), reader);
  m_outputs[shape.characters].bytes.append(text);
}

void ShapeDecoder::decodeReferences(const Shape& shape, BigEndianReader& reader) {
  const ObjectHeader frame = readFrame(reader);
  skipTObject(reader);
  (void)reader.getString();
  const std::size_t count = reader.get<std::uint32_t>();
  reader.skip(6); // the lower bound and the process ID
  if (count > reader.remaining() / 4)
    reader.failHere("there are fewer bytes than references");
  putCount(shape.output, count, reader);
  for (std::size_t i = 0; i < count; ++i)
    put(shape.characters, reader.get<std::uint32_t>());
  endWholeFrame(reader, frame);
}

void ShapeDecoder::decodeList(const Shape& shape, BigEndianReader& reader) {
  const std::size_t count =
      shape.length > 0 ? shape.length : std::size_t{reader.get<std::uint32_t>()};
  if (count > reader.remaining() && (shape.length == 0 || canBeEmpty(shape.parts[0])))
    reader.failHere("a list has more elements than bytes");
  putCount(shape.output, count, reader);
  decodePart(shape.parts[0], count, true, reader);
}

/// Decodes the object of a pointer. The object follows the pointer, unless an earlier pointer had
/// it.
void ShapeDecoder::decodePointer(const Shape& shape, BigEndianReader& reader) {
  const ShapePart& object = shape.parts[0];
  const bool isList = shape.kind == Kind::pointer;
  const PointedObject place = m_pointers.read(reader);
  if (isList)
    putCount(shape.output, place.isNull() ? 0 : 1, reader);
  if (!place.isHere)
    spend(place.end - place.begin, reader);
  if (place.isNull())
    return isList ? void() : putZeros(object.shape, 1, reader);
  const std::string_view wanted = object.className;
  if (!isNameOf(place.className, wanted))
    fail(ErrorKind::version, reader.where(), ": a pointer to '", wanted,
         "' leads to an object of the class '", place.className, "', which is not read");
  const std::size_t behind = reader.position();
  reader.seek(place.begin);
  decodePart(object, 1, true, reader);
  if (reader.position() != place.end)
    reader.failHere("an object has another length than it says");
  if (!place.isHere)
    reader.seek(behind);
}

void ShapeDecoder::skipPointer(BigEndianReader& reader) {
  const PointedObject place = m_pointers.read(reader);
  if (place.isHere)
    reader.seek(place.end);
}

void ShapeDecoder::skipFrame(BigEndianReader& reader) {
  const ObjectHeader frame = readCollectionFrame(reader);
  if (!frame.end)
    reader.failHere("a member that is not read has no length");
  reader.seek(*frame.end);
}

/// Adds values for missing members: zeros, empty lists and empty texts.
void ShapeDecoder::putZeros(const Shape& shape, std::size_t count, const BigEndianReader& reader) {
  std::size_t inside = count;
  if (shape.output != Shape::none && m_outputs[shape.output].isCounts) {
    spend(std::uint64_t{count} * sizeof(shape.output), reader);
    for (std::size_t i = 0; i < count; ++i)
      putCount(shape.output, shape.length, reader);
    inside = shape.kind == Kind::list ? count * shape.length : 0;
  } else if (shape.output != Shape::none) {
    const bool isNumber = shape.kind == Kind::number || shape.kind == Kind::bitset;
    const std::size_t size =
        isNumber ? shape.extent * sizeOf(shape.form.type) : sizeof(shape.output);
    spend(std::uint64_t{count} * size, reader);
    std::memset(m_outputs[shape.output].bytes.grow(count * size), 0, count * size);
  }
  for (const ShapePart& part : shape.parts)
    putZeros(part.shape, inside, reader);
}

/// Counts bytes of values that are not in the file. Hostile files could otherwise demand any amount
/// of memory.
void ShapeDecoder::spend(std::uint64_t bytes, const BigEndianReader& reader) {
  if (bytes > m_left)
    reader.failHere("missing values take too much memory");
  m_left -= bytes;
}

/// Decodes the elements of lists member by member. The version of their class comes first.
void ShapeDecoder::decodeMemberWise(const Shape& shape, std::size_t count,
                                    BigEndianReader& reader) {
  // Consecutive lists of fixed length.
  const bool isArray = shape.kind == Kind::list && shape.length > 0;
  const Shape& list = isArray ? shape.parts[0].shape : shape;
  if (list.kind != Kind::list || list.parts[0].shape.kind != Kind::record ||
      list.parts[0].wrap == Wrap::bytes || list.parts[0].wrap == Wrap::framed)
    reader.failHere("elements without members are stored member by member");
  const auto version = reader.get<std::int16_t>();
  const std::uint32_t checksum = version <= 0 ? reader.get<std::uint32_t>() : 0;
  const Shape& record = versionOf(list.parts[0].shape, version, checksum, reader);
  for (std::size_t i = 0; i < count && isArray; ++i)
    putCount(shape.output, shape.length, reader);
  const std::size_t lists = isArray ? count * shape.length : count;
  for (std::size_t i = 0; i < lists; ++i) {
    const std::size_t size = reader.get<std::uint32_t>();
    if (size > reader.remaining())
      reader.failHere("a list has more elements than bytes");
    putCount(list.output, size, reader);
    if (size > 0)
      decodeColumns(record, size, reader);
  }
}

void ShapeDecoder::decodeColumns(const Shape& record, std::size_t count, BigEndianReader& reader) {
  const Shape* const outer = std::exchange(m_record, &record);
  for (const ShapePart& part : record.parts) {
    if (part.isBase && part.shape.kind == Kind::record && part.wrap != Wrap::absent)
      decodeColumns(part.shape, count, reader);
    else
      decodePart(part, count, false, reader);
  }
  m_record = outer;
}

void ShapeDecoder::decodeRecord(const Shape& record, bool isBare, BigEndianReader& reader) {
  const Shape* const outer = std::exchange(m_record, &record);
  for (const ShapePart& part : record.parts)
    decodePart(part, 1, isBare, reader);
  m_record = outer;
}

} // namespace kaon::root
