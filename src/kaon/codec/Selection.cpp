#include <kaon/codec/Selection.h>

#include <kaon/codec/Numbers.h>
#include <kaon/detail/base/Memory.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kaon/codec/Selection.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <kaon/base/Bytes.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace kaon::codec::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
HWY_INLINE T loadValue(const T* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}
template <class T>
HWY_INLINE void storeValue(T value, T* at) {
  std::memcpy(at, &value, sizeof(T));
}

// ---- Tables

template <class T>
void lookUpEach(const T* table, const std::uint8_t* indices, std::size_t count, T* values) {
  std::array<T, 256> copy;
  std::memcpy(copy.data(), table, sizeof(copy));
  for (std::size_t i = 0; i < count; ++i)
    storeValue(copy[indices[i]], values + i);
}

// ---- The usual value and the others

/// Separates the values from `first` on, which must be a multiple of 8; `out` is the position of
/// the next other.
template <class T>
T* separateOnes(T usual, const T* values, std::size_t first, std::size_t count, std::byte* bitmap,
                T* out) {
  for (; first < count; first += 8) {
    unsigned bits = 0;
    const std::size_t here = std::min<std::size_t>(8, count - first);
    for (unsigned i = 0; i < here; ++i) {
      const T value = loadValue(values + first + i);
      const bool isOther = value != usual;
      storeValue(value, out);
      out += isOther;
      bits |= static_cast<unsigned>(isOther) << i;
    }
    bitmap[first / 8] = static_cast<std::byte>(bits);
  }
  return out;
}

#if HWY_TARGET != HWY_SCALAR

/// The number of values collected or expanded at once: 8 or 16 bytes.
template <class T>
constexpr std::size_t atOnce = std::min<std::size_t>(8, 16 / sizeof(T));

/// For each combination of bits: the bytes of the values whose bits are set, then arbitrary bytes.
template <class T>
constexpr auto selections = [] {
  std::array<std::array<std::uint8_t, atOnce<T> * sizeof(T)>, std::size_t{1} << atOnce<T>> table{};
  for (std::size_t bits = 0; bits < table.size(); ++bits) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < atOnce<T>; ++i)
      for (std::size_t byte = 0; (bits >> i & 1) != 0 && byte < sizeof(T); ++byte)
        table[bits][next++] = static_cast<std::uint8_t>(i * sizeof(T) + byte);
  }
  return table;
}();

/// Processes vectors of 16 bytes; `i` is the number of values done, a multiple of 8.
template <class T>
T* separateVectors(T usual, const T* values, std::size_t count, std::byte* bitmap, T* out,
                   std::size_t& i) {
  constexpr std::size_t step = atOnce<T>;
  const hn::FixedTag<std::uint8_t, step * sizeof(T)> d;
  const hn::Repartition<T, decltype(d)> dt;
  const auto usuals = hn::Set(dt, usual);
  for (; i + 8 <= count; i += 8) {
    unsigned byte = 0;
    for (std::size_t j = 0; j < 8; j += step) {
      const auto v = hn::LoadU(d, detail::valuesAt<std::uint8_t>(values + i + j));
      std::uint8_t bits = 0;
      hn::StoreMaskBits(dt, hn::Ne(hn::BitCast(dt, v), usuals), &bits);
      const auto from = hn::LoadU(d, selections<T>[bits].data());
      hn::StoreU(hn::TableLookupBytes(v, from), d, detail::valuesAt<std::uint8_t>(out));
      out += std::popcount(bits);
      byte |= unsigned{bits} << j;
    }
    bitmap[i / 8] = static_cast<std::byte>(byte);
  }
  return out;
}

/// For each combination of bits: the byte of the next values that goes to each byte; 0x80 for the
/// usual value.
template <class T>
constexpr auto sources = [] {
  std::array<std::array<std::uint8_t, atOnce<T> * sizeof(T)>, std::size_t{1} << atOnce<T>> table{};
  for (std::size_t bits = 0; bits < table.size(); ++bits) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < atOnce<T>; ++i) {
      const bool isOther = (bits >> i & 1) != 0;
      for (std::size_t byte = 0; byte < sizeof(T); ++byte)
        table[bits][i * sizeof(T) + byte] =
            static_cast<std::uint8_t>(isOther ? next * sizeof(T) + byte : 0x80);
      next += isOther;
    }
  }
  return table;
}();

