// Elementary functions and formulas of momenta for as many numbers as a vector has lanes, with the
// same results as for single numbers, to the last bit. Highway compiles kernels for each
// instruction set; they include this file once per set.

#if defined(KAON_LANE_FORMULAS) == defined(HWY_TARGET_TOGGLE)
#ifdef KAON_LANE_FORMULAS
#undef KAON_LANE_FORMULAS
#else
#define KAON_LANE_FORMULAS
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>

#define KAON_FORMULA HWY_INLINE

HWY_BEFORE_NAMESPACE();
namespace kaon::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Numbers of type T, one per lane.
template <class T>
struct Lanes {
  using Tag = hn::CappedTag<T, 8>;
  using Vector = hn::Vec<Tag>;

  Lanes() = default;
  HWY_INLINE Lanes(T number) : lanes(hn::Set(Tag(), number)) {}
  HWY_INLINE explicit Lanes(Vector vector) : lanes(vector) {}

  HWY_INLINE friend Lanes operator+(Lanes a, Lanes b) { return Lanes(hn::Add(a.lanes, b.lanes)); }
  HWY_INLINE friend Lanes operator-(Lanes a, Lanes b) { return Lanes(hn::Sub(a.lanes, b.lanes)); }
  HWY_INLINE friend Lanes operator*(Lanes a, Lanes b) { return Lanes(hn::Mul(a.lanes, b.lanes)); }
  HWY_INLINE friend Lanes operator/(Lanes a, Lanes b) { return Lanes(hn::Div(a.lanes, b.lanes)); }
  HWY_INLINE friend Lanes operator-(Lanes a) { return Lanes(hn::Neg(a.lanes)); }
  HWY_INLINE friend auto operator<(Lanes a, Lanes b) { return hn::Lt(a.lanes, b.lanes); }
  HWY_INLINE friend auto operator>(Lanes a, Lanes b) { return hn::Gt(a.lanes, b.lanes); }
  HWY_INLINE friend auto operator<=(Lanes a, Lanes b) { return hn::Le(a.lanes, b.lanes); }
  HWY_INLINE friend auto operator>=(Lanes a, Lanes b) { return hn::Ge(a.lanes, b.lanes); }
  HWY_INLINE friend auto operator==(Lanes a, Lanes b) { return hn::Eq(a.lanes, b.lanes); }

  Vector lanes;
};
using Doubles = Lanes<double>;

template <class V>
inline constexpr bool areLanes = false;
template <class T>
inline constexpr bool areLanes<Lanes<T>> = true;
template <class V>
concept IsNumber = areLanes<V>;
template <class V>
inline constexpr auto turn = 2 * std::numbers::pi_v<hn::TFromD<typename V::Tag>>;

// The operations of the formulas.

using WholeNumbers = hn::Vec<hn::Rebind<std::int32_t, Doubles::Tag>>;
HWY_INLINE WholeNumbers truncated(Doubles x) {
  return hn::DemoteTo(hn::Rebind<std::int32_t, Doubles::Tag>(), x.lanes);
}
HWY_INLINE Doubles numberOf(WholeNumbers n) { return Doubles(hn::PromoteTo(Doubles::Tag(), n)); }
HWY_INLINE Doubles powerOfTwo(WholeNumbers n, std::int64_t more) {
  const hn::Rebind<std::int64_t, Doubles::Tag> d64;
  const auto exponent = hn::Add(hn::PromoteTo(d64, n), hn::Set(d64, more + 1023));
  return Doubles(hn::BitCast(Doubles::Tag(), hn::ShiftLeft<52>(exponent)));
}
template <class T>
HWY_INLINE Lanes<T> absolute(Lanes<T> x) {
  return Lanes<T>(hn::Abs(x.lanes));
}
template <class T>
HWY_INLINE Lanes<T> copySign(Lanes<T> x, Lanes<T> sign) {
  return Lanes<T>(hn::CopySign(x.lanes, sign.lanes));
}
template <class T>
HWY_INLINE Lanes<T> squareRoot(Lanes<T> x) {
  return Lanes<T>(hn::Sqrt(x.lanes));
}
HWY_INLINE Doubles signedRoot(Doubles square) {
  return copySign(squareRoot(absolute(square)), square);
}
template <class T>
HWY_INLINE Lanes<T> lesser(Lanes<T> a, Lanes<T> b) {
  return Lanes<T>(hn::Min(a.lanes, b.lanes));
}
HWY_INLINE auto isNegative(Doubles x) { return copySign(Doubles(1), x) < 0; }
template <class Mask>
HWY_INLINE Mask both(Mask a, Mask b) {
  return hn::And(a, b);
}
template <class Mask>
HWY_INLINE Mask differ(Mask a, Mask b) {
  return hn::Xor(a, b);
}
template <class Mask, class T>
HWY_INLINE Lanes<T> choose(Mask is, Lanes<T> a, Lanes<T> b) {
  return Lanes<T>(hn::IfThenElse(is, a.lanes, b.lanes));
}
/// Chooses between four numbers and four others.
template <class Mask, class A, class B>
HWY_INLINE auto chosen(Mask is, const A& a, const B& b) {
  const auto [a1, a2, a3, a4] = a();
  const auto [b1, b2, b3, b4] = b();
  return decltype(a()){choose(is, a1, b1), choose(is, a2, b2), choose(is, a3, b3),
                       choose(is, a4, b4)};
}

