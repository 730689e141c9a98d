#pragma once

// The formulas of relativistic kinematics, in natural units: energies, momenta and masses have the
// same unit. Sources: Particle Data Group, Review of Particle Physics, "Kinematics" (PDG below);
// conventions where nature has none are those of ROOT's GenVector and of the Python package vector.
// All of them are functions of values: safe in every thread, and they throw nothing.

#include <kaon/array/ArcTangent.h>
#include <kaon/array/HyperbolicSine.h>
#include <kaon/array/Logarithm.h>
#include <kaon/array/SineCosine.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <numbers>

namespace kaon {

namespace detail {
/// deltaPhi() of what is more than a turn off, or exactly half a one.
template <std::floating_point T>
[[nodiscard, gnu::cold, gnu::noinline]] T withinHalfTurn(T difference) noexcept {
  constexpr T pi = std::numbers::pi_v<T>;
  difference = std::remainder(difference, 2 * pi);
  return difference <= -pi ? pi : difference;
}
} // namespace detail

/// The difference a - b of two azimuths, in (-π, π].
template <std::floating_point T>
[[nodiscard]] T deltaPhi(T a, T b) noexcept {
  constexpr T pi = std::numbers::pi_v<T>;
  T difference = a - b;
  // Without a branch: whether it would be taken cannot be foreseen.
  const bool isOutside = (difference > pi) | (difference <= -pi);
  difference -= std::copysign(T(isOutside) * (2 * pi), difference);
  if (!(std::abs(difference) > pi)) [[likely]] // azimuths lie within a turn of each other
    return difference;
  return detail::withinHalfTurn(difference);
}

/// The distance of two directions, √(Δη² + Δφ²).
template <std::floating_point T>
[[nodiscard]] T deltaR(T eta1, T phi1, T eta2, T phi2) noexcept {
  constexpr T pi = std::numbers::pi_v<T>;
  const T eta = eta1 - eta2;
  // As deltaPhi(), whose sign does not matter: the shorter way around.
  T phi = std::abs(phi1 - phi2);
  phi = std::min(phi, std::abs(2 * pi - phi));
  if (!(phi <= pi)) [[unlikely]]
    phi = detail::withinHalfTurn(phi1 - phi2);
  return std::sqrt(eta * eta + phi * phi);
}

/// The mass of two massless particles' momenta in the plane across the beam, √(2 pt₁ pt₂ (1 - cos
/// Δφ)): PDG, "transverse mass", for a lepton and the missing momentum.
template <std::floating_point T>
[[nodiscard]] T transverseMass(T pt1, T phi1, T pt2, T phi2) noexcept {
  return std::sqrt(2 * pt1 * pt2 * (1 - std::cos(phi1 - phi2)));
}

/// A component across the beam: p_x with the cosine of the azimuth, p_y with its sine.
template <std::floating_point T>
[[nodiscard]] T pxOf(T pt, T phi) noexcept {
  return pt * sineCosine(phi).cosine;
}
template <std::floating_point T>
[[nodiscard]] T pyOf(T pt, T phi) noexcept {
  return pt * sineCosine(phi).sine;
}
/// Along the beam: p_z = p_T sinh η (PDG).
template <std::floating_point T>
[[nodiscard]] T pzOf(T pt, T eta) noexcept {
  return pt * hyperbolicSine(eta);
}
template <std::floating_point T>
[[nodiscard]] T ptOf(T px, T py) noexcept {
  return std::sqrt(px * px + py * py);
}
template <std::floating_point T>
[[nodiscard]] T phiOf(T px, T py) noexcept {
  return arcTangent2(py, px);
}
/// The size of a momentum.
template <std::floating_point T>
[[nodiscard]] T pOf(T px, T py, T pz) noexcept {
  return std::sqrt(px * px + py * py + pz * pz);
}
/// The pseudorapidity, arsinh(p_z / p_T): PDG's -ln tan(θ/2), exact also near the beam. ±∞ along
/// the beam, 0 for no momentum.
template <std::floating_point T>
[[nodiscard]] T etaOf(T px, T py, T pz) noexcept {
  return pz == 0 ? T(0) : inverseHyperbolicSine(pz / ptOf(px, py));
}
/// The polar angle, from 0 to π.
template <std::floating_point T>
[[nodiscard]] T thetaOf(T px, T py, T pz) noexcept {
  return arcTangent2(ptOf(px, py), pz);
}
/// E = √(p² + m²) (PDG). A negative mass stands for a negative square of it, as massOf() gives.
template <std::floating_point T>
[[nodiscard]] T energyOf(T px, T py, T pz, T mass) noexcept {
  const T square = px * px + py * py + pz * pz + mass * std::abs(mass);
  return std::sqrt(square <= 0 ? T(0) : square);
}
/// m = √(E² - p²) (PDG); -√(p² - E²) where that is negative, as it may be by rounding.
template <std::floating_point T>
[[nodiscard]] T massOf(T px, T py, T pz, T energy) noexcept {
  const T square = energy * energy - (px * px + py * py + pz * pz);
  return square < 0 ? -std::sqrt(-square) : std::sqrt(square);
}
/// The rapidity, ½ ln((E + p_z) / (E - p_z)) (PDG).
template <std::floating_point T>
[[nodiscard]] T rapidityOf(T pz, T energy) noexcept {
  return logarithm((energy + pz) / (energy - pz)) / 2;
}

/// Energy and momentum of a particle, or of several together.
template <std::floating_point T>
struct FourVector {
  T px = 0, py = 0, pz = 0, E = 0;

  [[nodiscard]] static FourVector ofPtEtaPhiMass(T pt, T eta, T phi, T mass) noexcept {
    return ofMomentum(pxOf(pt, phi), pyOf(pt, phi), pzOf(pt, eta), mass);
  }
  [[nodiscard]] static FourVector ofMomentum(T px, T py, T pz, T mass) noexcept {
    return {px, py, pz, energyOf(px, py, pz, mass)};
  }

  [[nodiscard]] T p() const noexcept { return pOf(px, py, pz); }
  [[nodiscard]] T pt() const noexcept { return ptOf(px, py); }
  [[nodiscard]] T eta() const noexcept { return etaOf(px, py, pz); }
  [[nodiscard]] T phi() const noexcept { return phiOf(px, py); }
  [[nodiscard]] T theta() const noexcept { return thetaOf(px, py, pz); }
  [[nodiscard]] T mass() const noexcept { return massOf(px, py, pz, E); }
  [[nodiscard]] T rapidity() const noexcept { return rapidityOf(pz, E); }

  friend FourVector operator+(const FourVector& a, const FourVector& b) noexcept {
    return {a.px + b.px, a.py + b.py, a.pz + b.pz, a.E + b.E};
  }
  friend FourVector operator-(const FourVector& a, const FourVector& b) noexcept {
    return {a.px - b.px, a.py - b.py, a.pz - b.pz, a.E - b.E};
  }
  friend bool operator==(const FourVector&, const FourVector&) = default;
};

} // namespace kaon
