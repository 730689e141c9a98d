#include <kaon/codec/BitPlanes.h>

#include <kaon/detail/base/Memory.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kaon/codec/BitPlanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace kaon::codec::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t lanes = 128; // in a full piece of 1024 bits
using ByteTag = hn::CappedTag<std::uint8_t, lanes>;
using ByteVector = hn::Vec<ByteTag>;

/// Swaps the bits of `a` under the mask shifted left with the bits of `b` under the mask.
template <int shift, class V>
HWY_INLINE void swapBits(V& a, V& b, V mask) {
  const V difference = hn::And(hn::Xor(hn::ShiftRight<shift>(a), b), mask);
  b = hn::Xor(b, difference);
  a = hn::Xor(a, hn::ShiftLeft<shift>(difference));
}

/// Transposes in each lane: bit k of v[i] becomes bit i of v[k]. Is its own inverse.
template <class V>
HWY_INLINE void transposeBits(V (&v)[8]) {
  const ByteTag d;
  const V nibbles = hn::Set(d, std::uint8_t{0x0F});
  const V pairs = hn::Set(d, std::uint8_t{0x33});
  const V singles = hn::Set(d, std::uint8_t{0x55});
  for (int i = 0; i < 4; ++i)
    swapBits<4>(v[i], v[i + 4], nibbles);
  for (const int i : {0, 1, 4, 5})
    swapBits<2>(v[i], v[i + 2], pairs);
  for (const int i : {0, 2, 4, 6})
    swapBits<1>(v[i], v[i + 1], singles);
}

/// Transposes eight rows of 128 bytes at `in` and `out`.
void transposePiece(const std::byte* const* in, std::byte* const* out) {
  const ByteTag d;
  for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
    ByteVector v[8];
    for (int i = 0; i < 8; ++i)
      v[i] = hn::LoadU(d, detail::valuesAt<std::uint8_t>(in[i]) + lane);
    transposeBits(v);
    for (int i = 0; i < 8; ++i)
      hn::StoreU(v[i], d, detail::valuesAt<std::uint8_t>(out[i]) + lane);
  }
}

/// Returns the eight rows of a full piece of bytes, or of the space for a shorter one.
template <class Byte>
std::array<Byte*, 8> rowsOf(Byte* bytes) {
  std::array<Byte*, 8> rows;
  for (std::size_t i = 0; i < 8; ++i)
    rows[i] = bytes + i * lanes;
  return rows;
}

void splitAny(const std::byte* bytes, std::size_t count, std::byte* planes) {
  const std::size_t planeSize = bitPlaneSize(count);
  std::array<std::byte*, 8> out;
  for (std::size_t k = 0; k < 8; ++k)
    out[k] = planes + k * planeSize;
  std::size_t i = 0;
  for (; i + 8 * lanes <= count; i += 8 * lanes) {
    transposePiece(rowsOf(bytes + i).data(), out.data());
    for (std::byte*& plane : out)
      plane += lanes;
  }
  const std::size_t rest = count - i;
  const std::size_t width = bitPlaneSize(rest);
  alignas(64) std::array<std::byte, 8 * lanes> padded{};
  alignas(64) std::array<std::byte, 8 * lanes> split;
  for (std::size_t k = 0; k * width < rest; ++k)
    std::memcpy(padded.data() + k * lanes, bytes + i + k * width,
                std::min(width, rest - k * width));
  transposePiece(rowsOf<const std::byte>(padded.data()).data(), rowsOf(split.data()).data());
  for (std::size_t k = 0; rest > 0 && k < 8; ++k)
    std::memcpy(out[k], split.data() + k * lanes, width);
}

void mergeAny(const std::byte* const* planes, std::size_t count, std::byte* bytes) {
  std::array<const std::byte*, 8> in;
  std::copy_n(planes, 8, in.begin());
  std::size_t i = 0;
  for (; i + 8 * lanes <= count; i += 8 * lanes) {
    transposePiece(in.data(), rowsOf(bytes + i).data());
    for (const std::byte*& plane : in)
      plane += lanes;
  }
  const std::size_t rest = count - i;
  const std::size_t width = bitPlaneSize(rest);
  alignas(64) std::array<std::byte, 8 * lanes> padded{};
  alignas(64) std::array<std::byte, 8 * lanes> merged;
  for (std::size_t k = 0; rest > 0 && k < 8; ++k)
    std::memcpy(padded.data() + k * lanes, in[k], width);
  transposePiece(rowsOf<const std::byte>(padded.data()).data(), rowsOf(merged.data()).data());
  for (std::size_t k = 0; k * width < rest; ++k)
    std::memcpy(bytes + i + k * width, merged.data() + k * lanes,
                std::min(width, rest - k * width));
}

} // namespace kaon::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kaon::codec {
namespace {
HWY_EXPORT(splitAny);
HWY_EXPORT(mergeAny);
} // namespace

void splitBits(const std::byte* bytes, std::size_t count, std::byte* planes) noexcept {
  HWY_DYNAMIC_DISPATCH(splitAny)(bytes, count, planes);
}

void mergeBits(const std::byte* const* planes, std::size_t count, std::byte* bytes) noexcept {
  HWY_DYNAMIC_DISPATCH(mergeAny)(planes, count, bytes);
}

} // namespace kaon::codec
#endif
