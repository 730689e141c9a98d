// The elementary functions of double-precision numbers, as formulas of any number type V. This text
// has no include guard: ScalarFormulas.h includes it for single numbers, and LaneFormulas.h for the
// lanes of vectors, once for each HWY_TARGET_TOGGLE. Both define KAON_FORMULA, the concept IsNumber
// and the operations before. Results have the same bits, because each operation is rounded once.
//
// Functions whose names end with "Of" need arguments in a limited range.

/// Returns 2^twos e^x, for |x| < 700.
template <IsNumber V>
KAON_FORMULA V exponentialOf(V x, std::int32_t twos) noexcept {
  // e^x = 2^n e^r with |r| <= ln(2) / 2; n times the first part of ln(2) is exact. Rounds by
  // conversion, because -ffast-math, which many programs use for their loops, removes the addition
  // and subtraction of a rounding constant.
  const auto whole = truncated(x * std::numbers::log2e + copySign(V(0.5), x));
  const V n = numberOf(whole);
  const V r = x - n * 0x1.62e42feep-1 - n * 0x1.a39ef35793c76p-33;
  const V r2 = r * r, r4 = r2 * r2;
  const V low = r + r2 * (1. / 2 + r * (1. / 6));
  const V middle = 1. / 24 + r * (1. / 120) + r2 * (1. / 720 + r * (1. / 5040));
  const V high = 1. / 40320 + r * (1. / 362880) + r2 * (1. / 3628800 + r * (1. / 39916800));
  const V last = 1. / 479001600 + r * (1. / 6227020800);
  return (1 + (low + r4 * (middle + r4 * (high + r4 * last)))) * powerOfTwo(whole, twos);
}

/// Returns sinh(x), for |x| < 700, exact to the last digit or two.
template <IsNumber V>
KAON_FORMULA V hyperbolicSineOf(V argument) noexcept {
  const V x = absolute(argument);
  const V half = exponentialOf(x, -1);
  const V far = half - 0.25 / half;
  // Near 0 the difference loses digits, so use the sum of x^k / k!.
  const V z = x * x, z2 = z * z, z4 = z2 * z2;
  const V near = x + x * z *
                         (1. / 6 + z * (1. / 120) + z2 * (1. / 5040 + z * (1. / 362880)) +
                          z4 * (1. / 39916800 + z * (1. / 6227020800) +
                                z2 * (1. / 1307674368000 + z * (1. / 355687428096000))));
  return copySign(choose(x < 1, near, far), argument);
}

template <class V>
struct SineCosine {
  V sine, cosine;
};

