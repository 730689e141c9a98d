"""Names of particles, by the package particle."""

from __future__ import annotations

from functools import cache


@cache
def particle_name(code: int) -> str:
    """Return the name of a particle, such as "pi+"; the code itself if it has no name.

    Parameters
    ----------
    code
        The number of the particle in the PDG's Monte Carlo numbering scheme.

    Raises
    ------
    ImportError
        If the package particle is not installed.
    """
    try:
        from particle import InvalidParticle, Particle, ParticleNotFound
    except ImportError as error:
        raise ImportError("names of particles need: pip install particle") from error
    try:
        return str(Particle.from_pdgid(code).name)
    except (InvalidParticle, ParticleNotFound):
        return str(code)
