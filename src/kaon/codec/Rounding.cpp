#include <kaon/codec/Rounding.h>

#include <kaon/codec/Numbers.h>
#include <kaon/detail/base/Memory.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kaon/codec/Rounding.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <limits>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace kaon::codec::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Calls use(tag, i) for the values from i on that fit the tag's lanes: first vectors, then single
/// values.
template <class T, class Use>
HWY_INLINE void forEachVector(std::size_t count, Use use) {
  const hn::ScalableTag<T> whole;
  const hn::CappedTag<T, 1> single;
  std::size_t i = 0;
  for (; i + hn::Lanes(whole) <= count; i += hn::Lanes(whole))
    use(whole, i);
  for (; i < count; ++i)
    use(single, i);
}

// ---- Mantissas

/// The parts of a float's bits.
template <class U>
struct Grid {
  U sign;
  U exponent;
  U kept;
  int dropped; ///< number of bits below the kept ones
};

template <class U>
Grid<U> gridOf(unsigned mantissa, unsigned bits) {
  constexpr U sign = U{1} << (8 * sizeof(U) - 1);
  const auto dropped = static_cast<int>(mantissa - bits);
  return {sign, static_cast<U>((sign - 1) >> mantissa << mantissa), ~U{0} << dropped, dropped};
}

template <class D, class V, class U>
HWY_INLINE V rounded(D d, V v, const Grid<U>& grid) {
  const auto exponent = hn::Set(d, grid.exponent);
  const auto kept = hn::Set(d, grid.kept);
  const auto isOdd = hn::And(hn::ShiftRightSame(v, grid.dropped), hn::Set(d, U{1}));
  const auto belowHalf = hn::Set(d, static_cast<U>((U{1} << (grid.dropped - 1)) - 1));
  const auto nearest = hn::And(hn::Add(v, hn::Add(belowHalf, isOdd)), kept);
  // If the exponent has grown to that of infinity, take the greatest finite number.
  const auto most = hn::And(hn::Set(d, static_cast<U>(grid.exponent - 1)), kept);
  const auto largest = hn::Or(hn::And(v, hn::Set(d, grid.sign)), most);
  const auto isTooLarge = hn::Eq(hn::And(nearest, exponent), exponent);
  const auto isFinite = hn::Ne(hn::And(v, exponent), exponent);
  return hn::IfThenElse(isFinite, hn::IfThenElse(isTooLarge, largest, nearest), v);
}

template <class T>
using UnsignedOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
void roundMantissasOf(unsigned bits, const std::byte* values, std::size_t count, std::byte* out) {
  using U = UnsignedOf<T>;
  const Grid<U> grid = gridOf<U>(std::numeric_limits<T>::digits - 1, bits);
  const auto* const from = detail::valuesAt<U>(values);
  auto* const to = detail::valuesAt<U>(out);
  forEachVector<U>(count, [&](auto d, std::size_t i) {
    hn::StoreU(rounded(d, hn::LoadU(d, from + i), grid), d, to + i);
  });
}

// ---- Steps, in vectors of doubles: `d`

/// Adding it to a number from -0.5 to 2^32 rounds that number, and leaves it in the lowest bits.
constexpr double rounder = 0x1.8p52;

template <class D, class V>
HWY_INLINE auto stepAt(D d, const Steps& steps, V k) {
  return hn::Add(hn::Set(d, steps.low), hn::Mul(hn::Set(d, steps.step), k));
}

/// Returns the distance to the first step, in steps.
template <class D, class V>
HWY_INLINE auto distance(D d, const Steps& steps, V v) {
  return hn::Div(hn::Sub(v, hn::Set(d, steps.low)), hn::Set(d, steps.step));
}

/// Returns the number of the nearest step plus the rounder; less than the rounder for values below
/// the first step.
template <class D, class V>
HWY_INLINE auto nearestStep(D d, const Steps& steps, V distance) {
  const auto most = hn::Set(d, rounder + steps.most);
  return hn::Min(hn::Add(distance, hn::Set(d, rounder)), most);
}

template <class D, class V>
HWY_INLINE auto roundedToStep(D d, const Steps& steps, V v) {
  const auto from = distance(d, steps, v);
  const auto k = hn::Sub(nearestStep(d, steps, from), hn::Set(d, rounder));
  const auto isWithin =
      hn::And(hn::Ge(from, hn::Set(d, -0.5)), hn::Le(from, hn::Set(d, steps.most + 0.5)));
  return hn::IfThenElse(isWithin, stepAt(d, steps, k), v);
}

// A double is loaded and stored directly, a float by conversion to double.
template <class D>
HWY_INLINE auto load(D d, const double* from) {
  return hn::LoadU(d, from);
}
template <class D>
HWY_INLINE auto load(D d, const float* from) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), from));
}
template <class D>
HWY_INLINE auto cast(D, hn::Vec<D> v, double) {
  return v;
}
template <class D>
HWY_INLINE auto cast(D, hn::Vec<D> v, float) {
  return hn::DemoteTo(hn::Rebind<float, D>(), v);
}

