#pragma once

#include <kaon/array/Array.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/base/Wrapping.h>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#ifdef __AVX2__
#include <immintrin.h>
#endif

// Counts the true values of a mask. The number of values per entry cannot be predicted, so a loop
// over a few of them costs more time than their computation. In programs compiled for processors
// that read parts of vectors (AVX2), eight values are compared at once: most entries then take one
// step without a branch.

namespace kaon::detail {

/// The values of an array, eight at a time, and the bits of a mask. `at(array, i, n)` returns n
/// values from the i-th on, followed by arbitrary values.
template <class A>
struct PacketsOf {
  static constexpr bool exist = false;
};
template <class M>
struct MaskBits {
  static constexpr bool exist = false;
};

constexpr std::size_t packetSize = 8;

#ifdef __AVX2__

template <class T>
concept FitsPackets =
    std::is_arithmetic_v<T> && !std::same_as<T, bool> && (sizeof(T) == 4 || sizeof(T) == 8);

template <FitsPackets T>
struct Packet {
  static constexpr std::size_t parts = sizeof(T) / 4;
  typedef T Part __attribute__((vector_size(32)));
  Part part[parts]; // std::array would lose their vector type
};

/// Applies `function` to each part of packets of Ts.
template <class T, class F, class... P>
[[gnu::always_inline]] inline Packet<T> eachPart(F function, const P&... packets) {
  Packet<T> result;
  for (std::size_t k = 0; k < Packet<T>::parts; ++k)
    result.part[k] = function(packets.part[k]...);
  return result;
}

template <class T>
  requires FitsPackets<T>
struct PacketsOf<Array<T>> {
  static constexpr bool exist = true;
  [[gnu::always_inline]] static Packet<T> at(const Array<T>& a, std::size_t i, std::size_t n) {
    const __m256i wanted = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)),
                                              _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    Packet<T> packet;
    if constexpr (sizeof(T) == 4) {
      const auto* const from = detail::valuesAt<int>(a.data() + i);
      packet.part[0] = std::bit_cast<typename Packet<T>::Part>(_mm256_maskload_epi32(from, wanted));
    } else {
      const auto* const from = detail::valuesAt<long long>(a.data() + i);
      const __m128i halves[] = {_mm256_castsi256_si128(wanted),
                                _mm256_extracti128_si256(wanted, 1)};
      for (std::size_t k = 0; k < 2; ++k)
        packet.part[k] = std::bit_cast<typename Packet<T>::Part>(
            _mm256_maskload_epi64(from + 4 * k, _mm256_cvtepi32_epi64(halves[k])));
    }
    return packet;
  }
};

/// Whether an operand is available as packets of Ts.
template <class T, class A>
inline constexpr bool isPacketOperand = false;
template <class T, class A>
  requires FitsPackets<T> && PacketsOf<A>::exist
inline constexpr bool isPacketOperand<T, A> =
    std::same_as<typename A::value_type, T> || std::same_as<typename A::value_type, float> ||
    std::same_as<typename A::value_type, std::int32_t>;
template <class T, class N>
  requires FitsPackets<T>
inline constexpr bool isPacketOperand<T, Repeated<N>> = true;

template <class T, class N>
[[gnu::always_inline]] inline Packet<T> packetAs(const Repeated<N>& number, std::size_t,
                                                 std::size_t) {
  return eachPart<T>([&] { return typename Packet<T>::Part{} + static_cast<T>(number.value); });
}
template <class T, class A>
[[gnu::always_inline]] inline Packet<T> packetAs(const A& a, std::size_t i, std::size_t n) {
  using From = typename A::value_type;
  const Packet<From> packet = PacketsOf<A>::at(a, i, n);
  if constexpr (std::same_as<From, T>) {
    return packet;
  } else if constexpr (sizeof(T) == 4) {
    return {{__builtin_convertvector(packet.part[0], typename Packet<T>::Part)}};
  } else {
    const auto& all = packet.part[0];
    return {{__builtin_convertvector(__builtin_shufflevector(all, all, 0, 1, 2, 3),
                                     typename Packet<T>::Part),
             __builtin_convertvector(__builtin_shufflevector(all, all, 4, 5, 6, 7),
                                     typename Packet<T>::Part)}};
  }
}

template <class X>
using ValueOf = std::decay_t<decltype(std::declval<const X&>()[0])>;
template <class X, class Y>
using CommonOf = decltype(ValueOf<X>() + ValueOf<Y>());
template <class X, class Y>
inline constexpr bool arePacketOperands =
    isPacketOperand<CommonOf<X, Y>, X> && isPacketOperand<CommonOf<X, Y>, Y>;

template <class Operation, class X, class Y>
  requires arePacketOperands<X, Y>
struct PacketsOf<Computed<InCommonType<Operation>, X, Y>> {
  using T = CommonOf<X, Y>;
  static constexpr bool exist = std::floating_point<T>;
  [[gnu::always_inline]] static Packet<T> at(const auto& computed, std::size_t i, std::size_t n) {
    const auto& [x, y] = computed.operands();
    return eachPart<T>(Operation(), packetAs<T>(x, i, n), packetAs<T>(y, i, n));
  }
};
template <class Operation, class X, class Y>
  requires arePacketOperands<X, Y>
