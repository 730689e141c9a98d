#include <kaon/codec/Packed.h>

#include <kaon/base/OfThread.h>
#include <kaon/codec/BitPacking.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <vector>

namespace kaon::codec {
namespace {

constexpr std::size_t blocksOf(std::size_t count) {
  return (count + blockValues - 1) / blockValues;
}
/// Returns the number of values in block `block` of `count` values.
constexpr std::size_t inBlock(std::size_t block, std::size_t count) {
  return std::min(blockValues, count - block * blockValues);
}
constexpr std::size_t headSize(Transform transform, unsigned size, std::size_t blocks) {
  return 2 + blocks * (1 + size * (transform == Transform::delta ? 2u : 1u));
}

/// The packing of a page with one transform.
struct Plan {
  Transform transform = Transform::none;
  unsigned shift = 0;
  std::size_t bytes = 0;
  std::span<const BlockRange> ranges;
  [[nodiscard]] unsigned width(std::size_t block) const {
    return static_cast<unsigned>(std::bit_width(ranges[block].span >> shift));
  }
};

/// Returns the plan for `count` values with these ranges.
Plan planOf(Element element, Transform transform, std::size_t count,
            std::span<const BlockRange> ranges) {
  std::uint64_t varying = 0;
  for (const BlockRange& range : ranges)
    varying |= range.varying;
  Plan plan{transform, 0, headSize(transform, element.size, ranges.size()), ranges};
  if (varying != 0 && transform != Transform::delta)
    plan.shift = static_cast<unsigned>(std::countr_zero(varying));
  for (std::size_t block = 0; block < ranges.size(); ++block)
    plan.bytes += packedBlockSize(element.size, inBlock(block, count), plan.width(block));
  return plan;
}

Plan makePlan(Element element, Transform transform, Bytes values, std::span<BlockRange> ranges) {
  const std::size_t count = values.size() / element.size;
  for (std::size_t block = 0; block < ranges.size(); ++block)
    ranges[block] =
        measureBlock(element.size, transform, element.isSigned,
                     values.data() + block * blockValues * element.size, inBlock(block, count));
  return planOf(element, transform, count, ranges);
}

/// Returns memory for the ranges of this many plans, which the next call reuses.
std::span<BlockRange> rangesOf(std::size_t plans, std::size_t blocks) {
  auto& memory = ofThread<Buffer>();
  const std::size_t count = plans * blocks;
  return {detail::valuesAt<BlockRange>(memory.assign(count * sizeof(BlockRange)).data()), count};
}

/// Whether a plan has fewer bytes. Delta decodes more slowly, so it must save enough.
bool isBetter(const Plan& plan, const Plan& than) {
  return plan.bytes <
         (plan.transform == Transform::delta ? than.bytes - than.bytes / 16 : than.bytes);
}

/// Returns the plan with the fewest bytes.
Plan bestPlan(Element element, Bytes values) {
  const std::size_t blocks = blocksOf(values.size() / element.size);
  const std::span<BlockRange> ranges = rangesOf(3, blocks);
  Plan best = makePlan(element, Transform::none, values, ranges.first(blocks));
  if (element.isFloat) {
    const Plan rotated =
        makePlan(element, Transform::rotated, values, ranges.subspan(blocks, blocks));
    if (isBetter(rotated, best))
      best = rotated;
  }
  const Plan delta = makePlan(element, Transform::delta, values, ranges.last(blocks));
  return isBetter(delta, best) ? delta : best;
}

void putHead(const Plan& plan, Element element, Buffer& out) {
  put(static_cast<std::uint8_t>(plan.transform), out);
  put(static_cast<std::uint8_t>(plan.shift), out);
  for (std::size_t block = 0; block < plan.ranges.size(); ++block)
    put(static_cast<std::uint8_t>(plan.width(block)), out);
  for (const BlockRange& range : plan.ranges)
    putNumber(range.least, element.size, out);
}

void putBlock(const Plan& plan, std::size_t block, Element element, const std::byte* values,
              std::size_t count, Buffer& out) {
  const Packing packing{plan.transform, plan.shift, plan.width(block), plan.ranges[block].least, 0};
  packBlock(element.size, packing, values, count,
            out.grow(packedBlockSize(element.size, count, packing.width)));
}

void encodeBy(const Plan& plan, Element element, Bytes values, Buffer& out) {
  const std::size_t count = values.size() / element.size;
  out.reserve(out.size() + plan.bytes);
  putHead(plan, element, out);
  const std::size_t blockBytes = blockValues * element.size;
  if (plan.transform == Transform::delta)
    for (std::size_t block = 0; block < plan.ranges.size(); ++block)
      out.append(values.subspan(block * blockBytes, element.size));
  for (std::size_t block = 0; block < plan.ranges.size(); ++block)
    putBlock(plan, block, element, values.data() + block * blockBytes, inBlock(block, count), out);
}

/// Calls `use(block, values, count)` for each block of values that are made in parts.
template <class Use>
void forEachBlockOf(Element element, std::size_t size, const BytesAt& values, Use use) {
  const std::size_t blockBytes = blockValues * element.size;
  std::size_t block = 0;
  for (std::size_t first = 0; first < size; first += partBytes) {
    const Bytes part = values(first, std::min(partBytes, size - first));
    for (std::size_t at = 0; at < part.size(); at += blockBytes)
      use(block++, part.data() + at, std::min(blockBytes, part.size() - at) / element.size);
  }
}
static_assert(partBytes % (blockValues * sizeof(std::uint64_t)) == 0);

/// A packed page whose size was checked.
class PackedPage {
public:
  /// Returns false if the bytes are inconsistent or do not have that number of values.
  [[nodiscard]] bool open(unsigned size, Bytes stored, std::size_t count) noexcept {
    StoredReader reader(stored);
    m_size = size;
    m_count = count;
    m_transform = static_cast<Transform>(reader.get<std::uint8_t>());
    m_shift = reader.get<std::uint8_t>();
    const std::size_t blocks = blocksOf(count);
    if (!reader.ok() || m_transform > Transform::rotated || m_shift >= 8 * size ||
        reader.left() / (1 + size) < blocks)
      return false;
    m_widths = reader.take(blocks);
    m_bases = reader.take(blocks * size).data();
    if (m_transform == Transform::delta)
      m_firsts = reader.take(blocks * size).data();
    if (!reader.ok())
      return false;
    std::size_t bytes = 0;
    for (std::size_t block = 0; block < blocks; ++block) {
      if (width(block) > 8 * size)
        return false;
      bytes += packedBlockSize(size, inBlock(block, count), width(block));
    }
    m_bits = reader.rest().data();
    return bytes == stored.size() - headSize(m_transform, size, blocks);
  }

