#include <kaon/codec/Parts.h>

#include <kaon/base/OfThread.h>
#include <kaon/codec/BitPacking.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace kaon::codec {
namespace {

constexpr unsigned mostPlanes = 8;

/// Calls use(first value, number of values) for each block.
template <class Use>
void forEachBlock(std::size_t count, Use use) {
  for (std::size_t first = 0; first < count; first += blockValues)
    use(first, std::min(blockValues, count - first));
}

std::size_t packedSize(unsigned size, std::size_t count, unsigned width) {
  const std::size_t full = count / blockValues;
  return full * packedBlockSize(size, blockValues, width) +
         packedBlockSize(size, count % blockValues, width);
}

/// Returns the packing of a whole page with one base; `width` counts all bits.
Packing wholePage(Element element, Transform transform, Bytes values) {
  // Compares like measureBlock().
  const bool isSigned = element.isSigned && transform == Transform::none;
  const std::uint64_t signBit = isSigned ? std::uint64_t{1} << (8 * element.size - 1) : 0;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * element.size);
  std::uint64_t least = mask;
  std::uint64_t most = 0;
  std::uint64_t varying = 0;
  std::uint64_t some = 0;
  forEachBlock(values.size() / element.size, [&](std::size_t first, std::size_t count) {
    const BlockRange range = measureBlock(element.size, transform, element.isSigned,
                                          values.data() + first * element.size, count);
    if (first == 0)
      some = range.least;
    least = std::min(least, range.least ^ signBit);
    most = std::max(most, ((range.least + range.span) & mask) ^ signBit);
    varying |= range.varying | (range.least ^ some);
  });
  Packing packing{transform, 0, 0, least ^ signBit, 0};
  if (varying != 0)
    packing.shift = static_cast<unsigned>(std::countr_zero(varying));
  packing.width = static_cast<unsigned>(std::bit_width((most - least) >> packing.shift));
  return packing;
}

/// Returns the bits per byte that an ideal code needs, from a sample of the bytes.
double entropy(Bytes bytes) {
  constexpr std::size_t samples = 4096;
  std::array<std::uint32_t, 256> counts{};
  const std::size_t step = std::max<std::size_t>(1, bytes.size() / samples);
  std::size_t total = 0;
  for (std::size_t i = 0; i < bytes.size(); i += step, ++total)
    ++counts[std::to_integer<std::size_t>(bytes[i])];
  double sum = 0;
  for (const std::uint32_t count : counts)
    if (count > 0)
      sum += count * std::log2(count);
  return std::log2(total) - sum / static_cast<double>(total);
}

/// Takes planes off the top of a page as long as they are worth a codec's time. Stores them highest
/// first in `planes`, sets `packing.width` to the bits left, and returns their number.
unsigned takePlanes(unsigned size, Packing& packing, Bytes values, std::byte* planes) {
  constexpr double noise = 7.7; // bits per byte above which no codec saves 1/32
  const std::size_t count = values.size() / size;
  unsigned taken = 0;
  // All planes but a single one are whole bytes: if fewer bits are left, they stay below.
  while (packing.width >= (taken == 0 ? 1 : 8) && taken < mostPlanes) {
    const unsigned low = packing.width - std::min(packing.width, 8u);
    std::byte* const plane = planes + taken * count;
    forEachBlock(count, [&](std::size_t first, std::size_t inBlock) {
      extractHigh(size, packing, values.data() + first * size, inBlock, low, plane + first);
    });
    if (entropy({plane, count}) > noise)
      break;
    packing.width = low;
    ++taken;
  }
  return taken;
}

bool canHave(Element element, Compression how) {
  return element.isNumber() && element.size > 1 && how.codec != Codec::none;
}

bool encodeBy(Packing packing, Element element, Bytes values, Compression how, Buffer& out) {
  auto& memory = ofThread<Buffer>();
  const std::size_t count = values.size() / element.size;
  std::byte* const planes = memory.assign(mostPlanes * count).data();
  const unsigned taken = takePlanes(element.size, packing, values, planes);
  if (taken == 0)
    return false;
  put(static_cast<std::uint8_t>(packing.transform), out);
  put(static_cast<std::uint8_t>(packing.shift), out);
  put(static_cast<std::uint8_t>(packing.width), out);
  put(static_cast<std::uint8_t>(taken), out);
  putNumber(packing.base, element.size, out);
  for (unsigned plane = taken; plane-- > 0;)
    putPiece(how, {planes + plane * count, count}, out);
  std::byte* packed = out.grow(packedSize(element.size, count, packing.width));
  forEachBlock(count, [&](std::size_t first, std::size_t inBlock) {
    packBlock(element.size, packing, values.data() + first * element.size, inBlock, packed);
    packed += packedBlockSize(element.size, inBlock, packing.width);
  });
  return true;
}

} // namespace

bool encodeParts(Element element, Bytes values, Compression how, Buffer& out) {
  if (!canHave(element, how))
    return false;
  Packing packing = wholePage(element, Transform::none, values);
  if (element.isFloat) {
    const Packing rotated = wholePage(element, Transform::rotated, values);
    if (rotated.width < packing.width)
      packing = rotated;
  }
  return encodeBy(packing, element, values, how, out);
}

bool encodePartsBy(Transform transform, Element element, Bytes values, Compression how,
                   Buffer& out) {
  return canHave(element, how) &&
         encodeBy(wholePage(element, transform, values), element, values, how, out);
}

bool decodeParts(Element element, Bytes stored, std::span<std::byte> values) {
  if (!element.isNumber() || element.size == 1)
    return false;
  auto& memory = ofThread<Buffer>();
  const std::size_t count = values.size() / element.size;
  StoredReader reader(stored);
  Packing packing;
  packing.transform = static_cast<Transform>(reader.get<std::uint8_t>());
  packing.shift = reader.get<std::uint8_t>();
  packing.width = reader.get<std::uint8_t>();
  const unsigned planes = reader.get<std::uint8_t>();
  packing.base = reader.getNumber(element.size);
  if (!reader.ok() || packing.shift >= 8 * element.size || planes == 0 || planes > mostPlanes ||
      packing.width + 8 * (planes - 1) >= 8 * element.size ||
      (packing.transform != Transform::none && packing.transform != Transform::rotated))
    return false;
  std::array<const std::byte*, mostPlanes> high{};
  std::byte* const scratch = memory.assign(planes * count).data();
  for (unsigned plane = 0; plane < planes; ++plane) {
    const Bytes bytes = takePiece(reader, count, scratch + plane * count);
    if (bytes.size() != count)
      return false;
    high[plane] = bytes.data();
  }
  if (reader.left() != packedSize(element.size, count, packing.width))
    return false;
  const std::byte* packed = reader.rest().data();
  const Packing low{Transform::none, 0, packing.width, 0, 0};
  forEachBlock(count, [&](std::size_t first, std::size_t inBlock) {
    std::byte* const out = values.data() + first * element.size;
    unpackBlock(element.size, low, packed, inBlock, out);
    mergeHigh(element.size, packing, high.data(), planes, inBlock, out);
    packed += packedBlockSize(element.size, inBlock, low.width);
    for (unsigned plane = 0; plane < planes; ++plane)
      high[plane] += inBlock;
  });
  return true;
}

} // namespace kaon::codec
