"""Pictures of histograms for publications."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import numpy as np

from kaon.command.plot import Histograms, ratio
from kaon.errors import UsageError

# Readers with colour blindness can distinguish these.
_COLORS = ("#3f90da", "#bd1f01", "#ffa90e", "#832db6", "#717581", "#a96b59")


@dataclass(frozen=True)
class Picture:
    """Histograms with the style of their picture.

    Attributes
    ----------
    histograms
        The histograms of one dataset or of two; the second dataset is the reference.
    names
        The names of the datasets.
    unit
        The unit of the horizontal axis, or "".
    is_normalised
        Whether the histograms are fractions of the entries.
    is_logarithmic
        Whether the vertical axis is logarithmic.
    has_logarithmic_axis
        Whether the horizontal axis is logarithmic.
    """

    histograms: Sequence[Histograms]
    names: Sequence[str]
    unit: str
    is_normalised: bool
    is_logarithmic: bool
    has_logarithmic_axis: bool

    def save(self, path: str) -> None:
        """Draw into a file, whose suffix sets the format.

        Raises
        ------
        UsageError
            If Matplotlib or mplhep is missing, or does not know the format.
        """
        try:
            import matplotlib

            matplotlib.use("Agg")
            import mplhep
            from matplotlib import pyplot
        except ImportError as error:
            raise UsageError("pictures need mplhep: pip install mplhep") from error
        with pyplot.style.context([mplhep.style.ROOT, {"font.size": 18, "legend.fontsize": 15}]):
            heights = [3, 1] if len(self.histograms) > 1 else [1]
            figure = pyplot.figure(figsize=(9, 8), layout="constrained")
            panels: Any = figure.subplots(len(heights), 1, sharex=True, height_ratios=heights)
            panels = np.atleast_1d(panels)
            self._draw(panels[0])
            if len(self.histograms) > 1:
                self._draw_ratios(panels[1])
            title = ", ".join(self.histograms[0])
            panels[-1].set_xlabel(f"{title} [{self.unit}]" if self.unit else title)
            try:
                save(figure, path)
            finally:
                pyplot.close(figure)

    def _draw(self, axes: Any) -> None:
        import mplhep

        is_compared = len(self.histograms) > 1
        for number, of_dataset in enumerate(self.histograms):
            is_data = is_compared and number == 0
            for color, (name, histogram) in zip(cycle(_COLORS), of_dataset.items(), strict=False):
                labels = [name] if len(of_dataset) > 1 else []
                labels += [self.names[number]] if is_compared else []
                mplhep.histplot(
                    *(histogram.values, histogram.edges),
                    w2=histogram.variances,
                    **{"ax": axes, "flow": "none", "w2method": "sqrt"},
                    **({"markersize": 8} if is_data else {}),
                    histtype="errorbar" if is_data else "step",
                    color="black" if is_data and len(of_dataset) == 1 else color,
                    label=", ".join(labels) or None,
                )
        edges = next(iter(self.histograms[0].values())).edges
        axes.set(xlim=(edges[0], edges[-1]), xlabel="", ylabel=self._scale_title(edges))
        if self.has_logarithmic_axis:
            axes.set_xscale("log")
        if self.is_logarithmic:
            axes.set_yscale("log")
        else:
            axes.set_ylim(0, None)
        if is_compared or len(self.histograms[0]) > 1:
            axes.legend()
            mplhep.yscale_legend(axes)
        else:
            axes.set_title(self.names[0], loc="right", fontsize="small")

    def _scale_title(self, edges: Any) -> str:
        what = "Share of entries" if self.is_normalised else "Entries"
        if self.has_logarithmic_axis:
            return f"{what} / bin"
        width = f"{edges[1] - edges[0]:.3g}"
        return f"{what} / {f'{width} {self.unit}' if self.unit else width}"

    def _draw_ratios(self, axes: Any) -> None:
        data, reference = self.histograms
        for color, (name, histogram) in zip(cycle(_COLORS), data.items(), strict=False):
            values, errors = ratio(histogram, reference[name])
            edges = histogram.edges
            middles = np.sqrt(edges[:-1] * edges[1:]) if self.has_logarithmic_axis else None
            axes.errorbar(
                (edges[:-1] + edges[1:]) / 2 if middles is None else middles,
                *(values, errors),
                fmt="o",
                markersize=5,
                color="black" if len(data) == 1 else color,
            )
        axes.axhline(1, color="grey", linewidth=1, linestyle="--")
        axes.set(ylim=(0, 2), ylabel="Ratio")


def save(figure: Any, path: str) -> None:
    """Write a figure into a file, whose suffix sets the format.

    Raises
    ------
    UsageError
        If Matplotlib does not know the format.
    """
    try:
        figure.savefig(path)
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None
