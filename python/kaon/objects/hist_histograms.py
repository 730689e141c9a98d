"""Histograms of hist and NumPy as binned data, and the reverse."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from kaon.errors import UsageError
from kaon.objects.binned import Binned, BinnedAxis, Numbers

#: The key of a histogram's metadata for the title of the values.
VALUE_TITLE = "value_title"


def hist_package() -> Any:
    """Return the package hist, which is imported on first use, because that takes long."""
    return import_module("hist")


def to_hist(binned: Binned) -> Any:
    """Return a histogram of hist; profiles have weighted means.

    An axis becomes categories if each bin has a name and the underflow is empty. Otherwise, names
    of bins are in its attribute `labels`.
    """
    hist = hist_package()
    are_categories = [_has_categories(binned, place) for place in range(len(binned.axes))]
    axes = [
        _hist_axis(hist, axis, is_category)
        for axis, is_category in zip(binned.axes, are_categories, strict=True)
    ]
    flow = tuple(slice(1, None) if is_category else slice(None) for is_category in are_categories)
    storage: Any = hist.storage.Double()
    if binned.weights is not None:
        storage = hist.storage.WeightedMean()
    elif binned.variances is not None:
        storage = hist.storage.Weight()
    made = hist.Hist(*axes, storage=storage, name=binned.name or None, label=binned.title or None)
    if binned.value_title:
        made.metadata = {VALUE_TITLE: binned.value_title}
    view = made.view(flow=True)
    if binned.weights is not None:
        weights, squares = binned.weights[flow], binned.squared_weights
        means = np.divide(
            binned.values[flow], weights, out=np.zeros(weights.shape), where=weights != 0
        )
        assert squares is not None and binned.variances is not None  # profiles have all sums
        view["sum_of_weights"], view["sum_of_weights_squared"] = weights, squares[flow]
        view["value"] = means
        view["_sum_of_weighted_deltas_squared"] = binned.variances[flow] - weights * means**2
    elif binned.variances is not None:
        view["value"], view["variance"] = binned.values[flow], binned.variances[flow]
    else:
        view[...] = binned.values[flow]
    return made


def _has_categories(binned: Binned, place: int) -> bool:
    """Whether an axis can become categories, which have no underflow."""
    underflow = (slice(None),) * place + (0,)
    sums = (binned.values, binned.variances, binned.weights, binned.squared_weights)
    return binned.axes[place].has_all_labels and not any(
        some[underflow].any() for some in sums if some is not None
    )


def _hist_axis(hist: Any, axis: BinnedAxis, is_category: bool) -> Any:
    if is_category:
        return hist.axis.StrCategory(axis.labels, label=axis.title)
    made = (
        hist.axis.Regular(axis.bins, axis.edges[0], axis.edges[-1], label=axis.title)
        if axis.is_regular
        else hist.axis.Variable(axis.edges, label=axis.title)
    )
    if axis.labels:
        made.labels = axis.labels
    return made


def is_histogram(value: Any) -> bool:
    """Whether the value is a histogram of hist or boost_histogram."""
    return hasattr(value, "axes") and hasattr(value, "view") and hasattr(value, "storage_type")


def from_hist(histogram: Any) -> Binned:
    """Return the bins of a histogram of hist or boost_histogram.

    Raises
    ------
    UsageError
        If its storage is unknown.
    """
    axes = [_binned_axis(axis) for axis in histogram.axes]
    view = histogram.view(flow=True)
    metadata = vars(histogram).get("metadata")
    binned = Binned(
        axes,
        np.zeros(0),
        name=getattr(histogram, "name", None) or "",
        title=getattr(histogram, "label", None) or "",
        value_title=metadata.get(VALUE_TITLE, "") if isinstance(metadata, dict) else "",
    )
    fields = view.dtype.names or ()

    def with_flow(numbers: Any) -> Numbers:
        return _with_flow(np.asarray(numbers, np.float64), histogram.axes)

    if "variance" in fields:
        binned.values, binned.variances = with_flow(view["value"]), with_flow(view["variance"])
    elif "sum_of_weights" in fields:
        _set_means(
            binned,
            with_flow(view["value"]),
            with_flow(view["sum_of_weights"]),
            with_flow(view["sum_of_weights_squared"]),
            with_flow(view["_sum_of_weighted_deltas_squared"]),
        )
    elif "count" in fields:
        counts = with_flow(view["count"])
        deltas = with_flow(view["_sum_of_deltas_squared"])
        _set_means(binned, with_flow(view["value"]), counts, counts, deltas)
    elif not fields:
        binned.values = with_flow(view)
    else:
        raise UsageError(f"a histogram with the storage {histogram.storage_type.__name__}")
    return binned


def _set_means(
    binned: Binned, means: Numbers, weights: Numbers, squares: Numbers, deltas: Numbers
) -> None:
    binned.values = means * weights
    binned.variances = deltas + weights * means**2
    binned.weights, binned.squared_weights = weights, squares


def _with_flow(numbers: Numbers, axes: Any) -> Numbers:
    """Add empty flow bins where an axis has none."""
    missing = [
        (int(not axis.traits.underflow), int(axis.extent == axis.size + axis.traits.underflow))
        for axis in axes
    ]
    return np.pad(numbers, missing)


def _binned_axis(axis: Any) -> BinnedAxis:
    title = getattr(axis, "label", None) or getattr(axis, "name", None) or ""
    kind = type(axis).__name__
    if not kind.endswith("Category"):
        edges = np.asarray(axis.edges, np.float64)
        is_regular = kind in ("Integer", "Boolean") or (
            kind == "Regular" and getattr(axis, "transform", None) is None
        )
        return BinnedAxis(edges, is_regular, list(getattr(axis, "labels", ())), title)
    labels = [str(axis.bin(place)) for place in range(axis.size)]
    return BinnedAxis(np.arange(axis.size + 1, dtype=np.float64), True, labels, title)


def from_numpy(counts: Any, *edges: Any) -> Binned:
    """Return the bins of ``numpy.histogram``, ``histogram2d`` or ``histogramdd``.

    Raises
    ------
    UsageError
        If the edges do not fit the counts.
    """
    values = np.asarray(counts, np.float64)
    if len(edges) == 1 and values.ndim > 1:  # of numpy.histogramdd
        edges = tuple(edges[0])
    axes = []
    for each in edges:
        numbers = np.asarray(each, np.float64)
        if numbers.ndim != 1 or len(numbers) < 2 or not (np.diff(numbers) > 0).all():
            raise UsageError("edges must be at least two numbers in ascending order")
        even = np.linspace(numbers[0], numbers[-1], len(numbers))
        axes.append(BinnedAxis(numbers, bool((numbers == even).all())))
    bins = tuple(axis.bins for axis in axes)
    if values.shape != bins:
        raise UsageError(f"counts of shape {values.shape} do not fit edges of {bins} bins")
    return Binned(axes, np.pad(values, 1))
