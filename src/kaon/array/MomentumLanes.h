// Formulas of FourVector.h for as many particles at once as a vector has lanes, of the same results
// to the last bit: for kernels that Highway compiles for each set of instructions, which include
// this once for each of them.

#if defined(KAON_MOMENTUM_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef KAON_MOMENTUM_LANES
#undef KAON_MOMENTUM_LANES
#else
#define KAON_MOMENTUM_LANES
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <numbers>

HWY_BEFORE_NAMESPACE();
namespace kaon::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;

HWY_INLINE V number(double value) { return hn::Set(D(), value); }
HWY_INLINE V plus(V a, V b) { return hn::Add(a, b); }
HWY_INLINE V times(V a, V b) { return hn::Mul(a, b); }
/// a + x * b, in two steps: it is rounded as it is of single numbers.
HWY_INLINE V sum(V a, V x, V b) { return plus(a, times(x, b)); }
HWY_INLINE V sum(double a, V x, V b) { return sum(number(a), x, b); }
HWY_INLINE V sum(double a, V x, double b) { return sum(number(a), x, number(b)); }
/// x less n times the parts of a number.
template <class... Part>
HWY_INLINE V reduced(V x, V n, Part... parts) {
  ((x = hn::Sub(x, times(n, number(parts)))), ...);
  return x;
}

/// hyperbolicSine() of less than 700.
HWY_INLINE V hyperbolicSines(V argument) {
  const D d;
  const hn::Rebind<std::int32_t, D> d32;
  const hn::Rebind<std::int64_t, D> d64;
  const V x = hn::Abs(argument);
  const auto whole = hn::DemoteTo(d32, sum(number(0.5), x, number(std::numbers::log2e)));
  const V n = hn::PromoteTo(d, whole);
  const V r = reduced(x, n, 0x1.62e42feep-1, 0x1.a39ef35793c76p-33);
  const V r2 = times(r, r), r4 = times(r2, r2);
  const V low = sum(plus(number(1), r), r2, sum(1. / 2, r, 1. / 6));
  const V middle = sum(sum(1. / 24, r, 1. / 120), r2, sum(1. / 720, r, 1. / 5040));
  const V high = sum(sum(1. / 40320, r, 1. / 362880), r2, sum(1. / 3628800, r, 1. / 39916800));
  const V power =
      hn::BitCast(d, hn::ShiftLeft<52>(hn::Add(hn::PromoteTo(d64, whole), hn::Set(d64, 1022))));
  const V half = times(sum(low, r4, sum(middle, r4, sum(high, r4, number(1. / 479001600)))), power);
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

/// sineCosine() of less than 1e5.
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

// NaN, which many have that are missing, gives NaN.

/// Whether sinesCosines() has all of them.
HWY_INLINE bool areAngles(V x) { return hn::AllFalse(D(), hn::Ge(hn::Abs(x), number(1e5))); }
/// Whether hyperbolicSines() has all of them.
HWY_INLINE bool areNear(V x) { return hn::AllFalse(D(), hn::Ge(hn::Abs(x), number(700))); }

/// px² + py² + pz²
HWY_INLINE V squares(V px, V py, V pz) {
  return plus(plus(times(px, px), times(py, py)), times(pz, pz));
}

/// energyOf()
HWY_INLINE V energies(V px, V py, V pz, V mass) {
  const V square = sum(squares(px, py, pz), mass, hn::Abs(mass));
  return hn::Sqrt(hn::IfThenElseZero(hn::Gt(square, number(0)), square));
}

} // namespace kaon::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
