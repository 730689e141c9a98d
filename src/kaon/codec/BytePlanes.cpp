#include <kaon/codec/BytePlanes.h>

#include <kaon/codec/Numbers.h>
#include <kaon/detail/base/Memory.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kaon/codec/BytePlanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace kaon::codec::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The number of values processed at once: a plane's bytes in a vector.
constexpr std::size_t step = 16;

#if HWY_TARGET != HWY_SCALAR

using StepTag = hn::FixedTag<std::uint8_t, step>;
using StepVector = hn::Vec<StepTag>;
template <std::size_t planes>
using PlaneVectors = std::array<StepVector, planes>;

HWY_INLINE StepVector load(const std::byte* bytes) {
  return hn::LoadU(StepTag(), detail::valuesAt<std::uint8_t>(bytes));
}
HWY_INLINE void store(StepVector v, std::byte* bytes) {
  hn::StoreU(v, StepTag(), detail::valuesAt<std::uint8_t>(bytes));
}

/// Shuffles all bytes like a deck of cards: rotates the position of a byte in the `planes` vectors,
/// as a binary number, left by one. The position has two parts, the number of the value and of the
/// byte. Repeating the rotation until these are swapped converts values to planes and back.
template <std::size_t planes>
HWY_INLINE PlaneVectors<planes> riffle(const PlaneVectors<planes>& in) {
  const StepTag d;
  PlaneVectors<planes> out;
  for (std::size_t i = 0; i < planes / 2; ++i) {
    out[2 * i] = hn::InterleaveLower(d, in[i], in[i + planes / 2]);
    out[2 * i + 1] = hn::InterleaveUpper(d, in[i], in[i + planes / 2]);
  }
  return out;
}
template <std::size_t planes>
HWY_INLINE PlaneVectors<planes> toPlanes(const PlaneVectors<planes>& values) {
  return riffle<planes>(riffle<planes>(riffle<planes>(riffle<planes>(values))));
}
template <std::size_t planes>
HWY_INLINE PlaneVectors<planes> toValues(PlaneVectors<planes> v) {
  for (std::size_t rotation = planes; rotation > 1; rotation /= 2)
    v = riffle<planes>(v);
  return v;
}

/// Splits values of exactly `planes` bytes.
template <std::size_t planes>
std::size_t splitDense(const std::byte* values, std::size_t count, std::byte* out) {
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    PlaneVectors<planes> v;
    for (std::size_t k = 0; k < planes; ++k)
      v[k] = load(values + i * planes + k * step);
    v = toPlanes<planes>(v);
    for (std::size_t k = 0; k < planes; ++k)
      store(v[k], out + k * count + i);
  }
  return i;
}
template <std::size_t planes>
std::size_t mergeDense(const std::byte* const* in, std::size_t count, std::byte* values) {
  std::array<const std::byte*, planes> from;
  std::copy_n(in, planes, from.begin());
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    PlaneVectors<planes> v;
    for (std::size_t k = 0; k < planes; ++k)
      v[k] = load(from[k] + i);
    v = toValues<planes>(v);
    for (std::size_t k = 0; k < planes; ++k)
      store(v[k], values + i * planes + k * step);
  }
  return i;
}

/// Splits eight of the bytes of larger values.
std::size_t splitEight(std::size_t size, const std::byte* values, std::size_t count,
                       std::byte* out) {
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    alignas(16) std::array<std::byte, 8 * step> bytes;
    for (std::size_t k = 0; k < step; ++k)
      std::memcpy(bytes.data() + 8 * k, values + (i + k) * size, 8);
    PlaneVectors<8> v;
    for (std::size_t k = 0; k < 8; ++k)
      v[k] = load(bytes.data() + k * step);
    v = toPlanes<8>(v);
    for (std::size_t k = 0; k < 8; ++k)
      store(v[k], out + k * count + i);
  }
  return i;
}
std::size_t mergeEight(std::size_t size, const std::byte* const* in, std::size_t count,
                       std::byte* values) {
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    alignas(16) std::array<std::byte, 8 * step> bytes;
    PlaneVectors<8> v;
    for (std::size_t k = 0; k < 8; ++k)
      v[k] = load(in[k] + i);
    v = toValues<8>(v);
    for (std::size_t k = 0; k < 8; ++k)
      store(v[k], bytes.data() + k * step);
    for (std::size_t k = 0; k < step; ++k)
      std::memcpy(values + (i + k) * size, bytes.data() + 8 * k, 8);
  }
  return i;
}

