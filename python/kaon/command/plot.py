"""Histograms of expressions, drawn in the terminal or in a picture."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import Any

import numpy as np

from kaon.dataframe.dataframe import Dataframe
from kaon.dataframe.results import run
from kaon.errors import UsageError

_EIGHTHS = " ▁▂▃▄▅▆▇█"


def histograms(
    events: Dataframe,
    expressions: Sequence[str],
    bins: int,
    limits: tuple[float, float] | None,
    weight: str | None,
) -> dict[str, Any]:
    """Return a histogram of each expression, of the same axis.

    Parameters
    ----------
    limits
        From where to where it goes; None: from the least value to the greatest.
    weight
        An expression, one for each entry or for each value.

    Raises
    ------
    UsageError
        If there is nothing to be drawn.
    """
    names = []
    for expression in expressions:
        if expression not in events.columns:
            events = events.define(expression, expression)
        names.append(expression)
    if weight is not None and weight not in events.columns:
        events = events.define(weight, weight)
    if limits is None:
        limits = _limits(events, names)
    axis = (bins, *limits, " ".join(names))
    results = {name: events.histogram(axis, name, weight or "") for name in names}
    run(*results.values())
    return {name: result.value for name, result in results.items()}


def _limits(events: Dataframe, names: Sequence[str]) -> tuple[float, float]:
    """Return the least and greatest values, so that the greatest is below the limit."""
    least = [events.min(name) for name in names]
    greatest = [events.max(name) for name in names]
    run(*least, *greatest)
    low = min((of.value for of in least if of.value is not None), default=None)
    high = max((of.value for of in greatest if of.value is not None), default=None)
    if low is None or high is None or not np.isfinite([low, high]).all():
        raise UsageError("there are no finite values to be drawn; --range says from where to where")
    return (low, float(np.nextafter(high, np.inf))) if low < high else (low - 0.5, low + 0.5)


def to_text(name: str, histogram: Any, log: bool, height: int = 12) -> str:
    """Return a histogram as lines of text that fit the terminal."""
    values = histogram.values()
    heights = np.log10(np.maximum(values, 0.5)) - np.log10(0.5) if log else np.maximum(values, 0)
    width = max(1, min(shutil.get_terminal_size().columns - 12, 100) // len(values))
    top = heights.max() or 1.0
    eighths = np.rint(heights / top * height * 8).astype(int)
    lines = [f"{name}, {histogram.sum(flow=True).value:g} entries"]
    for row in reversed(range(height)):
        cells = np.clip(eighths - 8 * row, 0, 8)
        label = f"{values.max():.4g}" if row == height - 1 else ""
        lines.append(f"{label:>10} " + "".join(_EIGHTHS[cell] * width for cell in cells).rstrip())
    edges = histogram.axes[0].edges
    low, high = f"{edges[0]:g}", f"{edges[-1]:g}"
    lines.append(" " * 11 + low + high.rjust(max(len(values) * width - len(low), len(high) + 1)))
    flow = histogram.values(flow=True)
    if flow[0] or flow[-1]:
        lines.append(f"{'':11}below: {flow[0]:g}, above: {flow[-1]:g}")
    return "\n".join(lines)


def save_picture(histograms: dict[str, Any], path: str, log: bool) -> None:
    """Draw histograms into one picture, whose format its name says.

    Raises
    ------
    UsageError
        If Matplotlib is missing, or does not know the format.
    """
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError as error:
        raise UsageError("pictures need Matplotlib: pip install kaon[plot]") from error
    figure, axes = pyplot.subplots(figsize=(7, 5), layout="constrained")
    for name, histogram in histograms.items():
        values, edges = histogram.values(), histogram.axes[0].edges
        line = axes.stairs(values, edges, label=name, linewidth=1.5)
        axes.errorbar(
            *((edges[:-1] + edges[1:]) / 2, values, np.sqrt(histogram.variances())),
            fmt="none",
            ecolor=line.get_edgecolor(),
            linewidth=1,
        )
    axes.tick_params(which="both", direction="in", top=True, right=True)
    axes.minorticks_on()
    axes.set(xlim=(edges[0], edges[-1]), ylabel=f"entries / {edges[1] - edges[0]:.3g}")
    axes.set_xlabel(" ".join(histograms), loc="right")
    if log:
        axes.set_yscale("log")
    else:
        axes.set_ylim(0, None)
    if len(histograms) > 1:
        axes.legend(frameon=False)
    try:
        figure.savefig(path)
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None
    finally:
        pyplot.close(figure)
