#pragma once

namespace kaon::detail {

// Particles are given by their numbers in the PDG's scheme; those of antiparticles are negative.
// The numbers 45, 46, 47 and 49 are light nuclei, as in GEANT3 and in CLAS12's files.

/// Returns the mass of a particle in GeV; NaN if the number is unknown.
[[nodiscard]] double particleMass(double number) noexcept;
/// Returns the charge of a particle in units of e; NaN if the number is unknown.
[[nodiscard]] double particleCharge(double number) noexcept;

} // namespace kaon::detail
