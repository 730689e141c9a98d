// Formulas of FourVector.h for as many particles as a vector has lanes, with the same results to
// the last bit. Highway compiles kernels for each instruction set; they include this file once per
// set.

#if defined(KAON_MOMENTUM_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef KAON_MOMENTUM_LANES
#undef KAON_MOMENTUM_LANES
#else
#define KAON_MOMENTUM_LANES
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>

HWY_BEFORE_NAMESPACE();
namespace kaon::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;

HWY_INLINE V number(double value) { return hn::Set(D(), value); }
HWY_INLINE V plus(V a, V b) { return hn::Add(a, b); }
HWY_INLINE V times(V a, V b) { return hn::Mul(a, b); }
/// a + x * b, rounded twice, like single numbers.
HWY_INLINE V sum(V a, V x, V b) { return plus(a, times(x, b)); }
HWY_INLINE V sum(double a, V x, V b) { return sum(number(a), x, b); }
HWY_INLINE V sum(double a, V x, double b) { return sum(number(a), x, number(b)); }
/// x minus n times each part of a number.
template <class... Part>
HWY_INLINE V reduced(V x, V n, Part... parts) {
  ((x = hn::Sub(x, times(n, number(parts)))), ...);
  return x;
}

/// As exponentialOf().
HWY_INLINE V exponentialsOf(V x, std::int64_t twos) {
  const D d;
  const hn::Rebind<std::int32_t, D> d32;
  const hn::Rebind<std::int64_t, D> d64;
  const auto whole =
      hn::DemoteTo(d32, plus(times(x, number(std::numbers::log2e)), hn::CopySign(number(0.5), x)));
  const V n = hn::PromoteTo(d, whole);
  const V r = reduced(x, n, 0x1.62e42feep-1, 0x1.a39ef35793c76p-33);
  const V r2 = times(r, r), r4 = times(r2, r2);
  const V low = sum(r, r2, sum(1. / 2, r, 1. / 6));
  const V middle = sum(sum(1. / 24, r, 1. / 120), r2, sum(1. / 720, r, 1. / 5040));
  const V high = sum(sum(1. / 40320, r, 1. / 362880), r2, sum(1. / 3628800, r, 1. / 39916800));
  const V power = hn::BitCast(
      d, hn::ShiftLeft<52>(hn::Add(hn::PromoteTo(d64, whole), hn::Set(d64, twos + 1023))));
  const V rest =
      sum(low, r4, sum(middle, r4, sum(high, r4, sum(1. / 479001600, r, 1. / 6227020800))));
  return times(plus(number(1), rest), power);
}

/// As hyperbolicSine(), for absolute values below 700.
HWY_INLINE V hyperbolicSines(V argument) {
  const V x = hn::Abs(argument), half = exponentialsOf(x, -1);
  const V far = hn::Sub(half, hn::Div(number(0.25), half));
  const V z = times(x, x), z2 = times(z, z), z4 = times(z2, z2);
  const V tail = sum(sum(1. / 39916800, z, 1. / 6227020800), z2,
                     sum(1. / 1307674368000, z, 1. / 355687428096000));
  const V near =
      sum(x, times(x, z),
          sum(sum(sum(1. / 6, z, 1. / 120), z2, sum(1. / 5040, z, 1. / 362880)), z4, tail));
  return hn::CopySign(hn::IfThenElse(hn::Lt(x, number(1)), near, far), argument);
}

struct Directions {
  V sine, cosine;
};

