#include <kaon/codec/PartEncoding.h>

#include <kaon/base/OfThread.h>
#include <kaon/codec/BytePlanes.h>
#include <kaon/codec/Packed.h>
#include <kaon/codec/PageEncoding.h>
#include <kaon/codec/StreamCompression.h>

#include <algorithm>
#include <cstring>

namespace kaon::codec {
namespace {

constexpr std::size_t mostInParts = (std::size_t{1} << 31) - 1; // of encodings other than raw

void appendByte(std::uint8_t byte, PartOutput& out) {
  out.append(std::as_bytes(std::span(&byte, 1)));
}

/// Appends bytes as a piece: compressed, or unchanged if that does not make them smaller.
void putPieceInParts(Compression how, std::size_t size, const BytesAt& bytes, PartOutput& out) {
  const std::uint64_t head = out.size();
  Buffer place;
  put(static_cast<std::uint8_t>(how.codec), place);
  put(std::uint32_t{0}, place);
  out.append(place.bytes());
  const std::uint64_t begin = out.size();
  Codec codec = how.codec;
  if (!compressInParts(how, size, bytes, out)) {
    codec = Codec::none;
    for (std::size_t first = 0; first < size; first += partBytes)
      out.append(bytes(first, std::min(partBytes, size - first)));
  }
  place.clear();
  put(static_cast<std::uint8_t>(codec), place);
  put(static_cast<std::uint32_t>(out.size() - begin), place);
  out.rewrite(head, place.bytes());
}

bool encodePlanesInParts(Element element, std::size_t size, const BytesAt& values, Compression how,
                         PartOutput& out) {
  auto& memory = ofThread<Buffer>();
  const std::size_t count = size / element.size;
  const std::size_t valuesAtOnce = partBytes / element.size;
  if (element.size < 2)
    return false;
  appendByte(static_cast<std::uint8_t>(Transform::none), out);
  appendByte(0, out); // not joined
  for (std::size_t plane = 0; plane < element.size; ++plane) {
    const BytesAt planeAt = [&](std::size_t first, std::size_t wanted) {
      const std::span<std::byte> room = memory.assign(wanted);
      for (std::size_t at = 0; at < wanted;) {
        const std::size_t now = std::min(valuesAtOnce, wanted - at);
        const Bytes some = values((first + at) * element.size, now * element.size);
        for (std::size_t i = 0; i < now; ++i)
          room[at + i] = some[i * element.size + plane];
        at += now;
      }
      return Bytes(room);
    };
    putPieceInParts(how, count, planeAt, out);
  }
  return true;
}

bool encodeConstantInParts(Element element, std::size_t size, const BytesAt& values,
                           PartOutput& out) {
  Buffer first;
  first.append(values(0, element.size));
  const std::size_t step = partBytes / element.size * element.size;
  for (std::size_t at = 0; at < size; at += step) {
    const Bytes part = values(at, std::min(step, size - at));
    if (!std::ranges::equal(part.first(element.size), first.bytes()) ||
        std::memcmp(part.data(), part.data() + element.size, part.size() - element.size) != 0)
      return false;
  }
  out.append(first.bytes());
  return true;
}

bool encodeCompressedInParts(std::size_t size, const BytesAt& values, Compression how,
                             PartOutput& out) {
  appendByte(static_cast<std::uint8_t>(how.codec), out);
  return compressInParts(how, size, values, out);
}

bool decodeCompressedInParts(Bytes stored, std::span<std::byte> values, const BytesUsed& used) {
  const auto codec = static_cast<Codec>(stored.empty() ? 0 : std::to_integer<int>(stored[0]));
  std::byte* at = values.data();
  return hasStreams(codec) && decompressInParts(
                                  codec, stored.subspan(1), values.size(),
                                  [&](Bytes part) { at = std::ranges::copy(part, at).out; }, used);
}

/// Calls `use` with consecutive parts of a piece. Returns false if it is damaged, or if its codec
/// has no parts.
bool takePieceInParts(StoredReader& stored, std::size_t size, const std::function<void(Bytes)>& use,
                      const BytesUsed& used) {
  constexpr std::uint8_t allTheSame = 255;
  const auto kind = stored.get<std::uint8_t>();
  const Bytes bytes = stored.take(stored.get<std::uint32_t>());
  const auto codec = static_cast<Codec>(kind);
  if (!stored.ok())
    return false;
  if (hasStreams(codec))
    return decompressInParts(codec, bytes, size, use, used);
  if (kind != allTheSame && codec != Codec::none)
    return false;
  if (bytes.size() != (kind == allTheSame ? 1 : size))
    return false;
  Buffer same;
  if (kind == allTheSame)
    std::ranges::fill(same.assign(partBytes), bytes[0]);
  for (std::size_t first = 0; first < size; first += partBytes) {
    const std::size_t count = std::min(partBytes, size - first);
    const Bytes part = kind == allTheSame ? same.bytes().first(count) : bytes.subspan(first, count);
    use(part);
    if (kind != allTheSame)
      used(part);
  }
  return true;
}

bool decodePlanesInParts(Element element, Bytes stored, std::span<std::byte> values,
                         const BytesUsed& used) {
  StoredReader reader(stored);
  const auto transform = static_cast<Transform>(reader.get<std::uint8_t>());
  const auto joined = reader.get<std::uint8_t>();
  if (!reader.ok() || element.size < 2 || transform != Transform::none || joined != 0)
    return false;
  for (std::size_t plane = 0; plane < element.size; ++plane) {
    std::byte* at = values.data() + plane;
    const auto merge = [&](Bytes part) {
      mergeByte(element.size, part.data(), part.size(), at);
      at += part.size() * element.size;
    };
    if (!takePieceInParts(reader, values.size() / element.size, merge, used))
      return false;
  }
  return reader.atEnd();
}

bool decodeRawInParts(Bytes stored, std::span<std::byte> values, const BytesUsed& used) {
  if (stored.size() != values.size())
    return false;
  for (std::size_t first = 0; first < stored.size(); first += partBytes) {
    const Bytes part = stored.subspan(first, std::min(partBytes, stored.size() - first));
    std::ranges::copy(part, values.begin() + static_cast<std::ptrdiff_t>(first));
    used(part);
  }
  return true;
}

} // namespace

bool canEncodeInParts(const Scheme& scheme, Element element, Codec codec) noexcept {
  switch (scheme.encoding) {
  case Encoding::raw:
  case Encoding::constant:
    return true;
  case Encoding::packed:
    return element.isNumber();
  case Encoding::compressed:
    return hasStreams(codec);
  case Encoding::bytePlanes: // of structs, all values would be made again for each of many planes
    return hasStreams(codec) && element.isNumber() &&
           scheme.transform.value_or(Transform::none) == Transform::none;
  default:
    return false;
  }
}

bool encodeInParts(const Scheme& scheme, Element element, std::size_t size, const BytesAt& values,
                   Compression how, PartOutput& out) {
  if (size == 0 || element.size > partBytes || !canEncodeInParts(scheme, element, how.codec) ||
      (size > mostInParts && scheme != Encoding::constant))
    return false;
  const std::uint64_t before = out.size();
  const auto encode = [&] {
    switch (scheme.encoding) {
    case Encoding::constant:
      return encodeConstantInParts(element, size, values, out);
    case Encoding::packed:
      return encodePackedInParts(scheme.transform, element, size, values, out);
    case Encoding::compressed:
      return encodeCompressedInParts(size, values, how, out);
    case Encoding::bytePlanes:
      return encodePlanesInParts(element, size, values, how, out);
    default:
      return false;
    }
  };
  if (encode() && out.size() - before < size)
    return true;
  out.shrink(before);
  return false;
}

bool decodeInParts(Encoding encoding, Element element, Bytes stored, std::span<std::byte> values,
                   const BytesUsed& used) {
  if (values.size() % element.size == 0 && values.size() > mostAtOnce) {
    if (encoding == Encoding::raw)
      return decodeRawInParts(stored, values, used);
    if (values.size() <= mostInParts &&
        ((encoding == Encoding::packed && decodePackedInParts(element, stored, values, used)) ||
         (encoding == Encoding::compressed && decodeCompressedInParts(stored, values, used)) ||
         (encoding == Encoding::bytePlanes && decodePlanesInParts(element, stored, values, used))))
      return true;
  }
  // Other encodings, codecs and windows of Zstandard need all stored bytes.
  if (!decode(encoding, element, stored, values))
    return false;
  used(stored);
  return true;
}

} // namespace kaon::codec
