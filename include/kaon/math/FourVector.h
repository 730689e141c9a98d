#pragma once

// The formulas of relativistic kinematics, in natural units: energies, momenta and masses have the
// same unit. Sources: Particle Data Group, Review of Particle Physics, "Kinematics" (PDG below).
// Pure conventions follow ROOT's GenVector and the Python package vector. All are functions of
// values: safe in every thread, and they throw nothing.

#include <kaon/detail/math/ScalarFormulas.h>

#include <cmath>
#include <concepts>
#include <numbers>

namespace kaon {

namespace detail {
/// deltaPhi() for differences of more than one turn, or exactly half a turn.
template <std::floating_point T>
[[nodiscard, gnu::cold, gnu::noinline]] T withinHalfTurn(T difference) noexcept {
  constexpr T pi = std::numbers::pi_v<T>;
  difference = std::remainder(difference, 2 * pi);
  return difference <= -pi ? pi : difference;
}
} // namespace detail

/// Returns the difference a - b of two azimuths, in (-π, π].
template <std::floating_point T>
[[nodiscard]] T deltaPhi(T a, T b) noexcept {
  constexpr T pi = std::numbers::pi_v<T>;
  T difference = a - b;
  // Without a branch, because it could not be predicted.
  const bool isOutside = (difference > pi) | (difference <= -pi);
  difference -= std::copysign(T(isOutside) * (2 * pi), difference);
  if (!(std::abs(difference) > pi)) [[likely]] // azimuths differ by less than a turn
    return difference;
  return detail::withinHalfTurn(difference);
}

/// Returns the distance of two directions, √(Δη² + Δφ²).
template <std::floating_point T>
[[nodiscard]] T deltaR(T eta1, T phi1, T eta2, T phi2) noexcept {
  const T eta = eta1 - eta2;
  T phi = detail::azimuthBetween(phi1, phi2);
  if (!(phi <= std::numbers::pi_v<T>)) [[unlikely]]
    phi = detail::withinHalfTurn(phi1 - phi2);
  return detail::ptOf(eta, phi);
}

/// Returns the mass of two massless particles' transverse momenta, √(2 pt₁ pt₂ (1 - cos Δφ)): PDG,
/// "transverse mass", for a lepton and the missing momentum.
template <std::floating_point T>
[[nodiscard]] T transverseMass(T pt1, T phi1, T pt2, T phi2) noexcept {
  return std::sqrt(2 * pt1 * pt2 * (1 - std::cos(phi1 - phi2)));
}

/// The energy and momentum of a particle, or of several together.
template <std::floating_point T>
struct FourVector {
  T px = 0, py = 0, pz = 0, E = 0;

  [[nodiscard]] static FourVector ofPtEtaPhiMass(T pt, T eta, T phi, T mass) noexcept {
    return ofMomentum(detail::pxOf(pt, phi), detail::pyOf(pt, phi), detail::pzOf(pt, eta), mass);
  }
  [[nodiscard]] static FourVector ofMomentum(T px, T py, T pz, T mass) noexcept {
    return {px, py, pz, detail::energyOf(px, py, pz, mass)};
  }

  [[nodiscard]] T p() const noexcept { return detail::pOf(px, py, pz); }
  [[nodiscard]] T pt() const noexcept { return detail::ptOf(px, py); }
  [[nodiscard]] T eta() const noexcept { return detail::etaOf(px, py, pz); }
  [[nodiscard]] T phi() const noexcept { return detail::phiOf(px, py); }
  [[nodiscard]] T theta() const noexcept { return detail::thetaOf(px, py, pz); }
  [[nodiscard]] T mass() const noexcept { return detail::massOf(px, py, pz, E); }
  [[nodiscard]] T rapidity() const noexcept { return detail::rapidityOf(pz, E); }

  friend FourVector operator+(const FourVector& a, const FourVector& b) noexcept {
    return {a.px + b.px, a.py + b.py, a.pz + b.pz, a.E + b.E};
  }
  friend FourVector operator-(const FourVector& a, const FourVector& b) noexcept {
    return {a.px - b.px, a.py - b.py, a.pz - b.pz, a.E - b.E};
  }
  friend bool operator==(const FourVector&, const FourVector&) = default;
};

} // namespace kaon
