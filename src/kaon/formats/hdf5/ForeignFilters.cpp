#include <kaon/formats/hdf5/ForeignFilters.h>

#include <kaon/base/Bytes.h>
#include <kaon/codec/BlockCompression.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#ifdef KAON_HAS_BLOSC
#include <blosc.h>
#endif

namespace kaon::hdf5 {
namespace {

constexpr std::size_t elementsPerByte = 8;

/// Takes values from the front of bytes.
class RemainingBytes {
public:
  explicit RemainingBytes(std::span<const std::byte> bytes) : m_bytes(bytes) {}
  /// Returns a big-endian number, or nothing if too few bytes are left.
  template <class Number>
  [[nodiscard]] std::optional<Number> number() {
    const auto bytes = take(sizeof(Number));
    if (!bytes)
      return std::nullopt;
    Number number = 0;
    for (const std::byte byte : *bytes)
      number = static_cast<Number>(number << 8U | std::to_integer<Number>(byte));
    return number;
  }
  [[nodiscard]] std::optional<std::span<const std::byte>> take(std::size_t size) {
    if (size > m_bytes.size())
      return std::nullopt;
    const auto front = m_bytes.first(size);
    m_bytes = m_bytes.subspan(size);
    return front;
  }
  [[nodiscard]] bool isEmpty() const noexcept { return m_bytes.empty(); }

private:
  std::span<const std::byte> m_bytes;
};

/// Returns the bytes of a block behind their number.
std::optional<std::span<const std::byte>> blockIn(RemainingBytes& from) {
  const auto size = from.number<std::uint32_t>();
  return size ? from.take(*size) : std::nullopt;
}

/// Transposes a matrix of 8 × 8 bits; byte i is row i. Hacker's Delight, 7-3.
std::uint64_t transposed(std::uint64_t bits) {
  const auto swap = [&bits](std::uint64_t mask, unsigned distance) {
    const std::uint64_t changed = (bits ^ bits >> distance) & mask;
    bits ^= changed ^ changed << distance;
  };
  swap(0x00AA00AA00AA00AA, 7);
  swap(0x0000CCCC0000CCCC, 14);
  swap(0x00000000F0F0F0F0, 28);
  return bits;
}

/// Restores elements from their bits. Their number is a multiple of eight.
void mergeBits(std::size_t elementSize, const std::byte* bits, std::span<std::byte> elements) {
  const std::size_t planeBytes = elements.size() / elementSize / elementsPerByte;
  for (std::size_t byte = 0; byte < elementSize; ++byte)
    for (std::size_t eight = 0; eight < planeBytes; ++eight) {
      std::uint64_t rows = 0;
      for (std::size_t bit = 0; bit < 8; ++bit)
        rows |= std::to_integer<std::uint64_t>(bits[(byte * 8 + bit) * planeBytes + eight])
                << (8 * bit);
      rows = transposed(rows);
      std::byte* const to = elements.data() + eight * elementsPerByte * elementSize + byte;
      for (std::size_t i = 0; i < elementsPerByte; ++i)
        to[i * elementSize] = static_cast<std::byte>(rows >> (8 * i));
    }
}

/// Returns the elements of a block where the writer chose no number.
std::size_t usualElements(std::size_t elementSize) {
  constexpr std::size_t targetBytes = 8192, least = 128;
  const std::size_t elements = targetBytes / elementSize;
  return std::max(elements - elements % elementsPerByte, least);
}

} // namespace

bool undoLz4(std::span<const std::byte> bytes, std::span<std::byte> out) {
  RemainingBytes from(bytes);
  const auto size = from.number<std::uint64_t>();
  const auto blockBytes = from.number<std::uint32_t>();
  if (size != out.size() || !blockBytes || *blockBytes == 0)
    return false;
  while (!out.empty()) {
    const auto to = out.first(std::min<std::size_t>(*blockBytes, out.size()));
    const auto block = blockIn(from);
    if (!block)
      return false;
    if (block->size() == to.size())
      std::ranges::copy(*block, to.begin());
    else if (!codec::decompress(Codec::lz4, *block, to))
      return false;
    out = out.subspan(to.size());
  }
  return true;
}

bool undoLzf(std::span<const std::byte> bytes, std::span<std::byte> out) {
  constexpr unsigned literals = 32, longest = 7;
  RemainingBytes from(bytes);
  std::size_t at = 0;
  while (const auto control = from.number<std::uint8_t>()) {
    if (*control < literals) {
      const auto run = from.take(*control + 1U);
      if (!run || run->size() > out.size() - at)
        return false;
      std::ranges::copy(*run, out.begin() + static_cast<std::ptrdiff_t>(at));
      at += run->size();
      continue;
    }
    std::size_t length = *control >> 5U;
    if (length == longest) {
      const auto more = from.number<std::uint8_t>();
      if (!more)
        return false;
      length += *more;
    }
    length += 2;
    const auto low = from.number<std::uint8_t>();
    const std::size_t distance = ((*control & 31U) << 8U) + low.value_or(0) + 1U;
    if (!low || distance > at || length > out.size() - at)
      return false;
    for (const std::size_t end = at + length; at < end; ++at) // the copy may overlap itself
      out[at] = out[at - distance];
  }
  return at == out.size();
}

bool undoBitshuffle(const Bitshuffle& how, std::span<const std::byte> bytes,
                    std::span<std::byte> out) {
  const std::size_t elementSize = how.elementSize;
  if (elementSize == 0)
    return false;
  RemainingBytes from(bytes);
  std::size_t blockBytes = how.blockBytes;
  if (how.codec != Codec::none) {
    const auto size = from.number<std::uint64_t>();
    const auto stated = from.number<std::uint32_t>();
    if (size != out.size() || !stated)
      return false;
    blockBytes = *stated;
  }
  const std::size_t blockElements =
      blockBytes == 0 ? usualElements(elementSize) : blockBytes / elementSize;
  if (blockElements == 0 || blockElements % elementsPerByte != 0)
    return false;
  const std::size_t raw =
      out.size() / elementSize % elementsPerByte * elementSize + out.size() % elementSize;
  Buffer bits;
  while (out.size() > raw) {
    const auto to = out.first(std::min(blockElements * elementSize, out.size() - raw));
    if (how.codec == Codec::none) {
      const auto block = from.take(to.size());
      if (!block)
        return false;
      mergeBits(elementSize, block->data(), to);
    } else {
      const auto block = blockIn(from);
      if (!block || !codec::decompress(how.codec, *block, bits.assign(to.size())))
        return false;
      mergeBits(elementSize, bits.data(), to);
    }
    out = out.subspan(to.size());
  }
  const auto last = from.take(raw);
  if (!last || !from.isEmpty())
    return false;
  std::ranges::copy(*last, out.begin());
  return true;
}

#ifdef KAON_HAS_BLOSC
bool hasBlosc() noexcept { return true; }

bool undoBlosc(std::span<const std::byte> bytes, std::span<std::byte> out) {
  std::size_t size = 0;
  if (bytes.size() < BLOSC_MIN_HEADER_LENGTH ||
      blosc_cbuffer_validate(bytes.data(), bytes.size(), &size) < 0 || size != out.size())
    return false;
  return out.empty() || blosc_decompress_ctx(bytes.data(), out.data(), out.size(), 1) ==
                            static_cast<int>(out.size());
}
#else
bool hasBlosc() noexcept { return false; }

bool undoBlosc(std::span<const std::byte>, std::span<std::byte>) { return false; }
#endif

} // namespace kaon::hdf5
