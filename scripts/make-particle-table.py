#!/usr/bin/env python3
"""Write src/kaon/math/ParticleTable.h: masses and charges of particles.

The numbers are those of the PDG, which the package `particle` brings. Antiparticles are left out.
Nuclei are light ones with the masses of CODATA, because the package has those of atoms.
"""

from pathlib import Path

from particle import Particle

TARGET = Path(__file__).parents[1] / "src/kaon/math/ParticleTable.h"

NEUTRINOS = (12, 14, 16)
DEUTERON, TRITON, HELIUM3, ALPHA = 1.875612945, 2.80892113668, 2.80839161112, 3.7273794118
NUCLEI = {
    # GEANT3's numbers, which CLAS12 uses for nuclei
    45: (DEUTERON, 3, "deuteron"),
    46: (TRITON, 3, "triton"),
    47: (ALPHA, 6, "alpha"),
    49: (HELIUM3, 6, "He3"),
    1000010020: (DEUTERON, 3, "deuteron"),
    1000010030: (TRITON, 3, "triton"),
    1000020030: (HELIUM3, 6, "He3"),
    1000020040: (ALPHA, 6, "alpha"),
}

HEAD = """#pragma once

// Made by scripts/make-particle-table.py.

namespace kaon::detail {

struct ParticleFacts {
  double number; ///< in the PDG's scheme
  double mass;   ///< in GeV
  int charge;    ///< in thirds of e
};

/// Masses and charges of particles, sorted by number. Sources: Particle Data Group, Review of
/// Particle Physics, 2026; nuclei: CODATA 2022. Neutrinos have the mass 0.
inline constexpr ParticleFacts particleTable[] = {
"""


def main() -> None:
    """Write the table."""
    facts = dict(NUCLEI)
    for particle in Particle.all():
        number, mass = int(particle.pdgid), particle.mass
        if number in NEUTRINOS:
            mass = 0.0
        if 0 < number < 10_000_000 and mass is not None and particle.three_charge is not None:
            facts[number] = (mass / 1000, int(particle.three_charge), particle.name)
    lines = [
        f"    {{{number}, {mass:.12g}, {charge}}}, // {name}\n"
        for number, (mass, charge, name) in sorted(facts.items())
    ]
    TARGET.write_text(HEAD + "".join(lines) + "};\n\n} // namespace kaon::detail\n")


if __name__ == "__main__":
    main()
