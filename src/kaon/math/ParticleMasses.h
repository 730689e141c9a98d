#pragma once

namespace kaon::detail {

/// Returns the mass of a particle in GeV, given its number in the PDG's numbering scheme or that of
/// its antiparticle. NaN for other numbers; 0 for neutrinos. The numbers 45, 46, 47 and 49 are
/// light nuclei, as in GEANT3 and in CLAS12's files.
///
/// The table holds the particles that detectors reconstruct. Sources: R. L. Workman et al. (PDG),
/// Review of Particle Physics, 2024; nuclei: CODATA 2022.
[[nodiscard]] double particleMass(double number) noexcept;

} // namespace kaon::detail
