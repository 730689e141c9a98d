#pragma once

#include <cmath>
#include <limits>
#include <numbers>

namespace kaon::detail {

/// For floats, uses the standard library.
[[nodiscard]] inline float arcTangent2(float y, float x) noexcept { return std::atan2(y, x); }

/// Returns the angle of (x, y), from -π to π, exact to the last digit or two. Zeros, infinite and
/// negative numbers give the results of std::atan2(). The standard function has branches on the
/// angle, which a processor cannot predict.
///
/// The polynomial is that of fdlibm's atan() (Sun Microsystems, 1993), for tangents up to 7/16.
[[nodiscard]] inline double arcTangent2(double y, double x) noexcept {
  const double width = std::abs(x), height = std::abs(y);
  const bool isSteep = width < height, isLeft = std::signbit(x);
  double low = isSteep ? width : height, high = isSteep ? height : width;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool areInfinite = low == infinity && high == infinity;
  const double scale = high > 1e300 ? 0x1p-10 : 1; // keeps sums finite
  low = areInfinite ? 1 : low * scale;
  high = areInfinite ? 1 : high * scale;
  // atan(low / high) is atan(t), with the reduced tangent t, plus atan(1/2), π/4 or 0.
  const bool isFar = low > high * (11. / 16), isMiddle = low > high * (7. / 16);
  const double numerator = isFar ? low - high : isMiddle ? 2 * low - high : low;
  const double denominator = isFar ? low + high : isMiddle ? 2 * high + low : high;
  const double start = isFar ? std::numbers::pi / 4 : isMiddle ? 4.63647609000806093515e-01 : 0;
  const double startRest = isFar      ? 3.06161699786838301793e-17
                           : isMiddle ? 2.26987774529616870924e-17
                                      : 0;
  const double t = numerator / (denominator == 0 ? 1 : denominator);
  const double z = t * t, w = z * z;
  const double even =
      z * (3.33333333333329318027e-01 +
           w * (1.42857142725034663711e-01 +
                w * (9.09088713343650656196e-02 +
                     w * (6.66107313738753120669e-02 +
                          w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)))));
  const double odd =
      w * (-1.99999999998764832476e-01 +
           w * (-1.11111104054623557880e-01 +
                w * (-7.69187620504482999495e-02 +
                     w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))));
  const double angle = start - ((t * (even + odd) - startRest) - t);
  const double from = isSteep ? std::numbers::pi / 2 : isLeft ? std::numbers::pi : 0;
  const double fromRest = isSteep  ? 6.12323399573676603587e-17
                          : isLeft ? 1.22464679914735320717e-16
                                   : 0;
  return std::copysign(from + (fromRest + (isSteep != isLeft ? -angle : angle)), y);
}

} // namespace kaon::detail
