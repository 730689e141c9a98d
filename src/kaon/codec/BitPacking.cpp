#include <kaon/codec/BitPacking.h>

#include <kaon/codec/Numbers.h>
#include <kaon/detail/base/Memory.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kaon/codec/BitPacking.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <kaon/base/Bytes.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace kaon::codec::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
constexpr std::size_t lanesOfRow = rowBytes / sizeof(T);
template <class T>
constexpr unsigned bitsOf = 8 * sizeof(T);
/// A vector with a row or a part of it.
template <class T>
using Vectors = hn::CappedTag<T, lanesOfRow<T>>;

template <class T>
T lowMask(unsigned width) {
  return width == 0 ? T{0} : static_cast<T>(static_cast<T>(~T{0}) >> (bitsOf<T> - width));
}

template <class V>
HWY_INLINE V shiftRight(V v, unsigned by) {
  return hn::ShiftRightSame(v, static_cast<int>(by));
}
template <class V>
HWY_INLINE V shiftLeft(V v, unsigned by) {
  return hn::ShiftLeftSame(v, static_cast<int>(by));
}
/// Shifts by 1 to the number of bits. A shift by all bits gives zero, which a single shift
/// instruction need not.
template <class V>
HWY_INLINE V shiftLeftOrOut(V v, unsigned by) {
  return shiftLeft(hn::ShiftLeft<1>(v), by - 1);
}

template <class V>
HWY_INLINE V rotateLeft(V v) {
  return hn::Or(hn::ShiftLeft<1>(v), hn::ShiftRight<bitsOf<hn::TFromV<V>> - 1>(v));
}
template <class V>
HWY_INLINE V rotateRight(V v) {
  return hn::Or(hn::ShiftRight<1>(v), hn::ShiftLeft<bitsOf<hn::TFromV<V>> - 1>(v));
}

// ---- Packing

template <class T, bool rotated>
void packRows(const Packing& packing, const T* values, unsigned rows, T* packed) {
  const Vectors<T> d;
  constexpr std::size_t lanes = lanesOfRow<T>;
  const unsigned width = packing.width;
  const auto base = hn::Set(d, static_cast<T>(packing.base));
  const auto mask = hn::Set(d, lowMask<T>(width));
  for (std::size_t lane = 0; width > 0 && lane < lanes; lane += hn::Lanes(d)) {
    auto word = hn::Zero(d);
    unsigned filled = 0;
    T* out = packed + lane;
    for (unsigned row = 0; row < rows; ++row) {
      auto v = hn::LoadU(d, values + row * lanes + lane);
      if constexpr (rotated)
        v = rotateLeft(v);
      v = hn::And(shiftRight(hn::Sub(v, base), packing.shift), mask);
      word = hn::Or(word, shiftLeft(v, filled));
      filled += width;
      if (filled < bitsOf<T>)
        continue;
      hn::StoreU(word, d, out);
      out += lanes;
      filled -= bitsOf<T>;
      word = filled == 0 ? hn::Zero(d) : shiftRight(v, width - filled);
    }
    if (filled > 0)
      hn::StoreU(word, d, out);
  }
}

template <class T>
T transformed(Transform transform, T value) {
  return transform == Transform::rotated ? std::rotl(value, 1) : value;
}
template <class T>
T untransformed(Transform transform, T value) {
  return transform == Transform::rotated ? std::rotr(value, 1) : value;
}
template <class T>
T reduced(const Packing& packing, T value) {
  return static_cast<T>(
      static_cast<T>(transformed(packing.transform, value) - static_cast<T>(packing.base)) >>
      packing.shift);
}

template <class T>
void packString(const Packing& packing, const T* values, std::size_t count, std::byte* packed) {
  const T mask = lowMask<T>(packing.width);
  std::uint64_t word = 0;
  unsigned filled = 0;
  for (std::size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, values + i, sizeof(T));
    const std::uint64_t v = static_cast<T>(reduced(packing, value) & mask);
    word |= v << filled;
    filled += packing.width;
    if (filled < 64)
      continue;
    std::memcpy(packed, &word, 8);
    packed += 8;
    filled -= 64;
    word = filled == 0 ? 0 : v >> (packing.width - filled);
  }
  if (filled > 0)
    std::memcpy(packed, &word, (filled + 7) / 8);
}

