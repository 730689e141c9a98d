#include <kaon/codec/Encoding.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/codec/Dictionary.h>
#include <kaon/codec/Frequent.h>
#include <kaon/codec/Packed.h>
#include <kaon/codec/Parts.h>
#include <kaon/codec/Planes.h>
#include <kaon/codec/Quantised.h>
#include <kaon/codec/Runs.h>
#include <kaon/codec/Stored.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace kaon::codec {
namespace {

constexpr std::size_t mostBytes = (std::size_t{1} << 31) - 1;

bool encodeConstant(Element element, Bytes values, Buffer& out) {
  if (std::memcmp(values.data(), values.data() + element.size, values.size() - element.size) != 0)
    return false;
  out.append(values.first(element.size));
  return true;
}

bool decodeConstant(Element element, Bytes stored, std::span<std::byte> values) {
  if (stored.size() != element.size)
    return false;
  // Each copy doubles what there is.
  std::memcpy(values.data(), stored.data(), element.size);
  for (std::size_t done = element.size; done < values.size();) {
    const std::size_t next = std::min(done, values.size() - done);
    std::memcpy(values.data() + done, values.data(), next);
    done += next;
  }
  return true;
}

bool encodeCompressed(Bytes values, Compression how, Buffer& out) {
  const std::size_t head = out.size();
  out.grow(1);
  const Codec codec = shrink(how, values, out);
  std::memcpy(out.data() + head, &codec, 1);
  return codec != Codec::none;
}

bool decodeCompressed(Bytes stored, std::span<std::byte> values) {
  StoredReader reader(stored);
  const auto codec = static_cast<Codec>(reader.get<std::uint8_t>());
  return reader.ok() && codec != Codec::none && decompress(codec, reader.rest(), values);
}

bool encodeAny(Encoding encoding, Element element, Bytes values, Compression how, Buffer& out) {
  switch (encoding) {
  case Encoding::raw:
    out.append(values);
    return true;
  case Encoding::constant:
    return encodeConstant(element, values, out);
  case Encoding::packed:
    return encodePacked(element, values, out);
  case Encoding::compressed:
    return encodeCompressed(values, how, out);
  case Encoding::parts:
    return encodeParts(element, values, how, out);
  case Encoding::bytePlanes:
    return encodeBytePlanes(element, values, how, out);
  case Encoding::bitPlanes:
    return encodeBitPlanes(element, values, how, out);
  case Encoding::dictionary:
    return encodeDictionary(element, values, how, out);
  case Encoding::runs:
    return encodeRuns(element, values, how, out);
  case Encoding::frequent:
    return encodeFrequent(element, values, how, out);
  case Encoding::quantised:
    return encodeQuantised(element, values, how, out);
  }
  return false;
}

bool decodeAny(Encoding encoding, Element element, Bytes stored, std::span<std::byte> values) {
  switch (encoding) {
  case Encoding::raw:
    if (stored.size() != values.size())
      return false;
    std::ranges::copy(stored, values.begin());
    return true;
  case Encoding::constant:
    return decodeConstant(element, stored, values);
  case Encoding::packed:
    return decodePacked(element, stored, values);
  case Encoding::compressed:
    return decodeCompressed(stored, values);
  case Encoding::parts:
    return decodeParts(element, stored, values);
  case Encoding::bytePlanes:
    return decodeBytePlanes(element, stored, values);
  case Encoding::bitPlanes:
    return decodeBitPlanes(element, stored, values);
  case Encoding::dictionary:
    return decodeDictionary(element, stored, values);
  case Encoding::runs:
    return decodeRuns(element, stored, values);
  case Encoding::frequent:
    return decodeFrequent(element, stored, values);
  case Encoding::quantised:
    return decodeQuantised(element, stored, values);
  }
  return false;
}

bool areWhole(Element element, std::size_t bytes) {
  return element.size > 0 && bytes % element.size == 0;
}
/// Only the simplest encodings take any number of bytes, and only raw takes none.
bool canHold(Encoding encoding, std::size_t bytes) {
  return bytes == 0 ? encoding == Encoding::raw
                    : bytes <= mostBytes || encoding <= Encoding::constant;
}

} // namespace

std::string_view encodingName(Encoding encoding) noexcept {
  static constexpr std::array<std::string_view, encodings> names{
      "raw",       "constant",   "packed", "compressed", "parts",    "bytePlanes",
      "bitPlanes", "dictionary", "runs",   "frequent",   "quantised"};
  const auto number = static_cast<std::size_t>(encoding);
  return number < names.size() ? names[number] : "?";
}

Encoding encodingNamed(std::string_view name) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < encodings; ++i) {
    known.emplace_back(encodingName(static_cast<Encoding>(i)));
    if (known.back() == name)
      return static_cast<Encoding>(i);
  }
  fail(ErrorKind::name, "no encoding is called '", name, "'", suggestion(name, known));
}

bool encode(Encoding encoding, Element element, std::span<const std::byte> values, Compression how,
            Buffer& out) {
  if (!areWhole(element, values.size()) || !canHold(encoding, values.size()))
    return false;
  const std::size_t before = out.size();
  if (encodeAny(encoding, element, values, how, out))
    return true;
  out.shrink(before);
  return false;
}

bool decode(Encoding encoding, Element element, std::span<const std::byte> stored,
            std::span<std::byte> values) noexcept {
  if (!areWhole(element, values.size()) || !canHold(encoding, values.size()))
    return false;
  try {
    return decodeAny(encoding, element, stored, values);
  } catch (const std::bad_alloc&) { // of scratch memory as large as the values
    return false;
  }
}

bool decodeCounts(Encoding encoding, std::span<const std::byte> stored,
                  std::span<std::uint32_t> offsets, std::uint64_t& total) noexcept {
  total = 0;
  if (offsets.empty())
    return false;
  const std::span<std::byte> counts = std::as_writable_bytes(offsets.subspan(1));
  if (encoding == Encoding::packed && canHold(encoding, counts.size()))
    return decodePackedCounts(stored, offsets, total);
  return decode(encoding, {sizeof(std::uint32_t), false, false}, stored, counts) &&
         sumDecodedCounts(offsets, total);
}

} // namespace kaon::codec