/// As sineCosine(), for absolute values below 1e5.
HWY_INLINE Directions sinesCosines(V x) {
  const D d;
  const hn::Rebind<std::int32_t, D> d32;
  const hn::Rebind<std::int64_t, D> d64;
  const auto whole =
      hn::DemoteTo(d32, plus(times(x, number(2 / std::numbers::pi)), hn::CopySign(number(0.5), x)));
  const V r =
      reduced(x, hn::PromoteTo(d, whole), 0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69);
  const V z = times(r, r), z2 = times(z, z);
  const V sine = sum(r, times(r, z),
                     sum(sum(-1.66666666666666324348e-01, z, 8.33333333332248946124e-03), z2,
                         sum(sum(-1.98412698298579493134e-04, z, 2.75573137070700676789e-06), z2,
                             sum(-2.50507602534068634195e-08, z, 1.58969099521155010221e-10))));
  const V half = times(z, number(0.5)), rest = hn::Sub(number(1), half);
  const V lost = hn::Sub(hn::Sub(number(1), rest), half);
  const V cosine =
      plus(rest, sum(lost, z2,
                     sum(sum(4.16666666666666019037e-02, z, -1.38888888888741095749e-03), z2,
                         sum(sum(2.48015872894767294178e-05, z, -2.75573143513906633035e-07), z2,
                             sum(2.08757232129817482790e-09, z, -1.13596475577881948265e-11)))));
  const auto quarter = hn::PromoteTo(d64, whole);
  const auto one = hn::Set(d64, 1), two = hn::Set(d64, 2);
  const auto isOdd = hn::RebindMask(d, hn::Eq(hn::And(quarter, one), one));
  const auto sign = [&](auto at) { return hn::BitCast(d, hn::ShiftLeft<62>(hn::And(at, two))); };
  return {hn::Xor(hn::IfThenElse(isOdd, cosine, sine), sign(quarter)),
          hn::Xor(hn::IfThenElse(isOdd, sine, cosine), sign(hn::Add(quarter, one)))};
}

/// `a` if the mask is true, otherwise `b`.
template <class Mask>
HWY_INLINE V choice(Mask mask, double a, V b) {
  return hn::IfThenElse(mask, number(a), b);
}
template <class Mask>
HWY_INLINE V choice(Mask mask, double a, double b) {
  return choice(mask, a, number(b));
}

/// As arcTangent2().
HWY_INLINE V arcTangents2(V y, V x) {
  const D d;
  const V width = hn::Abs(x), height = hn::Abs(y);
  const auto isSteep = hn::Lt(width, height);
  const auto isLeft = hn::Lt(hn::CopySign(number(1), x), hn::Zero(d));
  V low = hn::IfThenElse(isSteep, width, height), high = hn::IfThenElse(isSteep, height, width);
  const V infinity = number(std::numeric_limits<double>::infinity());
  const auto areInfinite = hn::And(hn::Eq(low, infinity), hn::Eq(high, infinity));
  const V scale = choice(hn::Gt(high, number(1e300)), 0x1p-10, 1);
  low = choice(areInfinite, 1, times(low, scale));
  high = choice(areInfinite, 1, times(high, scale));
  const auto isFar = hn::Gt(low, times(high, number(11. / 16)));
  const auto isMiddle = hn::Gt(low, times(high, number(7. / 16)));
  const V two = number(2);
  const V numerator = hn::IfThenElse(isFar, hn::Sub(low, high),
                                     hn::IfThenElse(isMiddle, hn::Sub(times(two, low), high), low));
  const V denominator = hn::IfThenElse(isFar, plus(low, high),
                                       hn::IfThenElse(isMiddle, plus(times(two, high), low), high));
  const V start =
      choice(isFar, std::numbers::pi / 4, choice(isMiddle, 4.63647609000806093515e-01, 0));
  const V startRest =
      choice(isFar, 3.06161699786838301793e-17, choice(isMiddle, 2.26987774529616870924e-17, 0));
  const V t = hn::Div(numerator, choice(hn::Eq(denominator, hn::Zero(d)), 1, denominator));
  const V z = times(t, t), w = times(z, z);
  const V even =
      times(z, sum(3.33333333333329318027e-01, w,
                   sum(1.42857142725034663711e-01, w,
                       sum(9.09088713343650656196e-02, w,
                           sum(6.66107313738753120669e-02, w,
                               sum(4.97687799461593236017e-02, w, 1.62858201153657823623e-02))))));
  const V odd =
      times(w, sum(-1.99999999998764832476e-01, w,
                   sum(-1.11111104054623557880e-01, w,
                       sum(-7.69187620504482999495e-02, w,
                           sum(-5.83357013379057348645e-02, w, -3.65315727442169155270e-02)))));
  const V angle = hn::Sub(start, hn::Sub(hn::Sub(times(t, plus(even, odd)), startRest), t));
  const V from = choice(isSteep, std::numbers::pi / 2, choice(isLeft, std::numbers::pi, 0));
  const V fromRest =
      choice(isSteep, 6.12323399573676603587e-17, choice(isLeft, 1.22464679914735320717e-16, 0));
  const V signedAngle = hn::IfThenElse(hn::Xor(isSteep, isLeft), hn::Neg(angle), angle);
  return hn::CopySign(plus(from, plus(fromRest, signedAngle)), y);
}

