"""Pictures of histograms, profiles, and stacks of samples with data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from kaon.errors import UsageError
from kaon.plots.stacks import Drawn, Stack, stack_of

_BAND = {"color": "none", "hatch": "////", "edgecolor": "grey", "linewidth": 0}


def plot(
    histograms: Drawn | Mapping[str, Drawn],
    *,
    data: str | Iterable[str] | Drawn | None = None,
    stacked: bool = True,
    ratio: bool | None = None,
    log: bool = False,
    label: str | None = None,
) -> Any:
    """Draw histograms, profiles, or a stack of samples with data.

    >>> kaon.plot(spectrum)
    >>> kaon.plot({"tt": tt, "W": w}, data=data).savefig("mass.pdf")
    >>> kaon.plot(by_sample, data="data", log=True)      # an axis of texts has the samples

    Parameters
    ----------
    histograms
        A histogram of hist, or a result of a dataframe: in one dimension, or in two. Or histograms
        by label. Histograms with an axis of texts are drawn for each text. If results have
        variations, a band shows them: differences from the nominal values are added in quadrature,
        together with the statistical uncertainty.
    data
        The data, which become points: a histogram, or the labels of data among `histograms`.
    stacked
        Whether several histograms are stacked; otherwise they are lines.
    ratio
        Whether the ratio of the data to the sum of the samples is drawn below. The default is
        true with data.
    log
        Whether the vertical axis is logarithmic.
    label
        The label of the horizontal axis; by default the title of the histogram's axis.

    Returns
    -------
    matplotlib.figure.Figure
        The figure, which notebooks show; ``savefig`` writes it.

    Raises
    ------
    UnknownNameError
        If no histogram has the label of the data.
    UsageError
        If the axes of histograms differ, or have more than two dimensions.
    ImportError
        If Matplotlib is not installed. mplhep is used for the style if it is installed.
    """
    stack = stack_of(histograms, data)
    dimensions = stack.total.ndim
    if dimensions > 2 or (dimensions == 2 and len(stack.parts) != 1):
        raise UsageError(
            "plot() draws histograms in one dimension, or one histogram in two: project others, "
            "as in h.project('x')"
        )
    if ratio and stack.data is None:
        raise UsageError("ratio=True needs data")
    has_ratio = stack.data is not None and ratio is not False
    with _style() as figure_type:
        heights = [3, 1] if has_ratio else [1]
        figure = figure_type(figsize=(8, 7), layout="constrained")
        panels = np.atleast_1d(figure.subplots(len(heights), 1, sharex=True, height_ratios=heights))
        if dimensions == 2:
            _draw_map(figure, panels[0], next(iter(stack.parts.values())))
        else:
            _draw(panels[0], stack, stacked, log)
            if has_ratio:
                _draw_ratio(panels[1], stack)
        panels[-1].set_xlabel(stack.axis.label if label is None else label)
    return figure


@contextmanager
def _style() -> Iterator[Any]:
    """Use mplhep's style, if it is installed; yield the class of figures."""
    try:
        from matplotlib import pyplot
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("pictures need Matplotlib: pip install matplotlib") from error
    try:
        import mplhep
    except ImportError:
        yield Figure
        return
    with pyplot.style.context([mplhep.style.ROOT, {"font.size": 18, "legend.fontsize": 14}]):
        yield Figure


def _draw(axes: Any, stack: Stack, stacked: bool, log: bool) -> None:
    edges = _edges(axes, stack)
    is_profile = all(part.kind.value == "MEAN" for part in stack.parts.values())
    if is_profile:
        for name, part in stack.parts.items():
            _draw_points(axes, edges, part, label=name or None)
    elif stacked and len(stack.parts) > 1:
        top = np.zeros(len(edges) - 1)
        for name, part in stack.parts.items():
            bottom, top = top, top + part.values()
            axes.stairs(top, edges, baseline=bottom, fill=True, label=name)
    else:
        for name, part in stack.parts.items():
            axes.stairs(part.values(), edges, label=name or None, linewidth=2)
    is_sum = stacked or len(stack.parts) == 1
    if is_sum and not is_profile:
        values, (down, up) = stack.total.values(), stack.errors()
        label = "stat. + syst. unc." if stack.varied else "stat. unc."
        axes.stairs(values + up, edges, baseline=values - down, fill=True, label=label, **_BAND)
    if stack.data is not None:
        _draw_points(axes, edges, stack.data, color="black", label="Data")
    axes.set(xlim=(edges[0], edges[-1]), ylabel=_scale_title(stack, edges, is_profile))
    if log:
        axes.set_yscale("log")
    elif not is_profile:
        axes.set_ylim(0, None)
    handles, labels = axes.get_legend_handles_labels()
    if len(labels) > 1 or (labels and stack.data is not None):
        axes.legend(handles[::-1], labels[::-1])  # in the order of the stack


def _edges(axes: Any, stack: Stack) -> Any:
    """Return the edges of the bins; label categories, which have none."""
    if stack.axis.traits.ordered:
        return np.asarray(stack.axis.edges)
    axes.set_xticks(np.arange(len(stack.axis)) + 0.5, list(map(str, stack.axis)))
    return np.arange(len(stack.axis) + 1.0)


def _draw_points(axes: Any, edges: Any, histogram: Any, **style: Any) -> None:
    middles = (edges[:-1] + edges[1:]) / 2
    errors = np.sqrt(histogram.variances())
    axes.errorbar(middles, histogram.values(), errors, fmt="o", markersize=5, **style)


def _scale_title(stack: Stack, edges: Any, is_profile: bool) -> str:
    if is_profile:
        return "Mean"
    widths = np.diff(edges)
    if not (stack.axis.traits.ordered and np.allclose(widths, widths[0])):
        return "Entries / bin"
    label = stack.axis.label
    unit = label[label.rindex("[") + 1 : -1] if label.endswith("]") and "[" in label else ""
    return f"Entries / {f'{widths[0]:.3g} {unit}'.strip()}"


def _draw_ratio(axes: Any, stack: Stack) -> None:
    edges = _edges(axes, stack)
    total, (down, up) = stack.total.values(), stack.errors()
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = 1 - down / total, 1 + up / total
        values = stack.data.values() / total
        errors = np.sqrt(stack.data.variances()) / total
    low, high = (np.where(np.isfinite(each), each, 1) for each in (low, high))
    axes.stairs(high, edges, baseline=low, fill=True, **_BAND)
    is_known = np.isfinite(values)
    middles = (edges[:-1] + edges[1:]) / 2
    points = (middles[is_known], values[is_known], errors[is_known])
    axes.errorbar(*points, fmt="o", markersize=5, color="black")
    axes.axhline(1, color="grey", linewidth=1, linestyle="--")
    is_near = np.abs(values[is_known] - 1).max(initial=0) < 0.5
    axes.set(ylim=(0.5, 1.5) if is_near else (0, 2), ylabel="Data / sum")


def _draw_map(figure: Any, axes: Any, histogram: Any) -> None:
    edges = [np.asarray(axis.edges) for axis in histogram.axes]
    colours = axes.pcolormesh(*edges, histogram.values().T)
    is_profile = histogram.kind.value == "MEAN"
    figure.colorbar(colours, ax=axes, label="Mean" if is_profile else "Entries")
    axes.set_ylabel(histogram.axes[1].label)
