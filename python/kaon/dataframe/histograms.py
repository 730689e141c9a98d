"""Histograms and profiles of the package hist."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kaon import _core
from kaon.errors import UnknownNameError, UsageError, WrongTypeError
from kaon.objects.hist_histograms import hist_package

#: Bins, low, high and an optional title; edges; or an axis of hist.
Axis: TypeAlias = "tuple[int, float, float] | tuple[int, float, float, str] | Sequence[float] | Any"


class CoreAxis(NamedTuple):
    """An axis in the form that C++ takes.

    Attributes
    ----------
    kind
        "regular", "log", "sqrt", "pow", "circular", "edges", "values" or "texts".
    numbers
        Edges or values; otherwise the number of bins, low, high, and the exponent of powers.
    includes_end
        Whether the end of the range belongs to the last bin.
    """

    kind: str
    numbers: list[float]
    texts: Sequence[str] = ()
    title: str = ""
    includes_end: bool = False


def to_axis(axis: Axis, column: str, title: Callable[[], str]) -> Any:
    """Return an axis of hist or boost_histogram.

    Parameters
    ----------
    title
        A function that returns the title of an axis without one.

    Raises
    ------
    UsageError
        If `axis` does not describe an axis.
    """
    hist = hist_package()
    if hasattr(axis, "traits"):
        return axis
    try:
        numbers: Any = axis[:-1] if isinstance(axis, tuple) and isinstance(axis[-1], str) else axis
        label = axis[-1] if len(numbers) < len(axis) else title()
        if isinstance(axis, tuple) and len(numbers) == 3:
            bins, low, high = numbers
            if not 1 <= operator.index(bins) < 2**31:
                raise ValueError(f"{bins} bins are too few or too many")
            if not low < high:
                raise ValueError(f"it goes from {low:g} to {high:g}: give the lower end first")
            return hist.axis.Regular(bins, float(low), float(high), label=label)
        return hist.axis.Variable(np.asarray(numbers, float), label=label)
    except (TypeError, ValueError, IndexError) as error:
        raise UsageError(f"the axis of '{column}': {error}") from None


def has_texts(axis: Any) -> bool:
    """Tell whether the bins of an axis of hist are texts."""
    return isinstance(axis, import_module("boost_histogram").axis.StrCategory)


def grown(axis: Any, texts: Iterable[str]) -> Any:
    """Return a growing axis with further texts."""
    empty = hist_package().Hist(axis)
    for text in texts:
        empty.fill(text)
    return empty.axes[0]


def sample_axis(axis: Any, labels: Sequence[str]) -> tuple[Any, CoreAxis]:
    """Return an axis with the labels of samples, and its form in C++ for the column of numbers.

    Raises
    ------
    UnknownNameError
        If a text is not the label of a sample.
    """
    if axis.traits.growth:
        axis = grown(axis, labels)
    for text in axis:
        if text not in labels:
            hint = _core.suggestion(text, list(labels))
            raise UnknownNameError(f"no sample is called '{text}'{hint}")
    return axis, CoreAxis("values", [labels.index(text) for text in axis])


def to_core(axis: Any, column: str, scalar: str) -> CoreAxis:
    """Return an axis of hist in the form that C++ takes.

    Parameters
    ----------
    scalar
        The type of the column's values.

    Raises
    ------
    UsageError
        If an axis of numbers grows while it is filled, or the axis is of an unknown kind.
    WrongTypeError
        If the values do not fit the axis.
    """
    axes, traits = import_module("boost_histogram").axis, axis.traits
    if isinstance(axis, axes.StrCategory):
        return CoreAxis("texts", [], list(axis), getattr(axis, "label", ""))
    if traits.growth:
        raise UsageError(
            f"the axis of '{column}' has growth=True, which only axes of texts can have: give all "
            "bins, without growth=True"
        )
    kind, numbers = "values", list(axis) if isinstance(axis, axes.IntCategory) else [0, 1]
    if isinstance(axis, axes.Boolean):
        _check_type(
            axis, column, scalar, scalar == "bool", "a comparison, such as `x != 0`, is a bool"
        )
    elif isinstance(axis, (axes.IntCategory, axes.Integer)):
        is_whole = not scalar.startswith("float")
        _check_type(axis, column, scalar, is_whole, "`int(x)` is a whole number")
    if isinstance(axis, axes.Integer):  # rounding cannot miss the middle of a bin
        kind = "circular" if traits.circular else "regular"
        numbers = [axis.size, axis.edges[0] - 0.5, axis.edges[-1] - 0.5]
    elif isinstance(axis, axes.Variable) and not traits.circular:
        kind, numbers = "edges", list(axis.edges)
    elif isinstance(axis, axes.Regular):
        kind, exponent = _transform(getattr(axis, "transform", None), column)
        kind = "circular" if traits.circular else kind
        numbers = [axis.size, axis.edges[0], axis.edges[-1], *exponent]
    elif not isinstance(axis, (axes.IntCategory, axes.Boolean)):
        circular = "circular " * traits.circular
        raise UsageError(
            f"the axis of '{column}' is a {circular}{type(axis).__name__}: use hist's Regular, "
            "Integer, Boolean, IntCategory, StrCategory, or a Variable that is not circular"
        )
    includes_end = traits.continuous and not (traits.overflow or traits.circular)
    return CoreAxis(kind, numbers, (), getattr(axis, "label", ""), includes_end)


def _check_type(axis: Any, column: str, scalar: str, fits: bool, hint: str) -> None:
    if not fits:
        raise WrongTypeError(
            f"the axis of '{column}' is of the type {type(axis).__name__}, but the values are "
            f"{scalar}; {hint}"
        )


def _transform(transform: Any, column: str) -> tuple[str, list[float]]:
    """Return the name of a transform, or "regular" without one, and the exponent of a power."""
    if transform is None:
        return "regular", []
    known = import_module("boost_histogram").axis.transform
    if isinstance(transform, known.Pow):
        return "pow", [transform.power]
    for name in ("log", "sqrt"):
        if transform == getattr(known, name):
            return name, []
    raise UsageError(
        f"the axis of '{column}' has the transform {transform}, but kaon knows log, sqrt and Pow: "
        "give the edges of the bins"
    )


def to_hist(axes: Sequence[Any], bins: Sequence[np.ndarray]) -> Any:
    """Return a histogram of sums of weights and of their squares."""
    hist = hist_package()
    histogram = hist.Hist(*axes, storage=hist.storage.Weight())
    view = histogram.view(flow=True)
    view["value"], view["variance"] = _kept(axes, bins)
    return histogram


def to_profile(axes: Sequence[Any], bins: Sequence[np.ndarray]) -> Any:
    """Return a histogram of means."""
    hist = hist_package()
    weights, squares, means, variances = _kept(axes, bins)
    histogram = hist.Hist(*axes, storage=hist.storage.WeightedMean())
    view = histogram.view(flow=True)
    view["sum_of_weights"] = weights
    view["sum_of_weights_squared"] = squares
    view["value"] = means
    with np.errstate(divide="ignore", invalid="ignore"):
        deltas = variances * (weights - squares / weights)
    view["_sum_of_weighted_deltas_squared"] = np.nan_to_num(deltas)
    return histogram


def _kept(axes: Sequence[Any], bins: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the bins of the axes; C++ also has bins below and above them."""
    kept = []
    for axis, extent in zip(axes, bins[0].shape, strict=True):
        has_underflow = extent == axis.size + 2
        begin = int(has_underflow and not axis.traits.underflow)
        kept.append(slice(begin, begin + axis.extent))
    return [numbers[tuple(kept)] for numbers in bins]
