"""Masks of good luminosity sections, from the JSON files that experiments publish."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kaon.errors import UsageError


class GoodRuns:
    """A function that tells which entries lie in good luminosity sections.

    >>> good = kaon.good_runs("golden.json")
    >>> events.filter(good, ["run", "luminosityBlock"], label="good runs")

    Call it with arrays of runs and luminosity sections of one length; it returns an array of bools.
    """

    def __init__(self, sections: Mapping[int, Sequence[tuple[int, int]]]) -> None:
        rows = [
            (run, first, last)
            for run, ranges in sorted(sections.items())
            for first, last in _joined(ranges)
        ]
        self._runs, first, self._last = np.array(rows, np.int64).reshape(-1, 3).T
        self._begins = _keys(self._runs, first)

    def __call__(self, runs: Any, sections: Any) -> np.ndarray:
        """Return whether each section is good."""
        runs, sections = np.asarray(runs, np.int64), np.asarray(sections, np.int64)
        # The last range that begins at or before each section.
        place = np.searchsorted(self._begins, _keys(runs, sections), "right") - 1
        if not len(self._runs):
            return np.zeros(len(runs), bool)
        is_good: np.ndarray = (
            (place >= 0) & (self._runs[place] == runs) & (sections <= self._last[place])
        )
        return is_good


def _keys(runs: np.ndarray, sections: np.ndarray) -> np.ndarray:
    """Return numbers in the order of runs, then of sections, which have 32 bits."""
    keys: np.ndarray = (runs << 32) + sections
    return keys


def good_runs(path: str | os.PathLike[str] | Mapping[Any, Any]) -> GoodRuns:
    """Return the function that keeps good luminosity sections.

    Parameters
    ----------
    path
        A JSON file of the form ``{"run": [[first, last], ...]}``, such as CMS's golden JSON, or
        these contents as a dict. Both ends of a range are good.

    Returns
    -------
    GoodRuns
        A function of runs and luminosity sections, for `Dataframe.filter`.

    Raises
    ------
    UsageError
        If the contents have another form.
    OSError
        If the file cannot be read.
    """
    where = "the sections"
    contents: Any = path
    if not isinstance(path, Mapping):
        where = os.fspath(path)
        with open(path, encoding="utf-8") as file:
            try:
                contents = json.load(file)
            except ValueError as error:
                raise UsageError(f"{where}: is not JSON: {error}") from None
    try:
        sections = {
            int(run): [(int(first), int(last)) for first, last in ranges]
            for run, ranges in contents.items()
        }
    except (AttributeError, TypeError, ValueError):
        raise UsageError(
            f'{where}: does not have the form {{"run": [[first, last], ...]}} of good sections'
        ) from None
    return GoodRuns(sections)


def _joined(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ranges in ascending order, without overlaps."""
    result: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if result and first <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(last, result[-1][1]))
        elif first <= last:
            result.append((first, last))
    return result