/// Stores the differences of neighbours; the first is the base, so it packs to zero.
template <class T>
void differences(T base, const T* values, std::size_t count, T* out) {
  const Vectors<T> d;
  const std::size_t step = hn::Lanes(d);
  out[0] = base;
  std::size_t i = 1;
  for (; i + step <= count; i += step)
    hn::StoreU(hn::Sub(hn::LoadU(d, values + i), hn::LoadU(d, values + i - 1)), d, out + i);
  for (; i < count; ++i) {
    std::array<T, 2> pair;
    std::memcpy(pair.data(), values + i - 1, sizeof(pair));
    out[i] = static_cast<T>(pair[1] - pair[0]);
  }
}

template <class T>
void pack(const Packing& packing, const T* values, std::size_t count, std::byte* packed) {
  if (packing.transform == Transform::delta) {
    alignas(64) std::array<T, blockValues> deltas;
    differences(static_cast<T>(packing.base), values, count, deltas.data());
    Packing plain = packing;
    plain.transform = Transform::none;
    return pack(plain, deltas.data(), count, packed);
  }
  const unsigned rows = rowsOfBlock(sizeof(T), count);
  if (packing.transform == Transform::rotated)
    packRows<T, true>(packing, values, rows, detail::valuesAt<T>(packed));
  else
    packRows<T, false>(packing, values, rows, detail::valuesAt<T>(packed));
  const std::size_t inRows = rows * lanesOfRow<T>;
  packString(packing, values + inRows, count - inRows,
             packed + wordsOfRows(sizeof(T), rows, packing.width) * rowBytes);
}

// ---- Unpacking

template <class T, bool rotated, bool shifted>
void unpackRows(const Packing& packing, const T* packed, unsigned rows, T* values) {
  const Vectors<T> d;
  constexpr std::size_t lanes = lanesOfRow<T>;
  const unsigned width = packing.width;
  const unsigned words = wordsOfRows(sizeof(T), rows, width);
  const auto base = hn::Set(d, static_cast<T>(packing.base));
  const auto mask = hn::Set(d, lowMask<T>(width));
  for (unsigned row = 0; row < rows; ++row) {
    const unsigned bit = row * width;
    const unsigned begin = bit % bitsOf<T>;
    // The mask removes the bits of the next word if a value ends within its word.
    const T* const word = packed + bit / bitsOf<T> * lanes;
    const T* const next = packed + std::min(bit / bitsOf<T> + 1, words - 1) * lanes;
    T* const out = values + row * lanes;
    for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
      auto v = hn::Or(shiftRight(hn::LoadU(d, word + lane), begin),
                      shiftLeftOrOut(hn::LoadU(d, next + lane), bitsOf<T> - begin));
      v = hn::And(v, mask);
      if constexpr (shifted)
        v = shiftLeft(v, packing.shift);
      v = hn::Add(v, base);
      if constexpr (rotated)
        v = rotateRight(v);
      hn::StoreU(v, d, out + lane);
    }
  }
}

template <class T>
T restored(const Packing& packing, T reducedValue) {
  return untransformed(
      packing.transform,
      static_cast<T>(static_cast<T>(reducedValue << packing.shift) + static_cast<T>(packing.base)));
}

template <class T>
void unpackString(const Packing& packing, const std::byte* packed, std::size_t count, T* values) {
  // With space at the end, so that eight bytes can be loaded from any value's position.
  alignas(64) std::array<std::byte, leastInRows * sizeof(T) + 16> bytes;
  const std::size_t size = (count * packing.width + 7) / 8;
  std::memcpy(bytes.data(), packed, size);
  std::memset(bytes.data() + size, 0, 16);
  const T mask = lowMask<T>(packing.width);
  std::size_t bit = 0;
  for (std::size_t i = 0; i < count; ++i, bit += packing.width) {
    const std::byte* const at = bytes.data() + bit / 8;
    std::uint64_t word = detail::loadAs<std::uint64_t>(at) >> bit % 8;
    if constexpr (sizeof(T) == 8)
      word |= std::to_integer<std::uint64_t>(at[8]) << 1 << (63 - bit % 8);
    const T value = restored(packing, static_cast<T>(static_cast<T>(word) & mask));
    std::memcpy(values + i, &value, sizeof(T));
  }
}

