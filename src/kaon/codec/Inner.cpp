#include <kaon/codec/Inner.h>

#include <kaon/codec/Packed.h>

#include <cstring>

namespace kaon::codec {
namespace {

/// The encoding that a codec may do better with than packing.
bool encodeWithCodec(Encoding encoding, Element element, Bytes values, Compression how,
                     Buffer& out) {
  const std::size_t most = sizePacked(element, values);
  const std::size_t before = out.size();
  if (encode(encoding, element, values, how, out) && out.size() - before < most - most / 32)
    return true;
  out.shrink(before);
  return false;
}

} // namespace

void putInner(Element element, Bytes values, Compression how, Buffer& out) {
  const std::size_t head = out.size();
  out.grow(5);
  Encoding encoding = element.size == 1 ? Encoding::compressed : Encoding::parts;
  const bool entropyCoded = how.codec != Codec::none && how.codec != Codec::lz4;
  if (!entropyCoded || !encodeWithCodec(encoding, element, values, how, out)) {
    encoding = Encoding::packed;
    if (!encode(encoding, element, values, how, out)) {
      encoding = Encoding::raw;
      out.append(values);
    }
  }
  const auto size = static_cast<std::uint32_t>(out.size() - head - 5);
  std::memcpy(out.data() + head, &encoding, 1);
  std::memcpy(out.data() + head + 1, &size, 4);
}

bool takeInner(StoredReader& stored, Element element, std::span<std::byte> values) noexcept {
  const auto encoding = static_cast<Encoding>(stored.get<std::uint8_t>());
  const Bytes bytes = stored.take(stored.get<std::uint32_t>());
  if (!stored.ok())
    return false;
  switch (encoding) {
  case Encoding::raw:
  case Encoding::packed:
  case Encoding::compressed:
  case Encoding::parts:
    return decode(encoding, element, bytes, values);
  default:
    return false;
  }
}

} // namespace kaon::codec
