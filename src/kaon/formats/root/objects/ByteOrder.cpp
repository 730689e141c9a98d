#include <kaon/formats/root/objects/ByteOrder.h>

#include <kaon/detail/base/Memory.h>
#include <kaon/formats/root/container/BigEndian.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kaon/formats/root/objects/ByteOrder.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace kaon::root::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Converts as many numbers as fill whole vectors. Returns the number of bytes converted.
HWY_INLINE std::size_t turnVectors([[maybe_unused]] std::size_t size,
                                   [[maybe_unused]] const std::byte* numbers,
                                   [[maybe_unused]] std::size_t bytes,
                                   [[maybe_unused]] std::byte* out) {
#if HWY_TARGET == HWY_SCALAR
  return 0;
#else
  constexpr std::size_t block = 16; // bytes that are shuffled together
  const hn::ScalableTag<std::uint8_t> d;
  alignas(block) std::uint8_t order[block];
  for (std::size_t i = 0; i < block; ++i)
    order[i] = static_cast<std::uint8_t>(i ^ (size - 1));
  const auto places = hn::LoadDup128(d, order);
  const std::size_t step = hn::Lanes(d);
  std::size_t done = 0;
  for (; done + step <= bytes; done += step) {
    const auto in = hn::LoadU(d, detail::valuesAt<std::uint8_t>(numbers + done));
    hn::StoreU(hn::TableLookupBytes(in, places), d, detail::valuesAt<std::uint8_t>(out + done));
  }
  return done;
#endif
}

void turnAll(std::size_t size, const std::byte* numbers, std::size_t count, std::byte* out) {
  const std::size_t bytes = count * size;
  for (std::size_t i = turnVectors(size, numbers, bytes, out); i < bytes; i += size)
    for (std::size_t k = 0; k < size; ++k)
      out[i + k] = numbers[i + size - 1 - k];
}

} // namespace kaon::root::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kaon::root {
namespace {

HWY_EXPORT(turnAll);

template <class Unsigned>
void turnFew(const std::byte* numbers, std::size_t count, std::byte* out) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = loadBigEndian<Unsigned>(numbers + i * sizeof(Unsigned));
    std::memcpy(out + i * sizeof(Unsigned), &number, sizeof(Unsigned));
  }
}

} // namespace

void turnBytes(std::size_t size, const std::byte* numbers, std::size_t count,
               std::byte* out) noexcept {
  constexpr std::size_t few = 16; // for so few numbers, choosing a kernel costs more than it saves
  if (count > few)
    HWY_DYNAMIC_DISPATCH(turnAll)(size, numbers, count, out);
  else if (size == 2)
    turnFew<std::uint16_t>(numbers, count, out);
  else if (size == 4)
    turnFew<std::uint32_t>(numbers, count, out);
  else
    turnFew<std::uint64_t>(numbers, count, out);
}

} // namespace kaon::root
#endif
