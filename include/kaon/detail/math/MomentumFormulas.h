// The formulas of momenta, of any number type V; included as ElementaryFormulas.h, after the
// elementary functions and once for each HWY_TARGET_TOGGLE. Sources: see FourVector.h.

/// Returns the distance of two azimuths the shorter way around, if they differ by less than a turn.
template <IsNumber V>
KAON_FORMULA V azimuthBetween(V phi1, V phi2) noexcept {
  const V phi = absolute(phi1 - phi2);
  return lesser(phi, absolute(turn<V> - phi));
}
/// Returns a transverse component: p_x with the cosine of the azimuth, p_y with its sine.
template <IsNumber V>
KAON_FORMULA V pxOf(V pt, V phi) noexcept {
  return pt * sineCosine(phi).cosine;
}
template <IsNumber V>
KAON_FORMULA V pyOf(V pt, V phi) noexcept {
  return pt * sineCosine(phi).sine;
}
/// Returns the component along the beam: p_z = p_T sinh η (PDG).
template <IsNumber V>
KAON_FORMULA V pzOf(V pt, V eta) noexcept {
  return pt * hyperbolicSine(eta);
}
/// Returns the length of a vector of two components, such as (px, py) or (Δη, Δφ).
template <IsNumber V>
KAON_FORMULA V ptOf(V px, V py) noexcept {
  return squareRoot(px * px + py * py);
}
template <IsNumber V>
KAON_FORMULA V phiOf(V px, V py) noexcept {
  return arcTangent2(py, px);
}
/// Returns the magnitude of a momentum.
template <IsNumber V>
KAON_FORMULA V pOf(V px, V py, V pz) noexcept {
  return squareRoot(px * px + py * py + pz * pz);
}
/// Returns the pseudorapidity, arsinh(p_z / p_T): PDG's -ln tan(θ/2), exact also near the beam. ±∞
/// along the beam, 0 for zero momentum.
template <IsNumber V>
KAON_FORMULA V etaOf(V px, V py, V pz) noexcept {
  return choose(pz == 0, V(0), inverseHyperbolicSine(pz / ptOf(px, py)));
}
/// Returns the polar angle, from 0 to π.
template <IsNumber V>
KAON_FORMULA V thetaOf(V px, V py, V pz) noexcept {
  return arcTangent2(ptOf(px, py), pz);
}
/// Returns E = √(p² + m²) (PDG). A negative mass means a negative square of the mass, as in
/// massOf().
template <IsNumber V>
KAON_FORMULA V energyOf(V px, V py, V pz, V mass) noexcept {
  const V square = px * px + py * py + pz * pz + mass * absolute(mass);
  return squareRoot(choose(square <= 0, V(0), square));
}
/// Returns m = √(E² - p²) (PDG); -√(p² - E²) if the square is negative, for example by rounding.
template <IsNumber V>
KAON_FORMULA V massOf(V px, V py, V pz, V energy) noexcept {
  return signedRoot(energy * energy - (px * px + py * py + pz * pz));
}
/// Returns the rapidity, ½ ln((E + p_z) / (E - p_z)) (PDG).
template <IsNumber V>
KAON_FORMULA V rapidityOf(V pz, V energy) noexcept {
  return logarithm((energy + pz) / (energy - pz)) * V(0.5);
}