  /// Calls use(packing, packed bytes, number of values) for each block.
  template <class Use>
  void forEachBlock(Use use) const {
    const std::byte* bits = m_bits;
    for (std::size_t block = 0; block < m_widths.size(); ++block) {
      const std::size_t count = inBlock(block, m_count);
      Packing packing{m_transform, m_shift, width(block), numberAt(m_bases, block), 0};
      if (m_transform == Transform::delta)
        packing.first = numberAt(m_firsts, block);
      use(packing, bits, count);
      bits += packedBlockSize(m_size, count, packing.width);
    }
  }

private:
  [[nodiscard]] unsigned width(std::size_t block) const noexcept {
    return std::to_integer<unsigned>(m_widths[block]);
  }
  [[nodiscard]] std::uint64_t numberAt(const std::byte* numbers, std::size_t block) const noexcept {
    std::uint64_t number = 0;
    std::memcpy(&number, numbers + block * m_size, m_size);
    return number;
  }

  unsigned m_size = 0;
  std::size_t m_count = 0;
  Transform m_transform = Transform::none;
  unsigned m_shift = 0;
  Bytes m_widths;
  const std::byte* m_bases = nullptr;
  const std::byte* m_firsts = nullptr;
  const std::byte* m_bits = nullptr;
};

/// Returns an upper bound of the values in a block.
std::uint64_t mostOf(const Packing& packing) noexcept {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (packing.transform != Transform::none)
    return most;
  const std::uint64_t above = ((std::uint64_t{1} << packing.width) - 1) << packing.shift;
  return std::min(most, packing.base + above);
}

/// Adds up counts; if the sum might not fit, adds them one by one in 64 bits.
void addCounts(const std::uint32_t* counts, std::size_t count, std::uint64_t most,
               std::uint64_t& total, std::uint32_t* sums) noexcept {
  constexpr std::uint64_t limit = std::numeric_limits<std::uint32_t>::max();
  if (total + count * most <= limit) {
    total = sumCounts(static_cast<std::uint32_t>(total), counts, count, sums);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    total += counts[i];
    sums[i] = static_cast<std::uint32_t>(total);
  }
}

} // namespace

bool encodePacked(Element element, Bytes values, Compression, Buffer& out) {
  if (!element.isNumber())
    return false;
  encodeBy(bestPlan(element, values), element, values, out);
  return true;
}

bool encodePackedBy(Transform transform, Element element, Bytes values, Compression, Buffer& out) {
  if (!element.isNumber())
    return false;
  const std::span<BlockRange> ranges = rangesOf(1, blocksOf(values.size() / element.size));
  encodeBy(makePlan(element, transform, values, ranges), element, values, out);
  return true;
}

bool encodePackedInParts(std::optional<Transform> transform, Element element, std::size_t size,
                         const BytesAt& values, PartOutput& out) {
  std::vector<Transform> transforms{Transform::none, Transform::rotated, Transform::delta};
  if (transform)
    transforms = {*transform};
  else if (!element.isFloat)
    transforms = {Transform::none, Transform::delta};
  const std::size_t count = size / element.size;
  std::vector<std::vector<BlockRange>> ranges(transforms.size(),
                                              std::vector<BlockRange>(blocksOf(count)));
  Buffer firsts, memory;
  forEachBlockOf(element, size, values,
                 [&](std::size_t block, const std::byte* some, std::size_t number) {
                   for (std::size_t i = 0; i < transforms.size(); ++i)
                     ranges[i][block] =
                         measureBlock(element.size, transforms[i], element.isSigned, some, number);
                   firsts.append({some, element.size});
                 });
  Plan plan = planOf(element, transforms[0], count, ranges[0]);
  for (std::size_t i = 1; i < transforms.size(); ++i)
    if (const Plan other = planOf(element, transforms[i], count, ranges[i]); isBetter(other, plan))
      plan = other;
  if (plan.bytes >= size)
    return false;
  putHead(plan, element, memory);
  out.append(memory.bytes());
  if (plan.transform == Transform::delta)
    out.append(firsts.bytes());
  memory.clear();
  forEachBlockOf(element, size, values,
                 [&](std::size_t block, const std::byte* some, std::size_t number) {
                   putBlock(plan, block, element, some, number, memory);
                   if (memory.size() >= partBytes) {
                     out.append(memory.bytes());
                     memory.clear();
                   }
                 });
  out.append(memory.bytes());
  return true;
}

std::size_t sizePacked(Element element, Bytes values) { return bestPlan(element, values).bytes; }

bool decodePacked(Element element, Bytes stored, std::span<std::byte> values) noexcept {
  PackedPage page;
  if (!element.isNumber() || !page.open(element.size, stored, values.size() / element.size))
    return false;
  std::byte* out = values.data();
  page.forEachBlock([&](const Packing& packing, const std::byte* packed, std::size_t count) {
    unpackBlock(element.size, packing, packed, count, out);
    out += count * element.size;
  });
  return true;
}

bool decodePackedInParts(Element element, Bytes stored, std::span<std::byte> values,
                         const BytesUsed& used) {
  PackedPage page;
  if (!element.isNumber() || !page.open(element.size, stored, values.size() / element.size))
    return false;
  std::byte* out = values.data();
  const std::byte* begin = stored.data();
  page.forEachBlock([&](const Packing& packing, const std::byte* packed, std::size_t count) {
    if (packed >= begin + partBytes) {
      used({begin, packed});
      begin = packed;
    }
    unpackBlock(element.size, packing, packed, count, out);
    out += count * element.size;
  });
  used({begin, stored.data() + stored.size()});
  return true;
}

bool decodePackedCounts(Bytes stored, std::span<std::uint32_t> offsets,
                        std::uint64_t& total) noexcept {
  PackedPage page;
  if (!page.open(sizeof(std::uint32_t), stored, offsets.size() - 1))
    return false;
  alignas(64) std::array<std::uint32_t, blockValues> counts;
  std::uint32_t* sums = offsets.data();
  *sums++ = 0;
  total = 0;
  page.forEachBlock([&](const Packing& packing, const std::byte* packed, std::size_t count) {
    unpackBlock(sizeof(std::uint32_t), packing, packed, count, detail::bytesAt(counts.data()));
    addCounts(counts.data(), count, mostOf(packing), total, sums);
    sums += count;
  });
  return total <= std::numeric_limits<std::uint32_t>::max();
}

bool sumDecodedCounts(std::span<std::uint32_t> offsets, std::uint64_t& total) noexcept {
  total = 0;
  offsets[0] = 0;
  addCounts(offsets.data() + 1, offsets.size() - 1, std::numeric_limits<std::uint32_t>::max(),
            total, offsets.data() + 1);
  return total <= std::numeric_limits<std::uint32_t>::max();
}

} // namespace kaon::codec