#else

template <std::size_t planes>
std::size_t splitDense(const std::byte*, std::size_t, std::byte*) {
  return 0;
}
template <std::size_t planes>
std::size_t mergeDense(const std::byte* const*, std::size_t, std::byte*) {
  return 0;
}
std::size_t splitEight(std::size_t, const std::byte*, std::size_t, std::byte*) { return 0; }
std::size_t mergeEight(std::size_t, const std::byte* const*, std::size_t, std::byte*) { return 0; }

#endif

/// Splits the values from `first` on into `planes` planes.
void splitRest(std::size_t size, const std::byte* values, std::size_t first, std::size_t count,
               std::size_t planes, std::byte* out) {
  for (std::size_t k = 0; k < planes; ++k)
    for (std::size_t i = first; i < count; ++i)
      out[k * count + i] = values[i * size + k];
}
void mergeRest(std::size_t size, const std::byte* const* in, std::size_t first, std::size_t count,
               std::size_t planes, std::byte* values) {
  for (std::size_t i = first; i < count; ++i)
    for (std::size_t k = 0; k < planes; ++k)
      values[i * size + k] = in[k][i];
}

/// Returns the position of the eight planes after those at `plane`; the last eight overlap others
/// if necessary.
std::size_t nextEight(std::size_t plane, std::size_t size) {
  return plane + 8 >= size ? size : std::min(plane + 8, size - 8);
}

void splitAny(std::size_t size, const std::byte* values, std::size_t count, std::byte* planes) {
  if (size == 2 || size == 4 || size == 8)
    return withNumber(size, [&](auto number) {
      constexpr std::size_t bytes = sizeof(number);
      if constexpr (bytes > 1)
        splitRest(bytes, values, splitDense<bytes>(values, count, planes), count, bytes, planes);
    });
  if (size < 8)
    return splitRest(size, values, 0, count, size, planes);
  for (std::size_t plane = 0; plane < size; plane = nextEight(plane, size))
    splitRest(size, values + plane, splitEight(size, values + plane, count, planes + plane * count),
              count, 8, planes + plane * count);
}

void mergeAny(std::size_t size, const std::byte* const* planes, std::size_t count,
              std::byte* values) {
  if (size == 2 || size == 4 || size == 8)
    return withNumber(size, [&](auto number) {
      constexpr std::size_t bytes = sizeof(number);
      if constexpr (bytes > 1)
        mergeRest(bytes, planes, mergeDense<bytes>(planes, count, values), count, bytes, values);
    });
  if (size < 8)
    return mergeRest(size, planes, 0, count, size, values);
  for (std::size_t plane = 0; plane < size; plane = nextEight(plane, size))
    mergeRest(size, planes + plane, mergeEight(size, planes + plane, count, values + plane), count,
              8, values + plane);
}

} // namespace kaon::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kaon::codec {
namespace {
HWY_EXPORT(splitAny);
HWY_EXPORT(mergeAny);
} // namespace

void splitBytes(std::size_t size, const std::byte* values, std::size_t count,
                std::byte* planes) noexcept {
  HWY_DYNAMIC_DISPATCH(splitAny)(size, values, count, planes);
}

void mergeBytes(std::size_t size, const std::byte* const* planes, std::size_t count,
                std::byte* values) noexcept {
  HWY_DYNAMIC_DISPATCH(mergeAny)(size, planes, count, values);
}

} // namespace kaon::codec
#endif
