#include <kaon/codec/Frequent.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/OfThread.h>
#include <kaon/codec/Inner.h>
#include <kaon/codec/Numbers.h>
#include <kaon/codec/Selection.h>

#include <algorithm>
#include <array>
#include <optional>

namespace kaon::codec {
namespace {

/// Returns a number that occurs more than once among some of the values, very likely the most
/// frequent one. Each slot keeps the majority of the numbers that hash to it, if there is one.
template <class T>
std::optional<std::uint64_t> frequentNumber(Bytes values) {
  struct Slot {
    std::uint64_t number;
    std::uint32_t votes;
  };
  constexpr std::size_t samples = 1024;
  std::array<Slot, 512> slots{};
  const std::size_t count = values.size() / sizeof(T);
  const std::size_t taken = std::min(count, samples);
  if (taken == 0)
    return std::nullopt;
  // Evenly spread: sample i is at i * count / taken, without a division for each.
  const std::size_t step = count / taken, more = count % taken;
  for (std::size_t i = 0, place = 0, part = 0; i < taken; ++i) {
    const std::uint64_t number = detail::loadAs<T>(values.data() + place * sizeof(T));
    place += step;
    part += more;
    if (part >= taken) {
      part -= taken;
      ++place;
    }
    Slot& slot = slots[number * 0x9E3779B97F4A7C15u >> 55];
    if (slot.votes == 0)
      slot = {number, 1};
    else if (slot.number == number)
      ++slot.votes;
    else
      --slot.votes;
  }
  const Slot& most = *std::ranges::max_element(slots, {}, &Slot::votes);
  return most.votes > 1 ? std::optional(most.number) : std::nullopt;
}

} // namespace

bool encodeFrequent(Element element, Bytes values, Compression how, Buffer& out) {
  auto& bitMemory = ofThread<Buffer>();
  auto& otherMemory = ofThread<Buffer>();
  if (!element.isNumber())
    return false;
  const auto usual = withNumber(
      element.size, [&](auto number) { return frequentNumber<decltype(number)>(values); });
  if (!usual)
    return false;
  const std::size_t count = values.size() / element.size;
  const std::span<std::byte> bitmap = bitMemory.assign((count + 7) / 8);
  std::byte* const others = otherMemory.assign(values.size() + readAhead).data();
  const std::size_t selected =
      separate(element.size, *usual, values.data(), count, bitmap.data(), others);
  if (selected == 0)
    return false;
  putNumber(*usual, element.size, out);
  put(static_cast<std::uint32_t>(selected), out);
  putPiece(how, bitmap, out);
  putInner(element, {others, selected * element.size}, how, out);
  return true;
}

bool decodeFrequent(Element element, Bytes stored, std::span<std::byte> values) {
  auto& bitMemory = ofThread<Buffer>();
  auto& otherMemory = ofThread<Buffer>();
  if (!element.isNumber())
    return false;
  const std::size_t count = values.size() / element.size;
  const std::size_t bitmapSize = (count + 7) / 8;
  StoredReader reader(stored);
  const std::uint64_t usual = reader.getNumber(element.size);
  const std::size_t selected = reader.get<std::uint32_t>();
  const Bytes bitmap = takePiece(reader, bitmapSize, bitMemory.assign(bitmapSize).data());
  if (bitmap.size() != bitmapSize || selected == 0 || countBits(bitmap, count) != selected)
    return false;
  const std::span<std::byte> others = otherMemory.assign(selected * element.size + readAhead);
  std::ranges::fill(others.last(readAhead), std::byte{0});
  if (!takeInner(reader, element, others.first(selected * element.size)) || !reader.atEnd())
    return false;
  combine(element.size, usual, bitmap.data(), others.data(), count, values.data());
  return true;
}

} // namespace kaon::codec
