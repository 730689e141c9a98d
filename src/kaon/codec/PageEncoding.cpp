#include <kaon/codec/PageEncoding.h>

#include <kaon/codec/EncodingTable.h>
#include <kaon/codec/Packed.h>

#include <algorithm>
#include <new>

namespace kaon::codec {
namespace {

constexpr std::size_t mostBytes = (std::size_t{1} << 31) - 1;

bool areWhole(Element element, std::size_t bytes) {
  return element.size > 0 && bytes % element.size == 0;
}
/// Only the simplest encodings accept any number of bytes, and only raw accepts 0.
bool canHold(Encoding encoding, std::size_t bytes) {
  return bytes == 0 ? encoding == Encoding::raw
                    : bytes <= mostBytes || encoding <= Encoding::constant;
}

} // namespace

bool encode(const Scheme& scheme, Element element, std::span<const std::byte> values,
            Compression how, Buffer& out) {
  const auto [encoding, transform] = scheme;
  const EncodingRow* const row = encodingRow(encoding);
  if (!row || !areWhole(element, values.size()) || !canHold(encoding, values.size()) ||
      (transform && std::ranges::find(row->transforms, *transform) == row->transforms.end()))
    return false;
  const std::size_t before = out.size();
  if (transform ? row->encodeBy(*transform, element, values, how, out)
                : row->encode(element, values, how, out))
    return true;
  out.shrink(before);
  return false;
}

bool decode(Encoding encoding, Element element, std::span<const std::byte> stored,
            std::span<std::byte> values) noexcept {
  const EncodingRow* const row = encodingRow(encoding);
  if (!row || !areWhole(element, values.size()) || !canHold(encoding, values.size()))
    return false;
  try {
    return row->decode(element, stored, values);
  } catch (const std::bad_alloc&) { // for scratch memory as large as the values
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