template <class T>
void fill(T value, std::size_t count, T* values) {
  const Vectors<T> d;
  const std::size_t step = hn::Lanes(d);
  const auto v = hn::Set(d, value);
  std::size_t i = 0;
  for (; i + step <= count; i += step)
    hn::StoreU(v, d, values + i);
  for (; i < count; ++i)
    std::memcpy(values + i, &value, sizeof(T));
}

#if HWY_TARGET != HWY_SCALAR
/// Returns the prefix sums within 16 bytes: a shifted addition per doubling.
template <class D, class V>
HWY_INLINE V sumsWithin(D d, V v) {
  constexpr std::size_t size = sizeof(hn::TFromD<D>);
  v = hn::Add(v, hn::ShiftLeftLanes<1>(d, v));
  if constexpr (size <= 4)
    v = hn::Add(v, hn::ShiftLeftLanes<2>(d, v));
  if constexpr (size <= 2)
    v = hn::Add(v, hn::ShiftLeftLanes<4>(d, v));
  if constexpr (size == 1)
    v = hn::Add(v, hn::ShiftLeftLanes<8>(d, v));
  return v;
}

/// Adds up whole vectors and returns their number of values. `sum` is the start, and then the last
/// sum.
template <class T>
std::size_t prefixSumsOfVectors(T& sum, const T* values, std::size_t count, T* out) {
  constexpr std::size_t step = 16 / sizeof(T);
  const hn::FixedTag<T, step> d;
  const hn::Repartition<std::uint8_t, decltype(d)> bytes;
  alignas(16) std::array<std::uint8_t, 16> lastLane;
  for (std::size_t i = 0; i < 16; ++i)
    lastLane[i] = static_cast<std::uint8_t>(16 - sizeof(T) + i % sizeof(T));
  const auto last = hn::Load(bytes, lastLane.data());
  // The carry depends only on the previous carry and on sums that are ready early.
  auto carry = hn::Set(d, sum);
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto sums = sumsWithin(d, hn::LoadU(d, values + i));
    hn::StoreU(hn::Add(sums, carry), d, out + i);
    carry = hn::Add(carry, hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, sums), last)));
  }
  sum = hn::GetLane(carry);
  return i;
}
#else
template <class T>
std::size_t prefixSumsOfVectors(T&, const T*, std::size_t, T*) {
  return 0;
}
#endif

/// Sets out[i] = start + values[0] + ... + values[i]; returns the last one.
template <class T>
T prefixSums(T start, const T* values, std::size_t count, T* out) {
  T sum = start;
  for (std::size_t i = prefixSumsOfVectors(sum, values, count, out); i < count; ++i) {
    T value;
    std::memcpy(&value, values + i, sizeof(T));
    sum = static_cast<T>(sum + value);
    std::memcpy(out + i, &sum, sizeof(T));
  }
  return sum;
}

template <class T>
void unpackRowsOf(const Packing& packing, const std::byte* packed, unsigned rows, T* values) {
  const auto* const words = detail::valuesAt<T>(packed);
  const bool rotated = packing.transform == Transform::rotated;
  if (rotated && packing.shift > 0)
    unpackRows<T, true, true>(packing, words, rows, values);
  else if (rotated)
    unpackRows<T, true, false>(packing, words, rows, values);
  else if (packing.shift > 0)
    unpackRows<T, false, true>(packing, words, rows, values);
  else
    unpackRows<T, false, false>(packing, words, rows, values);
}

template <class T>
void unpack(const Packing& packing, const std::byte* packed, std::size_t count, T* values) {
  const unsigned rows = rowsOfBlock(sizeof(T), count);
  const std::size_t inRows = rows * lanesOfRow<T>;
  if (packing.width == 0) {
    fill(untransformed(packing.transform, static_cast<T>(packing.base)), count, values);
  } else {
    unpackRowsOf(packing, packed, rows, values);
    unpackString(packing, packed + wordsOfRows(sizeof(T), rows, packing.width) * rowBytes,
                 count - inRows, values + inRows);
  }
  if (packing.transform == Transform::delta)
    prefixSums(static_cast<T>(packing.first - packing.base), values, count, values);
}

// ---- Measuring