/// As logarithmOf().
HWY_INLINE V logarithmsOf(V x, V rest, V twos) {
  const D d;
  const hn::Rebind<std::uint64_t, D> du;
  const auto bits = hn::Add(hn::BitCast(du, x), hn::Set(du, 0x0009'5f62'0000'0000));
  // The exponent as a number: its bits are the last ones of 0x1p52 + exponent.
  const auto exponent = hn::Or(hn::ShiftRight<52>(bits), hn::Set(du, 0x4330'0000'0000'0000));
  const V k = plus(hn::Sub(hn::BitCast(d, exponent), number(0x1p52 + 1023)), twos);
  const auto fraction = hn::And(bits, hn::Set(du, 0x000f'ffff'ffff'ffff));
  const V f =
      hn::Sub(hn::BitCast(d, hn::Add(fraction, hn::Set(du, 0x3fe6'a09e'0000'0000))), number(1));
  const V s = hn::Div(f, plus(number(2), f)), z = times(s, s), w = times(z, z);
  const V half = times(times(number(0.5), f), f);
  const V even = times(w, sum(3.999999999940941908e-01, w,
                              sum(2.222219843214978396e-01, w, 1.531383769920937332e-01)));
  const V odd = times(z, sum(6.666666666666735130e-01, w,
                             sum(2.857142874366239149e-01, w,
                                 sum(1.818357216161805012e-01, w, 1.479819860511658591e-01))));
  const V low = plus(times(s, plus(half, plus(even, odd))),
                     plus(times(k, number(1.90821492927058770002e-10)), rest));
  return hn::Sub(times(k, number(6.93147180369123816490e-01)), hn::Sub(hn::Sub(half, low), f));
}

/// As logarithm().
HWY_INLINE V logarithms(V x) {
  using Limits = std::numeric_limits<double>;
  const V zero = number(0), infinity = number(Limits::infinity());
  const auto isSubnormal = hn::Lt(x, number(Limits::min()));
  const V result = logarithmsOf(hn::IfThenElse(isSubnormal, times(x, number(0x1p54)), x), zero,
                                choice(isSubnormal, -54, 0));
  const V otherwise =
      choice(hn::Eq(x, zero), -Limits::infinity(), choice(hn::Lt(x, zero), Limits::quiet_NaN(), x));
  return hn::IfThenElse(hn::And(hn::Gt(x, zero), hn::Lt(x, infinity)), result, otherwise);
}

/// As inverseHyperbolicSine().
HWY_INLINE V inverseHyperbolicSines(V argument) {
  const V x = hn::Abs(argument), one = number(1), square = times(x, x);
  const auto isFar = hn::Gt(x, number(0x1p28));
  const V u = plus(x, hn::Div(square, plus(one, hn::Sqrt(plus(one, square)))));
  const V total = plus(one, u);
  const V rest = choice(isFar, 0, hn::Div(hn::Sub(u, hn::Sub(total, one)), total));
  const V result = logarithmsOf(hn::IfThenElse(isFar, x, total), rest, choice(isFar, 1, 0));
  const auto isFinite = hn::Lt(x, number(std::numeric_limits<double>::infinity()));
  return hn::CopySign(hn::IfThenElse(isFinite, result, x), argument);
}

// NaN, which often marks missing values, gives NaN.

/// Whether sinesCosines() supports all values.
HWY_INLINE bool areAngles(V x) { return hn::AllFalse(D(), hn::Ge(hn::Abs(x), number(1e5))); }
/// Whether hyperbolicSines() and exponentialsOf() support all values.
HWY_INLINE bool areNear(V x) { return hn::AllFalse(D(), hn::Ge(hn::Abs(x), number(700))); }

/// px² + py² + pz²
HWY_INLINE V squares(V px, V py, V pz) {
  return plus(plus(times(px, px), times(py, py)), times(pz, pz));
}

/// As energyOf().
HWY_INLINE V energies(V px, V py, V pz, V mass) {
  const V square = sum(squares(px, py, pz), mass, hn::Abs(mass));
  return hn::Sqrt(hn::IfThenZeroElse(hn::Le(square, number(0)), square));
}

} // namespace kaon::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