template <class T>
void roundToStepsOf(const Steps& steps, const std::byte* values, std::size_t count,
                    std::byte* out) {
  const auto* const from = detail::valuesAt<T>(values);
  auto* const to = detail::valuesAt<T>(out);
  forEachVector<double>(count, [&](auto d, std::size_t i) {
    const hn::Rebind<T, decltype(d)> dt;
    const auto v = hn::LoadU(dt, from + i);
    const auto step = cast(d, roundedToStep(d, steps, load(d, from + i)), T{});
    // A cast may change bits of infinities and NaNs.
    hn::StoreU(hn::IfThenElse(hn::IsFinite(v), step, v), dt, to + i);
  });
}

template <class T>
bool toNumbersOf(const Steps& steps, const std::byte* values, std::size_t count,
                 std::uint32_t* numbers) {
  using U = UnsignedOf<T>;
  const auto* const from = detail::valuesAt<T>(values);
  std::size_t different = 0;
  forEachVector<double>(count, [&](auto d, std::size_t i) {
    const hn::Rebind<U, decltype(d)> du;
    const auto v = load(d, from + i);
    const auto k = nearestStep(d, steps, distance(d, steps, v));
    const auto step = cast(d, stepAt(d, steps, hn::Sub(k, hn::Set(d, rounder))), T{});
    const auto bits = hn::LoadU(du, detail::valuesAt<U>(from + i));
    different += hn::CountTrue(du, hn::Ne(hn::BitCast(du, step), bits));
    different += hn::Lanes(d) - hn::CountTrue(d, hn::Ge(k, hn::Set(d, rounder)));
    const hn::Rebind<std::uint64_t, decltype(d)> dw;
    const hn::Rebind<std::uint32_t, decltype(d)> dn;
    hn::StoreU(hn::TruncateTo(dn, hn::BitCast(dw, k)), dn, numbers + i);
  });
  return different == 0;
}

template <class D>
HWY_INLINE auto load64(D d, const std::uint32_t* from) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint32_t, D>(), from));
}
template <class D, class N>
HWY_INLINE auto load64(D d, const N* from) {
  const hn::Rebind<std::uint32_t, D> d32;
  return hn::PromoteTo(d, hn::PromoteTo(d32, hn::LoadU(hn::Rebind<N, D>(), from)));
}

template <class T, class N>
void fromNumbersOf(const Steps& steps, const std::byte* numbers, std::size_t count,
                   std::byte* values) {
  const auto* const from = detail::valuesAt<N>(numbers);
  auto* const to = detail::valuesAt<T>(values);
  forEachVector<double>(count, [&](auto d, std::size_t i) {
    const hn::Rebind<std::uint64_t, decltype(d)> dw;
    const auto base = hn::Set(d, 0x1p52);
    const auto k =
        hn::Sub(hn::BitCast(d, hn::Or(load64(dw, from + i), hn::BitCast(dw, base))), base);
    hn::StoreU(cast(d, stepAt(d, steps, k), T{}), hn::Rebind<T, decltype(d)>(), to + i);
  });
}

// ---- Dispatched functions

void roundMantissasAny(unsigned size, unsigned bits, const std::byte* values, std::size_t count,
                       std::byte* out) {
  withFloat(size, [&](auto type) { roundMantissasOf<decltype(type)>(bits, values, count, out); });
}

void roundToStepsAny(unsigned size, const Steps& steps, const std::byte* values, std::size_t count,
                     std::byte* out) {
  withFloat(size, [&](auto type) { roundToStepsOf<decltype(type)>(steps, values, count, out); });
}

bool toNumbersAny(unsigned size, const Steps& steps, const std::byte* values, std::size_t count,
                  std::uint32_t* numbers) {
  return withFloat(
      size, [&](auto type) { return toNumbersOf<decltype(type)>(steps, values, count, numbers); });
}

void fromNumbersAny(unsigned size, const Steps& steps, unsigned numberSize,
                    const std::byte* numbers, std::size_t count, std::byte* values) {
  withFloat(size, [&](auto type) {
    withNumber(numberSize, [&](auto number) {
      if constexpr (sizeof(number) < 8)
        fromNumbersOf<decltype(type), decltype(number)>(steps, numbers, count, values);
    });
  });
}

} // namespace kaon::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kaon::codec {
namespace {
HWY_EXPORT(roundMantissasAny);
HWY_EXPORT(roundToStepsAny);
HWY_EXPORT(toNumbersAny);
HWY_EXPORT(fromNumbersAny);
} // namespace

void roundMantissas(unsigned size, unsigned bits, const std::byte* values, std::size_t count,
                    std::byte* out) noexcept {
  HWY_DYNAMIC_DISPATCH(roundMantissasAny)(size, bits, values, count, out);
}

void roundToSteps(unsigned size, const Steps& steps, const std::byte* values, std::size_t count,
                  std::byte* out) noexcept {
  HWY_DYNAMIC_DISPATCH(roundToStepsAny)(size, steps, values, count, out);
}

bool toNumbers(unsigned size, const Steps& steps, const std::byte* values, std::size_t count,
               std::uint32_t* numbers) noexcept {
  return HWY_DYNAMIC_DISPATCH(toNumbersAny)(size, steps, values, count, numbers);
}

void fromNumbers(unsigned size, const Steps& steps, unsigned numberSize, const std::byte* numbers,
                 std::size_t count, std::byte* values) noexcept {
  HWY_DYNAMIC_DISPATCH(fromNumbersAny)(size, steps, numberSize, numbers, count, values);
}

} // namespace kaon::codec
#endif
