"""Histograms of samples and data on one axis, with the uncertainties of their sum."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kaon.dataframe.histograms import has_texts
from kaon.dataframe.results import Result, run
from kaon.errors import UnknownNameError, UsageError, WrongTypeError
from kaon.objects.hist_histograms import is_histogram

Drawn: TypeAlias = "Result[Any] | Any"
"""A histogram of hist, or a result of a dataframe."""


class Stack(NamedTuple):
    """Histograms with the same axis.

    Attributes
    ----------
    parts
        The histograms of samples by label, in the order of drawing.
    data
        The sum of the data; None without data.
    varied
        The sum of all samples in each variation, by name.
    """

    parts: dict[str, Any]
    data: Any
    varied: dict[str, Any]

    @property
    def axis(self) -> Any:
        """The horizontal axis."""
        return self.total.axes[0]

    @property
    def total(self) -> Any:
        """The sum of the samples."""
        return _sum(self.parts.values())

    def errors(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the uncertainties of the total downwards and upwards, in each bin.

        The differences of variations, and the statistical uncertainty, are added in quadrature.
        """
        total = self.total
        down, up = total.variances().copy(), total.variances().copy()
        for varied in self.varied.values():
            difference = varied.values() - total.values()
            down += np.minimum(difference, 0) ** 2
            up += np.maximum(difference, 0) ** 2
        return np.sqrt(down), np.sqrt(up)


def stack_of(histograms: Drawn | Mapping[str, Drawn], data: Any) -> Stack:
    """Return the histograms to draw.

    Parameters
    ----------
    histograms, data
        As for `kaon.plot`.

    Raises
    ------
    UnknownNameError
        If no histogram has the label of the data.
    UsageError
        If the axes differ.
    """
    given = dict(histograms) if isinstance(histograms, Mapping) else {"": histograms}
    shown = data if isinstance(data, Result) or is_histogram(data) else None
    variations = {
        label: of.variations() if isinstance(of, Result) else {} for label, of in given.items()
    }
    results = [*given.values(), shown, *(r for of in variations.values() for r in of.values())]
    run(*(result for result in results if isinstance(result, Result)))
    parts = _split({label: _value(of) for label, of in given.items()})
    names = dict.fromkeys(name for of in variations.values() for name in of)
    varied = {
        name: _split(
            {label: _value(of.get(name, given[label])) for label, of in variations.items()}
        )
        for name in names
    }
    observed = None if shown is None else _value(shown)
    if data is not None and shown is None:
        labels = [data] if isinstance(data, str) else list(data)
        for label in labels:
            if label not in parts:
                raise UnknownNameError(
                    f"data={label!r}: the histograms are {', '.join(map(repr, parts))}"
                )
        observed = _sum(parts.pop(label) for label in labels)
        for of_variation in varied.values():
            for label in labels:
                del of_variation[label]
    if not parts:
        raise UsageError("there is no histogram to draw beside the data")
    _check_axes([*parts.values(), *([] if observed is None else [observed])])
    return Stack(parts, observed, {name: _sum(of.values()) for name, of in varied.items()})


def _value(histogram: Drawn) -> Any:
    value = histogram.value if isinstance(histogram, Result) else histogram
    if not is_histogram(value):
        raise WrongTypeError(f"plot() draws histograms of hist and results, not {value!r}")
    return value


def _split(histograms: Mapping[str, Any]) -> dict[str, Any]:
    """Return the histograms of each text, if histograms have an axis of texts beside another."""
    parts: dict[str, Any] = {}
    for label, histogram in histograms.items():
        texts = [i for i, axis in enumerate(histogram.axes) if has_texts(axis)]
        if not texts or histogram.ndim == 1:
            parts[label] = histogram
            continue
        for bin_, text in enumerate(histogram.axes[texts[0]]):
            parts[", ".join(filter(None, (label, text)))] = histogram[{texts[0]: bin_}]
    return parts


def _sum(histograms: Iterable[Any]) -> Any:
    first, *others = histograms
    for other in others:
        first = first + other
    return first


def _check_axes(histograms: Sequence[Any]) -> None:
    for histogram in histograms[1:]:
        if histogram.axes != histograms[0].axes:
            raise UsageError(
                f"histograms in one plot need equal axes, not {histograms[0].axes} and "
                f"{histogram.axes}"
            )
