"""Histograms of expressions, for one dataset or a comparison of two."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from kaon.dataframe.dataframe import Dataframe
from kaon.dataframe.histograms import CoreAxis
from kaon.dataframe.results import Result, run
from kaon.errors import UnknownNameError, UsageError

_EIGHTHS = " ▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class Histogram:
    """A histogram to draw. The package hist is not used: its import would take too long.

    Attributes
    ----------
    edges
        The edges of the bins.
    sums, squares
        Sums of weights and of their squares: below the first edge, in each bin, above the last.
    """

    edges: NDArray[np.float64]
    sums: NDArray[np.float64]
    squares: NDArray[np.float64]

    @property
    def values(self) -> NDArray[np.float64]:
        """The sums in the bins."""
        return self.sums[1:-1]

    @property
    def variances(self) -> NDArray[np.float64]:
        """The variances of the values."""
        return self.squares[1:-1]

    def normalised(self) -> Histogram:
        """Return the histogram scaled to values that add up to 1."""
        entries = self.values.sum() or 1.0
        return Histogram(self.edges, self.sums / entries, self.squares / entries**2)

    def fitting(self) -> Histogram:
        """Return the histogram with neighbouring bins joined until it fits the terminal."""
        bins = len(self.values)
        together = -(-bins // _columns())
        if together == 1:
            return self
        begins = np.arange(0, bins, together)

        def joined(sums: NDArray[np.float64]) -> NDArray[np.float64]:
            return np.array([sums[0], *np.add.reduceat(sums[1:-1], begins), sums[-1]])

        edges = np.append(self.edges[begins], self.edges[-1])
        return Histogram(edges, joined(self.sums), joined(self.squares))


Histograms: TypeAlias = "dict[str, Histogram]"
"""Histograms by their expressions."""


def histograms(
    datasets: Sequence[Dataframe],
    expressions: Sequence[str],
    bins: int,
    limits: tuple[float, float] | None,
    weight: str | None,
    is_logarithmic: bool = False,
) -> list[Histograms]:
    """Return a histogram of each expression for each dataset, all with the same axis.

    Parameters
    ----------
    limits
        Lower and upper limit of the axis; None: the least and the greatest value.
    weight
        An expression with a weight for each entry, or for each value.
    is_logarithmic
        Whether bins have equal width on a logarithmic axis.

    Raises
    ------
    UsageError
        If there are no finite values to draw, or the limits are reversed.
    """
    frames = [defined(frame, [*expressions, *([weight] if weight else [])]) for frame in datasets]
    if limits is None:
        limits = limits_of(frames, expressions)
    if not (limits[0] < limits[1] and np.isfinite(limits).all()):
        raise UsageError(
            f"--range {limits[0]:g} {limits[1]:g}: give finite numbers, the lower one first"
        )
    edges = np.linspace(*limits, bins + 1)
    axis = CoreAxis("regular", [bins, *limits])
    if is_logarithmic:
        if not 0 < limits[0] < limits[1]:
            raise UsageError("a logarithmic axis must begin above 0: set it with --range")
        edges = np.geomspace(*limits, bins + 1)
        axis = CoreAxis("edges", edges.tolist())
    results = [
        {
            name: Result(
                frame._core.histogram([axis], [name], weight or ""),
                lambda parts: Histogram(edges, *parts),
                name,
            )
            for name in expressions
        }
        for frame in frames
    ]
    run(*(result for of_frame in results for result in of_frame.values()))
    return [{name: result.value for name, result in of_frame.items()} for of_frame in results]


def defined(frame: Dataframe, expressions: Sequence[str]) -> Dataframe:
    """Return a dataframe with a column for each expression.

    Raises
    ------
    UsageError
        If an expression stands for objects.
    """
    for expression in expressions:
        if expression in frame.contents and expression not in frame.columns:
            inside = [name for name in frame.columns if name.startswith(f"{expression}.")]
            raise UsageError(
                f"'{expression}' has no numbers of its own; choose one of {', '.join(inside)}"
            )
        if not _is_column(frame, expression):
            frame = frame.define(expression, expression)
    return frame


def _is_column(frame: Dataframe, name: str) -> bool:
    """Return whether a column has this name, including alternative names such as "Muon_pt"."""
    try:
        frame.alias(f"{name} by another name", name)
    except UnknownNameError:
        return False
    return True


def limits_of(frames: Sequence[Dataframe], names: Sequence[str]) -> tuple[float, float]:
    """Return limits around all finite values; the greatest value is below the upper limit.

    Infinite values count as below or above the limits, such as the maximum of an empty list.
    """
    finite = [_finite(frame, name) for frame in frames for name in names]
    least = [frame.min(name) for frame, name in finite]
    greatest = [frame.max(name) for frame, name in finite]
    run(*least, *greatest)
    low = min((of.value for of in least if of.value is not None), default=None)
    high = max((of.value for of in greatest if of.value is not None), default=None)
    if low is None or high is None:
        raise UsageError(
            "no drawn entry has a finite value; set the limits of the axis with --range"
        )
    return (low, float(np.nextafter(high, np.inf))) if low < high else (low - 0.5, low + 0.5)


def _finite(frame: Dataframe, name: str) -> tuple[Dataframe, str]:
    """Return a dataframe and an expression with the finite values of a column."""
    known, value = frame.alias("drawn values", name), "column('drawn values')"
    if frame._core.type_of(name)[1] == 0:
        return known.filter(f"isfinite({value})"), value
    return known, f"{value}[isfinite({value})]"


def ratio(
    histogram: Histogram, reference: Histogram
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ratio of two histograms in each bin, and its error; NaN if it is undefined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        values = histogram.values / reference.values
        squares = [of.variances / of.values**2 for of in (histogram, reference)]
        errors = np.abs(values) * np.sqrt(squares[0] + squares[1])
    is_known = np.isfinite(values)
    return np.where(is_known, values, np.nan), np.where(is_known, errors, np.nan)


def to_text(title: str, histogram: Histogram, log: bool) -> str:
    """Return a histogram as lines of text that fit the terminal."""
    values, flow = histogram.values, histogram.sums
    lines = [title]
    lines += bars(values, histogram.edges, _bin_width(len(values)), log)
    if flow[0] or flow[-1]:
        lines.append(f"{'':11}below: {flow[0]:g}, above: {flow[-1]:g}")
    return "\n".join(lines)


def bars(
    values: NDArray[np.float64],
    edges: NDArray[np.float64],
    width: int,
    log: bool = False,
    height: int = 12,
) -> list[str]:
    """Return bars, each `width` characters wide, and the axis below them, as lines of text."""
    heights = np.maximum(values, 0)
    if log:
        least = values[values > 0].min(initial=1) / 2  # shares and weights may be far below 1
        heights = np.log10(np.maximum(values, least)) - np.log10(least)
    eighths = np.rint(heights / (heights.max() or 1.0) * height * 8).astype(int)
    lines = []
    for row in reversed(range(height)):
        cells = np.clip(eighths - 8 * row, 0, 8)
        label = f"{values.max():.4g}" if row == height - 1 else ""
        lines.append(f"{label:>10} " + "".join(_EIGHTHS[cell] * width for cell in cells).rstrip())
    low, high = f"{edges[0]:g}", f"{edges[-1]:g}"
    lines.append(" " * 11 + low + high.rjust(max(len(values) * width - len(low), len(high) + 1)))
    return lines


def _columns() -> int:
    """Return the number of bins that fit beside the labels."""
    return max(1, shutil.get_terminal_size().columns - 12)


def _bin_width(bins: int) -> int:
    return max(1, min(_columns(), 100) // bins)


def ratio_to_text(values: NDArray[np.float64], errors: NDArray[np.float64]) -> str:
    """Return a mark for each bin, which shows whether it is above or below the reference.

    A dot marks a ratio within two errors of 1, a blank an unknown ratio.
    """
    width = _bin_width(len(values))
    with np.errstate(invalid="ignore"):
        is_equal = np.abs(values - 1) <= 2 * errors
    marks = np.where(is_equal, "·", np.where(values > 1, "▲", "▼"))
    marks = np.where(np.isnan(values), " ", marks)
    return f"{'ratio':>10} " + "".join(mark * width for mark in marks).rstrip()