struct PacketsOf<Computed<Wrapping<Operation>, X, Y>> {
  using T = CommonOf<X, Y>;
  static constexpr bool exist = true;
  [[gnu::always_inline]] static Packet<T> at(const auto& computed, std::size_t i, std::size_t n) {
    const auto& [x, y] = computed.operands();
    const auto operation = [](const auto& a, const auto& b) {
      using Part = typename Packet<T>::Part;
      using Wrapped = typename Packet<WrappingType<T>>::Part;
      return std::bit_cast<Part>(Operation()(std::bit_cast<Wrapped>(a), std::bit_cast<Wrapped>(b)));
    };
    return eachPart<T>(operation, packetAs<T>(x, i, n), packetAs<T>(y, i, n));
  }
};
template <class Operation, class X>
  requires PacketsOf<X>::exist &&
           (std::same_as<Operation, SafeNegate> || std::same_as<Operation, SafeAbsolute>)
struct PacketsOf<Computed<Operation, X>> {
  using T = ValueOf<X>;
  static constexpr bool exist = true;
  [[gnu::always_inline]] static Packet<T> at(const auto& computed, std::size_t i, std::size_t n) {
    return eachPart<T>(Operation(), PacketsOf<X>::at(std::get<0>(computed.operands()), i, n));
  }
};

/// Returns one bit for each of eight comparisons.
template <class T, class Compare>
[[gnu::always_inline]] inline unsigned bitsOf(const Packet<T>& a, const Packet<T>& b,
                                              Compare compare) {
  unsigned bits = 0;
  for (std::size_t k = 0; k < Packet<T>::parts; ++k) {
    const auto are = compare(a.part[k], b.part[k]);
    if constexpr (sizeof(T) == 4)
      bits |= static_cast<unsigned>(_mm256_movemask_ps(std::bit_cast<__m256>(are)));
    else
      bits |= static_cast<unsigned>(_mm256_movemask_pd(std::bit_cast<__m256d>(are))) << 4 * k;
  }
  return bits;
}

/// Integers of different types are compared by value, which packets cannot do.
template <class X, class Y>
inline constexpr bool areComparedInPackets =
    arePacketOperands<X, Y> &&
    (!AreIntegers<ValueOf<X>, ValueOf<Y>> || std::same_as<ValueOf<X>, ValueOf<Y>>);

template <class X, class Y, class Compare>
struct ComparedBits {
  static constexpr bool exist = true;
  [[gnu::always_inline]] static unsigned at(const auto& mask, std::size_t i, std::size_t n) {
    using T = CommonOf<X, Y>;
    const auto& [x, y] = mask.operands();
    return bitsOf(packetAs<T>(x, i, n), packetAs<T>(y, i, n), Compare());
  }
};
template <class X, class Y>
  requires areComparedInPackets<X, Y>
struct MaskBits<Computed<SafeLess, X, Y>> : ComparedBits<X, Y, std::less<>> {};
template <class X, class Y>
  requires areComparedInPackets<X, Y>
struct MaskBits<Computed<SafeLessOrEqual, X, Y>> : ComparedBits<X, Y, std::less_equal<>> {};
template <class X, class Y>
  requires areComparedInPackets<X, Y>
struct MaskBits<Computed<SafeEqual, X, Y>> : ComparedBits<X, Y, std::equal_to<>> {};

template <class Operation, class X, class Y>
  requires MaskBits<X>::exist && MaskBits<Y>::exist
struct MaskBits<Computed<Operation, X, Y>> {
  static constexpr bool isAnd = std::same_as<Operation, std::logical_and<>>;
  static constexpr bool exist = isAnd || std::same_as<Operation, std::logical_or<>>;
  [[gnu::always_inline]] static unsigned at(const auto& mask, std::size_t i, std::size_t n) {
    const auto& [x, y] = mask.operands();
    const unsigned a = MaskBits<X>::at(x, i, n), b = MaskBits<Y>::at(y, i, n);
    return isAnd ? a & b : a | b;
  }
};
template <class X>
  requires MaskBits<X>::exist
struct MaskBits<Computed<std::logical_not<>, X>> {
  static constexpr bool exist = true;
  [[gnu::always_inline]] static unsigned at(const auto& mask, std::size_t i, std::size_t n) {
    return ~MaskBits<X>::at(std::get<0>(mask.operands()), i, n);
  }
};

#endif

/// Returns the number of true values.
template <IsMask M>
[[nodiscard, gnu::always_inline]] inline std::size_t holding(const M& mask) {
  const std::size_t size = mask.size();
  std::size_t hold = 0, i = 0;
  if constexpr (MaskBits<M>::exist) {
    do {
      const std::size_t n = std::min(size - i, packetSize);
      hold += static_cast<unsigned>(std::popcount(MaskBits<M>::at(mask, i, n) & ((1U << n) - 1)));
      i += packetSize;
    } while (i < size);
  } else {
    for (; i < size; ++i)
      hold += mask[i] ? 1 : 0;
  }
  return hold;
}

} // namespace kaon::detail