/// As partsOf() of one number.
struct PartsOfDoubles {
  Doubles exponent, fraction;
};
HWY_INLINE PartsOfDoubles partsOf(Doubles x) {
  const Doubles::Tag d;
  const hn::Rebind<std::uint64_t, Doubles::Tag> du;
  const auto bits = hn::Add(hn::BitCast(du, x.lanes), hn::Set(du, 0x0009'5f62'0000'0000));
  // The exponent as a number: its bits are the last ones of 0x1p52 + exponent.
  const auto exponent = hn::Or(hn::ShiftRight<52>(bits), hn::Set(du, 0x4330'0000'0000'0000));
  const auto fraction = hn::And(bits, hn::Set(du, 0x000f'ffff'ffff'ffff));
  return {Doubles(hn::BitCast(d, exponent)) - (0x1p52 + 1023),
          Doubles(hn::BitCast(d, hn::Add(fraction, hn::Set(du, 0x3fe6'a09e'0000'0000))))};
}

/// As turned() of one direction.
template <class Direction>
HWY_INLINE Direction turned(const Direction& direction, WholeNumbers quarters) {
  const Doubles::Tag d;
  const hn::Rebind<std::int64_t, Doubles::Tag> d64;
  const auto quarter = hn::PromoteTo(d64, quarters);
  const auto one = hn::Set(d64, 1), two = hn::Set(d64, 2);
  const auto isOdd = hn::RebindMask(d, hn::Eq(hn::And(quarter, one), one));
  const auto signedBy = [&](Doubles x, auto at) {
    return Doubles(hn::Xor(x.lanes, hn::BitCast(d, hn::ShiftLeft<62>(hn::And(at, two)))));
  };
  return {signedBy(choose(isOdd, direction.cosine, direction.sine), quarter),
          signedBy(choose(isOdd, direction.sine, direction.cosine), hn::Add(quarter, one))};
}

#include <kaon/detail/math/ElementaryFormulas.h>

// Formulas with a limited range are valid only if one of the functions below returns true. NaN,
// which often marks missing values, gives NaN.

HWY_INLINE Doubles exponential(Doubles x) { return exponentialOf(x, 0); }
HWY_INLINE Doubles hyperbolicSine(Doubles x) { return hyperbolicSineOf(x); }
HWY_INLINE SineCosine<Doubles> sineCosine(Doubles x) { return sineCosineOf(x); }

/// Whether sineCosine() supports all values.
HWY_INLINE bool areAngles(Doubles x) { return hn::AllFalse(Doubles::Tag(), absolute(x) >= 1e5); }
/// Whether hyperbolicSine() and exponential() support all values.
HWY_INLINE bool areNear(Doubles x) { return hn::AllFalse(Doubles::Tag(), absolute(x) >= 700); }

#include <kaon/detail/math/MomentumFormulas.h>

} // namespace kaon::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#undef KAON_FORMULA
#endif