/// Processes vectors of 16 bytes; `i` is the number of values done.
template <class T>
const T* combineVectors(T usual, const std::byte* bitmap, const T* others, std::size_t count,
                        T* values, std::size_t& i) {
  constexpr std::size_t step = atOnce<T>;
  const hn::FixedTag<std::uint8_t, step * sizeof(T)> d;
  const hn::Repartition<std::int8_t, decltype(d)> di;
  const hn::Repartition<T, decltype(d)> dt;
  const auto usuals = hn::BitCast(d, hn::Set(dt, usual));
  for (; i + step <= count; i += step) {
    const auto bits = std::to_integer<unsigned>(bitmap[i / 8]) >> i % 8 & ((1u << step) - 1);
    const auto from = hn::LoadU(d, sources<T>[bits].data());
    const auto next = hn::LoadU(d, detail::valuesAt<std::uint8_t>(others));
    const auto isUsual = hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(di, from)));
    const auto v = hn::Or(hn::TableLookupBytesOr0(next, from), hn::And(isUsual, usuals));
    hn::StoreU(v, d, detail::valuesAt<std::uint8_t>(values + i));
    others += std::popcount(bits);
  }
  return others;
}

#else

template <class T>
T* separateVectors(T, const T*, std::size_t, std::byte*, T* out, std::size_t&) {
  return out;
}
template <class T>
const T* combineVectors(T, const std::byte*, const T* others, std::size_t, T*, std::size_t&) {
  return others;
}

#endif

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
inline const std::uint32_t* combineVectors(std::uint32_t usual, const std::byte* bitmap,
                                           const std::uint32_t* others, std::size_t count,
                                           std::uint32_t* values, std::size_t& i) {
  const __m512i usuals = _mm512_set1_epi32(static_cast<int>(usual));
  for (; i + 16 <= count; i += 16) {
    std::uint16_t bits;
    std::memcpy(&bits, bitmap + i / 8, 2);
    const __m512i next = _mm512_loadu_si512(others);
    _mm512_storeu_si512(values + i, _mm512_mask_expand_epi32(usuals, bits, next));
    others += std::popcount(bits);
  }
  return others;
}
inline const std::uint64_t* combineVectors(std::uint64_t usual, const std::byte* bitmap,
                                           const std::uint64_t* others, std::size_t count,
                                           std::uint64_t* values, std::size_t& i) {
  const __m512i usuals = _mm512_set1_epi64(static_cast<long long>(usual));
  for (; i + 8 <= count; i += 8) {
    const auto bits = std::to_integer<std::uint8_t>(bitmap[i / 8]);
    const __m512i next = _mm512_loadu_si512(others);
    _mm512_storeu_si512(values + i, _mm512_mask_expand_epi64(usuals, bits, next));
    others += std::popcount(bits);
  }
  return others;
}
#endif

template <class T>
std::size_t separateEach(T usual, const T* values, std::size_t count, std::byte* bitmap,
                         T* others) {
  std::size_t i = 0;
  T* const next = separateVectors(usual, values, count, bitmap, others, i);
  return static_cast<std::size_t>(separateOnes(usual, values, i, count, bitmap, next) - others);
}

template <class T>
void combineEach(T usual, const std::byte* bitmap, const T* others, std::size_t count, T* values) {
  std::size_t i = 0;
  others = combineVectors(usual, bitmap, others, count, values, i);
  for (; i < count; ++i) {
    const bool isOther = (std::to_integer<unsigned>(bitmap[i / 8]) >> i % 8 & 1) != 0;
    const T other = loadValue(others);
    storeValue(isOther ? other : usual, values + i);
    others += isOther;
  }
}

// ---- Dispatched functions

void lookUpAny(unsigned size, const std::byte* table, const std::byte* indices, std::size_t count,
               std::byte* values) {
  withNumber(size, [&](auto type) {
    using T = decltype(type);
    lookUpEach(detail::valuesAt<T>(table), detail::valuesAt<std::uint8_t>(indices), count,
               detail::valuesAt<T>(values));
  });
}

