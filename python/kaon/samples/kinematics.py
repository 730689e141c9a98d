"""Four-momenta of random events, as arrays of shape (events, 4) with energy, x, y and z."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Momenta = NDArray[np.float64]


def mass_of(momenta: Momenta) -> NDArray[np.float64]:
    """Return the invariant masses."""
    squares: NDArray[np.float64] = momenta[:, 0] ** 2 - (momenta[:, 1:] ** 2).sum(axis=1)
    return np.sqrt(np.maximum(squares, 0))


def with_mass(vectors: NDArray[np.float64], mass: ArrayLike) -> Momenta:
    """Return the four-momenta of momenta of shape (events, 3)."""
    energy = np.sqrt((vectors**2).sum(axis=1) + np.square(mass))
    return np.column_stack([energy, vectors])


def from_beam(pt: ArrayLike, rapidity: ArrayLike, phi: ArrayLike, mass: ArrayLike) -> Momenta:
    """Return the four-momenta of particles with these transverse momenta and rapidities."""
    transverse = np.hypot(pt, mass)
    x, y = np.multiply(pt, np.cos(phi)), np.multiply(pt, np.sin(phi))
    return np.column_stack([transverse * np.cosh(rapidity), x, y, transverse * np.sinh(rapidity)])


def decayed(
    parents: Momenta, masses: tuple[ArrayLike, ArrayLike], random: np.random.Generator
) -> tuple[Momenta, Momenta]:
    """Return the products of decays into two particles, isotropic in the rest frames of parents.

    The formulas are those of the PDG's Review of Particle Physics, "Kinematics".

    Parameters
    ----------
    masses
        The masses of the two particles; their sum must not exceed those of the parents.
    """
    whole = mass_of(parents)
    first, second = (np.broadcast_to(np.asarray(mass, np.float64), whole.shape) for mass in masses)
    energy = (whole**2 + first**2 - second**2) / (2 * whole)
    momentum = np.sqrt(np.maximum(energy**2 - first**2, 0))
    cosine, phi = random.uniform(-1, 1, len(whole)), random.uniform(-np.pi, np.pi, len(whole))
    sine = np.sqrt(1 - cosine**2)
    direction = np.column_stack([sine * np.cos(phi), sine * np.sin(phi), cosine])
    of_first = _boosted(with_mass(momentum[:, None] * direction, first), parents, whole)
    return of_first, parents - of_first


def _boosted(momenta: Momenta, frames: Momenta, masses: NDArray[np.float64]) -> Momenta:
    """Return momenta, which are given in the rest frames of `frames`, in the laboratory."""
    along = (momenta[:, 1:] * frames[:, 1:]).sum(axis=1)
    energy = (frames[:, 0] * momenta[:, 0] + along) / masses
    factor = (momenta[:, 0] + energy) / (frames[:, 0] + masses)
    return np.column_stack([energy, momenta[:, 1:] + factor[:, None] * frames[:, 1:]])
