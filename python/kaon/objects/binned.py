"""Binned data between members of ROOT's classes, hist and NumPy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"


@dataclass
class BinnedAxis:
    """An axis of bins, without its flow bins.

    Attributes
    ----------
    edges
        The edges, one more than bins.
    is_regular
        Whether all bins have the same width.
    labels
        The name of each bin, "" if a bin has none; empty if no bin has a name.
    """

    edges: Numbers
    is_regular: bool = False
    labels: list[str] = field(default_factory=list)
    title: str = ""

    @property
    def bins(self) -> int:
        """The number of bins without flow."""
        return len(self.edges) - 1

    @property
    def has_all_labels(self) -> bool:
        """Whether each bin has a name of its own."""
        return bool(self.labels) and all(self.labels) and len({*self.labels}) == self.bins


@dataclass
class Binned:
    """A histogram or profile.

    All arrays have an underflow and an overflow bin on each axis.

    Attributes
    ----------
    values
        The sums of weights; in profiles, the sums of weighted values.
    variances
        The sums of squared weights, None if weights were not used; in profiles, the sums of
        weighted squared values.
    weights, squared_weights
        Profiles only: the sums of weights and of their squares.
    value_title
        The title of the axis of the values.
    """

    axes: list[BinnedAxis]
    values: Numbers
    variances: Numbers | None = None
    weights: Numbers | None = None
    squared_weights: Numbers | None = None
    name: str = ""
    title: str = ""
    value_title: str = ""
