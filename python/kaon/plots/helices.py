"""Paths of particles in a magnetic field along z."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

CURVATURE = 0.299792458
"""Curvature in 1/m of a unit charge with 1 GeV of transverse momentum, in a field of 1 T."""

_POINTS = 40


class Helix(NamedTuple):
    """A path that begins at a point. The formulas are those of LCIO's tracks, LC-DET-2006-004.

    Attributes
    ----------
    start
        The first point, x, y and z, in any unit of lengths.
    phi
        The azimuthal angle of the direction at the first point, in radians.
    tan_lambda
        The slope: dz for each unit of length in the transverse plane.
    omega
        The curvature, in one over the unit of lengths. It is positive if the particle turns
        clockwise, as positive charges do in a field along +z; 0 is a straight line.
    """

    start: NDArray[np.float64]
    phi: float
    tan_lambda: float
    omega: float

    def points(self, radius: float, half_length: float) -> NDArray[np.float64]:
        """Return points of the path, as an array of shape (points, 3).

        Parameters
        ----------
        radius, half_length
            Of a cylinder around the z axis. The path ends where it leaves the cylinder, or after
            one turn.
        """
        turn = 2 * np.pi / abs(self.omega) if self.omega else np.inf
        longest = 2 * half_length / abs(self.tan_lambda) if self.tan_lambda else np.inf
        lengths = np.linspace(0, min(turn, longest, 2 * np.pi * radius), 50 * _POINTS)
        x, y, z = self._at(lengths).T
        is_outside = (np.hypot(x, y) > radius) | (np.abs(z) > half_length)
        is_outside[:2] = False  # a start on the border may be outside by a rounding error
        last = int(np.argmax(is_outside)) - 1 if is_outside.any() else -1
        return self._at(np.linspace(0, lengths[last], _POINTS))

    def _at(self, length: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the points at lengths in the transverse plane."""
        half_turned = self.phi - self.omega * length / 2
        chord = length * np.sinc(self.omega * length / (2 * np.pi))  # also right without curvature
        return np.stack(
            [
                self.start[0] + chord * np.cos(half_turned),
                self.start[1] + chord * np.sin(half_turned),
                self.start[2] + self.tan_lambda * length,
            ],
            axis=1,
        )
