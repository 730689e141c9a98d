"""Histograms and profiles as those of the package hist."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np

from kaon.errors import UsageError

#: Bins, low and high, and maybe a title; edges; or an axis of hist.
Axis: TypeAlias = "tuple[int, float, float] | tuple[int, float, float, str] | Sequence[float] | Any"


def hist_package() -> Any:
    """Return the package hist.

    Raises
    ------
    ImportError
        If it is not installed.
    """
    try:
        return import_module("hist")
    except ImportError as error:
        raise ImportError("histograms are those of hist: pip install hist") from error


def to_axis(axis: Axis, column: str) -> Any:
    """Return an axis of hist.

    Raises
    ------
    UsageError
        For what is none, and for axes other than Regular, Integer and Variable.
    """
    hist = hist_package()
    if isinstance(axis, (hist.axis.Regular, hist.axis.Integer, hist.axis.Variable)):
        traits = axis.traits
        if getattr(axis, "transform", None) is not None:
            raise UsageError(f"the axis of '{column}' has a transform: give its edges")
        if not (traits.underflow and traits.overflow) or traits.circular or traits.growth:
            raise UsageError(f"the axis of '{column}' must have underflow and overflow, no more")
        return axis
    if hasattr(axis, "traits"):
        raise UsageError(
            f"the axis of '{column}' is of the type {type(axis).__name__}: "
            "hist's Regular, Integer and Variable are taken"
        )
    try:
        numbers: Any = axis[:-1] if isinstance(axis, tuple) and isinstance(axis[-1], str) else axis
        title = axis[-1] if len(numbers) < len(axis) else column
        if isinstance(axis, tuple) and len(numbers) == 3:
            bins, low, high = numbers
            if not 1 <= operator.index(bins) < 2**31:
                raise ValueError(f"{bins} bins are too few or too many")
            return hist.axis.Regular(bins, float(low), float(high), label=title)
        return hist.axis.Variable(np.asarray(numbers, float), label=title)
    except (TypeError, ValueError, IndexError) as error:
        raise UsageError(f"the axis of '{column}': {error}") from None


def to_core(axis: Any) -> tuple[list[float], bool, str]:
    """Return an axis as C++ takes it."""
    hist = hist_package()
    if isinstance(axis, (hist.axis.Regular, hist.axis.Integer)):
        return [axis.size, axis.edges[0], axis.edges[-1]], False, axis.label
    return list(axis.edges), True, axis.label


def to_hist(axes: Sequence[Any], bins: Sequence[np.ndarray]) -> Any:
    """Return a histogram of sums of weights and of their squares."""
    hist = hist_package()
    histogram = hist.Hist(*axes, storage=hist.storage.Weight())
    view = histogram.view(flow=True)
    view["value"], view["variance"] = bins
    return histogram


def to_profile(axes: Sequence[Any], bins: Sequence[np.ndarray]) -> Any:
    """Return a histogram of means."""
    hist = hist_package()
    weights, squares, means, variances = bins
    histogram = hist.Hist(*axes, storage=hist.storage.WeightedMean())
    view = histogram.view(flow=True)
    view["sum_of_weights"] = weights
    view["sum_of_weights_squared"] = squares
    view["value"] = means
    with np.errstate(divide="ignore", invalid="ignore"):
        deltas = variances * (weights - squares / weights)
    view["_sum_of_weighted_deltas_squared"] = np.nan_to_num(deltas)
    return histogram
