#include <kaon/codec/Inner.h>

#include <kaon/codec/Packed.h>
#include <kaon/codec/Parts.h>
#include <kaon/codec/Plain.h>
#include <kaon/detail/codec/EncodingNumber.h>

#include <cstring>
#include <new>
#include <optional>
#include <span>

namespace kaon::codec {
namespace {

struct InnerEncoding {
  bool (*encode)(Element element, Bytes values, Compression how, Buffer& out);
  bool (*decode)(Element element, Bytes stored, std::span<std::byte> values);
};

/// Returns the functions of an encoding that may be inside others. All but raw need at least one
/// value.
std::optional<InnerEncoding> innerEncoding(Encoding encoding) noexcept {
  switch (encoding) {
  case Encoding::raw:
    return InnerEncoding{encodeRaw, decodeRaw};
  case Encoding::packed:
    return InnerEncoding{encodePacked, decodePacked};
  case Encoding::compressed:
    return InnerEncoding{encodeCompressed, decodeCompressed};
  case Encoding::parts:
    return InnerEncoding{encodeParts, decodeParts};
  default:
    return std::nullopt;
  }
}

bool encodeInner(Encoding encoding, Element element, Bytes values, Compression how, Buffer& out) {
  const std::size_t before = out.size();
  if (!values.empty() && innerEncoding(encoding)->encode(element, values, how, out))
    return true;
  out.shrink(before);
  return false;
}

/// Tries an encoding with a codec, which may be smaller than packing.
bool encodeWithCodec(Encoding encoding, Element element, Bytes values, Compression how,
                     Buffer& out) {
  const std::size_t most = sizePacked(element, values);
  const std::size_t before = out.size();
  if (encodeInner(encoding, element, values, how, out) && out.size() - before < most - most / 32)
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
    if (!encodeInner(encoding, element, values, how, out)) {
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
  const auto inner = innerEncoding(encoding);
  if (!stored.ok() || !inner || (values.empty() && encoding != Encoding::raw))
    return false;
  try {
    return inner->decode(element, bytes, values);
  } catch (const std::bad_alloc&) { // for scratch memory as large as the values
    return false;
  }
}

} // namespace kaon::codec
