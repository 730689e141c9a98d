#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace kaon::detail {

template <class T>
struct SineCosine {
  T sine, cosine;
};

/// For floats, uses the standard library.
[[nodiscard]] inline SineCosine<float> sineCosine(float x) noexcept {
  return {std::sin(x), std::cos(x)};
}

/// Exact to the last digit or two. The standard functions have branches on the angle, which a
/// processor cannot predict: for azimuths they take three times as long.
///
/// The polynomials are those of W. Kahan's and K. C. Ng's in fdlibm (1993), for |r| <= π/4.
[[nodiscard]] inline SineCosine<double> sineCosine(double x) noexcept {
  if (!(std::abs(x) < 1e5))
    return {std::sin(x), std::cos(x)};
  // x = n π/2 + r, with π/2 in three parts; n times each part is exact. Rounds n by conversion, not
  // by adding and subtracting: see exponentialOf().
  const auto n = static_cast<std::int32_t>(x * (2 / std::numbers::pi) + std::copysign(0.5, x));
  const double r = x - n * 0x1.921fb544p+0 - n * 0x1.0b4611a6p-34 - n * 0x1.3198a2e037073p-69;
  const double z = r * r, z2 = z * z;
  const double sine =
      r + r * z *
              (-1.66666666666666324348e-01 + z * 8.33333333332248946124e-03 +
               z2 * (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06 +
                     z2 * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  const double half = z / 2, rest = 1 - half;
  const double cosine =
      rest + ((1 - rest - half) +
              z2 * (4.16666666666666019037e-02 + z * -1.38888888888741095749e-03 +
                    z2 * (2.48015872894767294178e-05 + z * -2.75573143513906633035e-07 +
                          z2 * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
  // Selects them and their signs by bits, without branches.
  const auto quarter = static_cast<std::uint64_t>(static_cast<std::int64_t>(n));
  const auto s = std::bit_cast<std::uint64_t>(sine), c = std::bit_cast<std::uint64_t>(cosine);
  const std::uint64_t other = (s ^ c) & -(quarter & 1);
  return {std::bit_cast<double>((s ^ other) ^ (quarter & 2) << 62),
          std::bit_cast<double>((c ^ other) ^ ((quarter + 1) & 2) << 62)};
}

} // namespace kaon::detail
