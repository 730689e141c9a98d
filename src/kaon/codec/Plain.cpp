#include <kaon/codec/Plain.h>

#include <kaon/codec/BlockCompression.h>

#include <algorithm>
#include <cstring>

namespace kaon::codec {

bool encodeRaw(Element, Bytes values, Compression, Buffer& out) {
  out.append(values);
  return true;
}

bool decodeRaw(Element, Bytes stored, std::span<std::byte> values) {
  if (stored.size() != values.size())
    return false;
  std::ranges::copy(stored, values.begin());
  return true;
}

bool encodeConstant(Element element, Bytes values, Compression, Buffer& out) {
  if (std::memcmp(values.data(), values.data() + element.size, values.size() - element.size) != 0)
    return false;
  out.append(values.first(element.size));
  return true;
}

bool decodeConstant(Element element, Bytes stored, std::span<std::byte> values) {
  if (stored.size() != element.size)
    return false;
  // Each copy doubles the bytes that are filled.
  std::memcpy(values.data(), stored.data(), element.size);
  for (std::size_t done = element.size; done < values.size();) {
    const std::size_t next = std::min(done, values.size() - done);
    std::memcpy(values.data() + done, values.data(), next);
    done += next;
  }
  return true;
}

bool encodeCompressed(Element, Bytes values, Compression how, Buffer& out) {
  const std::size_t head = out.size();
  out.grow(1);
  const Codec codec = shrink(how, values, out);
  std::memcpy(out.data() + head, &codec, 1);
  return codec != Codec::none;
}

bool decodeCompressed(Element, Bytes stored, std::span<std::byte> values) {
  StoredReader reader(stored);
  const auto codec = static_cast<Codec>(reader.get<std::uint8_t>());
  return reader.ok() && codec != Codec::none && decompress(codec, reader.rest(), values);
}

} // namespace kaon::codec