/// Finds the least and the greatest value in one pass; `flip` makes signed numbers compare as
/// unsigned ones.
template <class T, class Load>
BlockRange rangeOf(std::size_t count, T flip, T first, Load load) {
  const Vectors<T> d;
  const std::size_t step = hn::Lanes(d);
  alignas(128) std::array<std::array<T, lanesOfRow<T>>, 3> lanes;
  const auto flips = hn::Set(d, flip);
  const auto firsts = hn::Set(d, first);
  auto least = hn::Set(d, static_cast<T>(~T{0}));
  auto most = hn::Zero(d);
  auto varying = hn::Zero(d);
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto v = load(d, i);
    const auto flipped = hn::Xor(v, flips);
    least = hn::Min(least, flipped);
    most = hn::Max(most, flipped);
    varying = hn::Or(varying, hn::Xor(v, firsts));
  }
  hn::StoreU(least, d, lanes[0].data());
  hn::StoreU(most, d, lanes[1].data());
  hn::StoreU(varying, d, lanes[2].data());
  T low = static_cast<T>(~T{0});
  T high = 0;
  T bits = 0;
  for (std::size_t lane = 0; lane < step; ++lane) {
    low = std::min(low, lanes[0][lane]);
    high = std::max(high, lanes[1][lane]);
    bits = static_cast<T>(bits | lanes[2][lane]);
  }
  const hn::CappedTag<T, 1> single;
  for (; i < count; ++i) {
    const T v = hn::GetLane(load(single, i));
    low = std::min(low, static_cast<T>(v ^ flip));
    high = std::max(high, static_cast<T>(v ^ flip));
    bits = static_cast<T>(bits | (v ^ first));
  }
  return {static_cast<T>(low ^ flip), static_cast<T>(high - low), bits};
}

template <class T>
BlockRange measure(Transform transform, bool isSigned, const T* values, std::size_t count) {
  constexpr T signBit = static_cast<T>(T{1} << (bitsOf<T> - 1));
  const T flip = isSigned ? signBit : T{0};
  T first;
  std::memcpy(&first, values, sizeof(T));
  switch (transform) {
  case Transform::none:
    return rangeOf<T>(count, flip, first,
                      [values](auto d, std::size_t i) { return hn::LoadU(d, values + i); });
  case Transform::rotated:
    return rangeOf<T>(count, T{0}, std::rotl(first, 1), [values](auto d, std::size_t i) {
      return rotateLeft(hn::LoadU(d, values + i));
    });
  default:
    break;
  }
  if (count == 1)
    return {0, 0, 0};
  BlockRange range = rangeOf<T>(count - 1, signBit, T{0}, [values](auto d, std::size_t i) {
    return hn::Sub(hn::LoadU(d, values + i + 1), hn::LoadU(d, values + i));
  });
  range.varying = static_cast<T>(~T{0});
  return range;
}

// ---- High parts

/// Loads as many bytes as a vector has values, each as a value.
template <class D>
HWY_INLINE hn::Vec<D> loadBytes(D d, const std::byte* bytes) {
  using T = hn::TFromD<D>;
  const hn::Rebind<std::uint8_t, D> d8;
  const auto loaded = hn::LoadU(d8, detail::valuesAt<std::uint8_t>(bytes));
  if constexpr (sizeof(T) == 8)
    return hn::PromoteTo(d, hn::PromoteTo(hn::Rebind<std::uint32_t, D>(), loaded));
  else
    return hn::PromoteTo(d, loaded);
}

template <class D>
HWY_INLINE void mergeVector(D d, const Packing& packing, const std::byte* const* high,
                            unsigned planes, std::size_t i, hn::TFromD<D>* values) {
  auto v = hn::LoadU(d, values + i);
  for (unsigned plane = 0; plane < planes; ++plane)
    v = hn::Or(v, shiftLeft(loadBytes(d, high[plane] + i), packing.width + 8 * plane));
  v = hn::Add(shiftLeft(v, packing.shift), hn::Set(d, static_cast<hn::TFromD<D>>(packing.base)));
  if (packing.transform == Transform::rotated)
    v = rotateRight(v);
  hn::StoreU(v, d, values + i);
}

template <class T>
void merge(const Packing& packing, const std::byte* const* high, unsigned planes, std::size_t count,
           T* values) {
  const Vectors<T> d;
  const std::size_t step = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + step <= count; i += step)
    mergeVector(d, packing, high, planes, i, values);
  for (; i < count; ++i)
    mergeVector(hn::CappedTag<T, 1>(), packing, high, planes, i, values);
}