/// Returns sine and cosine, for |x| < 1e5, exact to the last digit or two. The polynomials are
/// those of W. Kahan's and K. C. Ng's in fdlibm (1993), for |r| <= π/4.
template <IsNumber V>
KAON_FORMULA SineCosine<V> sineCosineOf(V x) noexcept {
  // x = n π/2 + r, with π/2 in three parts; n times each part is exact. Rounds n by conversion, not
  // by adding and subtracting: see exponentialOf().
  const auto whole = truncated(x * (2 / std::numbers::pi) + copySign(V(0.5), x));
  const V n = numberOf(whole);
  const V r = x - n * 0x1.921fb544p+0 - n * 0x1.0b4611a6p-34 - n * 0x1.3198a2e037073p-69;
  const V z = r * r, z2 = z * z;
  const V sine =
      r + r * z *
              (-1.66666666666666324348e-01 + z * 8.33333333332248946124e-03 +
               z2 * (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06 +
                     z2 * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  const V half = z * 0.5, rest = 1 - half;
  const V cosine =
      rest + ((1 - rest - half) +
              z2 * (4.16666666666666019037e-02 + z * -1.38888888888741095749e-03 +
                    z2 * (2.48015872894767294178e-05 + z * -2.75573143513906633035e-07 +
                          z2 * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
  return turned(SineCosine<V>{sine, cosine}, whole);
}

/// Returns the angle of (x, y), from -π to π, exact to the last digit or two. Zeros, infinite and
/// negative numbers give the results of std::atan2(). The standard function has branches on the
/// angle, which a processor cannot predict.
///
/// The polynomial is that of fdlibm's atan() (Sun Microsystems, 1993), for tangents up to 7/16.
template <IsNumber V>
KAON_FORMULA V arcTangent2(V y, V x) noexcept {
  const V width = absolute(x), height = absolute(y);
  const auto isSteep = width < height, isLeft = isNegative(x);
  V low = choose(isSteep, width, height), high = choose(isSteep, height, width);
  const V infinity = std::numeric_limits<double>::infinity();
  const auto areInfinite = both(low == infinity, high == infinity);
  const V scale = choose(high > 1e300, V(0x1p-10), V(1)); // keeps sums finite
  low = choose(areInfinite, V(1), low * scale);
  high = choose(areInfinite, V(1), high * scale);
  // atan(low / high) is atan(t), with the reduced tangent t, plus atan(1/2), π/4 or 0.
  const auto isFar = low > high * (11. / 16), isMiddle = low > high * (7. / 16);
  struct Reduced {
    V numerator, denominator, start, startRest;
  };
  const Reduced reduced = chosen(
      isFar,
      [&] {
        return Reduced{low - high, low + high, std::numbers::pi / 4, 3.06161699786838301793e-17};
      },
      [&] {
        return chosen(
            isMiddle,
            [&] {
              return Reduced{2 * low - high, 2 * high + low, 4.63647609000806093515e-01,
                             2.26987774529616870924e-17};
            },
            [&] {
              return Reduced{low, high, 0, 0};
            });
      });
  const V t = reduced.numerator / choose(reduced.denominator == 0, V(1), reduced.denominator);
  const V z = t * t, w = z * z;
  const V even =
      z * (3.33333333333329318027e-01 +
           w * (1.42857142725034663711e-01 +
                w * (9.09088713343650656196e-02 +
                     w * (6.66107313738753120669e-02 +
                          w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)))));
  const V odd =
      w * (-1.99999999998764832476e-01 +
           w * (-1.11111104054623557880e-01 +
                w * (-7.69187620504482999495e-02 +
                     w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))));
  const V angle = reduced.start - ((t * (even + odd) - reduced.startRest) - t);
  const V from =
      choose(isSteep, V(std::numbers::pi / 2), choose(isLeft, V(std::numbers::pi), V(0)));
  const V fromRest = choose(isSteep, V(6.12323399573676603587e-17),
                            choose(isLeft, V(1.22464679914735320717e-16), V(0)));
  return copySign(from + (fromRest + choose(differ(isSteep, isLeft), -angle, angle)), y);
}

/// Returns ln(2^twos x) + rest of a normal x > 0. The polynomial is that of fdlibm's log() (Sun
/// Microsystems, 1993), for x from √½ to √2 times a power of two.
template <IsNumber V>
KAON_FORMULA V logarithmOf(V x, V rest, V twos) noexcept {
  const auto [exponent, fraction] = partsOf(x);
  const V k = exponent + twos, f = fraction - 1;
  const V s = f / (2 + f), z = s * s, w = z * z, half = 0.5 * f * f;
  const V even = w * (3.999999999940941908e-01 +
                      w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const V odd = z * (6.666666666666735130e-01 +
                     w * (2.857142874366239149e-01 +
                          w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  return k * 6.93147180369123816490e-01 -
         ((half - (s * (half + (even + odd)) + (k * 1.90821492927058770002e-10 + rest))) - f);
}

/// Returns the natural logarithm, exact to the last digit or two; -∞ for 0, NaN for negative
/// numbers.
template <IsNumber V>
KAON_FORMULA V logarithm(V x) noexcept {
  using Limits = std::numeric_limits<double>;
  const auto isSubnormal = x < Limits::min();
  const V result =
      logarithmOf(choose(isSubnormal, x * 0x1p54, x), V(0), choose(isSubnormal, V(-54), V(0)));
  const V otherwise =
      choose(x == 0, V(-Limits::infinity()), choose(x < 0, V(Limits::quiet_NaN()), x));
  return choose(both(x > 0, x < Limits::infinity()), result, otherwise);
}

/// Returns the inverse of the hyperbolic sine, exact to the last digit or two.
template <IsNumber V>
KAON_FORMULA V inverseHyperbolicSine(V argument) noexcept {
  const V x = absolute(argument);
  const auto isFar = x > 0x1p28; // where the result is ln(2x)
  // Near 0, ln(1 + u) is corrected by the digits of u that 1 + u loses.
  const V u = x + x * x / (1 + squareRoot(1 + x * x));
  const V sum = 1 + u;
  const V rest = choose(isFar, V(0), (u - (sum - 1)) / sum);
  const V result = logarithmOf(choose(isFar, x, sum), rest, choose(isFar, V(1), V(0)));
  const auto isFinite = x < std::numeric_limits<double>::infinity();
  return copySign(choose(isFinite, result, x), argument);
}