std::size_t separateAny(unsigned size, std::uint64_t usual, const std::byte* values,
                        std::size_t count, std::byte* bitmap, std::byte* others) {
  return withNumber(size, [&](auto type) {
    using T = decltype(type);
    return separateEach(static_cast<T>(usual), detail::valuesAt<T>(values), count, bitmap,
                        detail::valuesAt<T>(others));
  });
}

void combineAny(unsigned size, std::uint64_t usual, const std::byte* bitmap,
                const std::byte* others, std::size_t count, std::byte* values) {
  withNumber(size, [&](auto type) {
    using T = decltype(type);
    combineEach(static_cast<T>(usual), bitmap, detail::valuesAt<T>(others), count,
                detail::valuesAt<T>(values));
  });
}

std::size_t countBitsAny(const std::byte* bitmap, std::size_t bytes) {
  std::size_t bits = 0;
  std::size_t i = 0;
  for (; i + 8 <= bytes; i += 8)
    bits += static_cast<std::size_t>(std::popcount(detail::loadAs<std::uint64_t>(bitmap + i)));
  for (; i < bytes; ++i)
    bits += static_cast<std::size_t>(std::popcount(std::to_integer<unsigned>(bitmap[i])));
  return bits;
}

} // namespace kaon::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kaon::codec {
namespace {
HWY_EXPORT(lookUpAny);
HWY_EXPORT(separateAny);
HWY_EXPORT(combineAny);
HWY_EXPORT(countBitsAny);

template <class Use>
void forEachBit(std::span<const std::byte> bitmap, Use use) {
  for (std::size_t byte = 0; byte < bitmap.size(); ++byte)
    for (auto bits = std::to_integer<unsigned>(bitmap[byte]); bits != 0; bits &= bits - 1)
      use(8 * byte + static_cast<std::size_t>(std::countr_zero(bits)));
}
} // namespace

std::size_t countBits(std::span<const std::byte> bitmap, std::size_t count) noexcept {
  if (count % 8 != 0 && std::to_integer<unsigned>(bitmap.back()) >> count % 8 != 0)
    return std::numeric_limits<std::size_t>::max();
  return HWY_DYNAMIC_DISPATCH(countBitsAny)(bitmap.data(), bitmap.size());
}

std::size_t compare(unsigned size, const std::byte* values, const std::byte* others,
                    std::size_t count, std::byte* bitmap) noexcept {
  std::size_t different = 0;
  std::fill_n(bitmap, (count + 7) / 8, std::byte{0});
  withNumber(size, [&](auto number) {
    using T = decltype(number);
    for (std::size_t i = 0; i < count; ++i) {
      const bool differs =
          detail::loadAs<T>(values + i * sizeof(T)) != detail::loadAs<T>(others + i * sizeof(T));
      bitmap[i / 8] |= static_cast<std::byte>(unsigned{differs} << i % 8);
      different += differs;
    }
  });
  return different;
}

void gather(unsigned size, const std::byte* values, std::span<const std::byte> bitmap,
            std::byte* selected) noexcept {
  forEachBit(bitmap, [&](std::size_t i) {
    std::memcpy(selected, values + i * size, size);
    selected += size;
  });
}

void scatter(unsigned size, const std::byte* selected, std::span<const std::byte> bitmap,
             std::byte* values) noexcept {
  forEachBit(bitmap, [&](std::size_t i) {
    std::memcpy(values + i * size, selected, size);
    selected += size;
  });
}

void lookUp(unsigned size, const std::byte* table, const std::byte* indices, std::size_t count,
            std::byte* values) noexcept {
  HWY_DYNAMIC_DISPATCH(lookUpAny)(size, table, indices, count, values);
}

std::size_t separate(unsigned size, std::uint64_t usual, const std::byte* values, std::size_t count,
                     std::byte* bitmap, std::byte* others) noexcept {
  return HWY_DYNAMIC_DISPATCH(separateAny)(size, usual, values, count, bitmap, others);
}

void combine(unsigned size, std::uint64_t usual, const std::byte* bitmap, const std::byte* others,
             std::size_t count, std::byte* values) noexcept {
  HWY_DYNAMIC_DISPATCH(combineAny)(size, usual, bitmap, others, count, values);
}

} // namespace kaon::codec
#endif