template <class T>
void extract(const Packing& packing, const T* values, std::size_t count, unsigned low,
             std::uint8_t* plane) {
  const T base = static_cast<T>(packing.base);
  const unsigned shift = packing.shift + low;
  const bool rotated = packing.transform == Transform::rotated;
  for (std::size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, values + i, sizeof(T));
    if (rotated)
      value = static_cast<T>(value << 1 | value >> (bitsOf<T> - 1));
    plane[i] = static_cast<std::uint8_t>(static_cast<T>(value - base) >> shift);
  }
}

// ---- Dispatched functions

void packAny(unsigned size, const Packing& packing, const std::byte* values, std::size_t count,
             std::byte* packed) {
  withNumber(size, [&](auto type) {
    using T = decltype(type);
    pack(packing, detail::valuesAt<T>(values), count, packed);
  });
}

void unpackAny(unsigned size, const Packing& packing, const std::byte* packed, std::size_t count,
               std::byte* values) {
  withNumber(size, [&](auto type) {
    using T = decltype(type);
    unpack(packing, packed, count, detail::valuesAt<T>(values));
  });
}

BlockRange measureAny(unsigned size, Transform transform, bool isSigned, const std::byte* values,
                      std::size_t count) {
  return withNumber(size, [&](auto type) {
    using T = decltype(type);
    return measure(transform, isSigned, detail::valuesAt<T>(values), count);
  });
}

std::uint32_t sumAny(std::uint32_t start, const std::uint32_t* counts, std::size_t count,
                     std::uint32_t* sums) {
  return prefixSums(start, counts, count, sums);
}

void mergeAny(unsigned size, const Packing& packing, const std::byte* const* high, unsigned planes,
              std::size_t count, std::byte* values) {
  withNumber(size, [&](auto type) {
    using T = decltype(type);
    if constexpr (sizeof(T) > 1)
      merge(packing, high, planes, count, detail::valuesAt<T>(values));
  });
}

void extractAny(unsigned size, const Packing& packing, const std::byte* values, std::size_t count,
                unsigned low, std::byte* plane) {
  withNumber(size, [&](auto type) {
    using T = decltype(type);
    extract(packing, detail::valuesAt<T>(values), count, low,
            detail::valuesAt<std::uint8_t>(plane));
  });
}

} // namespace kaon::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kaon::codec {
namespace {
HWY_EXPORT(packAny);
HWY_EXPORT(unpackAny);
HWY_EXPORT(measureAny);
HWY_EXPORT(sumAny);
HWY_EXPORT(mergeAny);
HWY_EXPORT(extractAny);
} // namespace

void packBlock(unsigned size, const Packing& packing, const std::byte* values, std::size_t count,
               std::byte* packed) noexcept {
  HWY_DYNAMIC_DISPATCH(packAny)(size, packing, values, count, packed);
}

void unpackBlock(unsigned size, const Packing& packing, const std::byte* packed, std::size_t count,
                 std::byte* values) noexcept {
  HWY_DYNAMIC_DISPATCH(unpackAny)(size, packing, packed, count, values);
}

BlockRange measureBlock(unsigned size, Transform transform, bool isSigned, const std::byte* values,
                        std::size_t count) noexcept {
  return HWY_DYNAMIC_DISPATCH(measureAny)(size, transform, isSigned, values, count);
}

std::uint32_t sumCounts(std::uint32_t start, const std::uint32_t* counts, std::size_t count,
                        std::uint32_t* sums) noexcept {
  return HWY_DYNAMIC_DISPATCH(sumAny)(start, counts, count, sums);
}

void mergeHigh(unsigned size, const Packing& packing, const std::byte* const* high, unsigned planes,
               std::size_t count, std::byte* values) noexcept {
  HWY_DYNAMIC_DISPATCH(mergeAny)(size, packing, high, planes, count, values);
}

void extractHigh(unsigned size, const Packing& packing, const std::byte* values, std::size_t count,
                 unsigned low, std::byte* plane) noexcept {
  HWY_DYNAMIC_DISPATCH(extractAny)(size, packing, values, count, low, plane);
}

} // namespace kaon::codec
#endif
