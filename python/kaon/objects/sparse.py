"""Histograms with many axes that store filled bins only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kaon.errors import CorruptFileError, UsageError
from kaon.objects.binned import Binned, BinnedAxis, Numbers
from kaon.objects.hist_histograms import to_hist
from kaon.objects.members import Members
from kaon.objects.root_histograms import read_axis

MOST_BINS = 2**24  # of an axis
MOST_DENSE_BINS = 2**27


@dataclass(eq=False)
class SparseHistogram:
    """The filled bins of a histogram with any number of axes, as ROOT's THnSparse has them.

    Attributes
    ----------
    axes
        The edges, names and titles of the bins of each axis.
    bins
        The numbers of the filled bins, an array of shape (filled bins, axes). 0 is the underflow,
        and 1 the first bin.
    values
        The content of the filled bins.
    variances
        The variances of the filled bins; None if the histogram was filled without weights.
    """

    axes: list[BinnedAxis]
    bins: np.ndarray[Any, np.dtype[np.int64]]
    values: Numbers
    variances: Numbers | None = None
    name: str = ""
    title: str = ""

    def to_hist(self) -> Any:
        """Return all bins as a histogram of hist.

        Raises
        ------
        UsageError
            If there are more than 2**27 bins.
        """
        shape = tuple(axis.bins + 2 for axis in self.axes)
        count = float(np.prod(shape, dtype=float))
        if count > MOST_DENSE_BINS:
            raise UsageError(f"'{self.name}' has {count:g} bins, too many for hist; use `values`")
        return to_hist(
            Binned(
                self.axes,
                self._dense(self.values, shape),
                None if self.variances is None else self._dense(self.variances, shape),
                name=self.name,
                title=self.title,
            )
        )

    def _dense(self, numbers: Numbers, shape: tuple[int, ...]) -> Numbers:
        dense = np.zeros(shape)
        dense[tuple(self.bins.T)] = numbers
        return dense


def to_sparse(members: Members) -> SparseHistogram:
    """Return the filled bins of a THnSparse.

    Raises
    ------
    CorruptFileError
        If the numbers of bins contradict each other.
    """
    axes = [read_axis(axis, MOST_BINS) for axis in members["fAxes"]["items"]]
    chunks = members["fBinContent"]["items"]
    bins = np.concatenate([np.zeros((0, len(axes)), np.int64), *(_bins(c, axes) for c in chunks)])
    values = np.concatenate([np.zeros(0), *(chunk["fContent"]["fArray"] for chunk in chunks)])
    filled = members["fFilledBins"]
    if len(values) < filled or len(bins) < filled:
        raise CorruptFileError(f"'{members['fName']}' has {len(bins)} of {filled} filled bins")
    sparse = SparseHistogram(
        axes, bins[:filled], values[:filled], None, members["fName"], members["fTitle"]
    )
    if chunks and all(chunk["fSumw2"] for chunk in chunks):
        squares = np.concatenate([chunk["fSumw2"]["fArray"] for chunk in chunks])
        sparse.variances = squares[:filled]
    return sparse


def _bins(chunk: Members, axes: list[BinnedAxis]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the coordinates of a chunk, which have a few bits for each axis, lowest bit first."""
    widths = [(axis.bins + 2).bit_length() for axis in axes]
    size = (sum(widths) + 7) // 8
    if chunk["fSingleCoordinateSize"] != size:
        raise CorruptFileError("coordinates of a sparse histogram have another size than its axes")
    used = len(chunk["fCoordinates"]) // size * size
    rows = chunk["fCoordinates"][:used].view(np.uint8).reshape(-1, size)
    bits = np.unpackbits(rows, axis=1, bitorder="little")
    bins = np.zeros((len(rows), len(axes)), np.int64)
    start = 0
    for place, width in enumerate(widths):
        places = bits[:, start : start + width].astype(np.int64)
        bins[:, place] = (places << np.arange(width)).sum(axis=1)
        start += width
    limits = np.array([axis.bins + 1 for axis in axes])
    if (bins > limits).any():
        raise CorruptFileError("a sparse histogram has a bin beyond its axes")
    return bins
