"""What is asked of a dataframe: computed when it is first looked at."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar, cast

from kaon import _core

T = TypeVar("T")


class Result(Generic[T]):
    """Something that was asked of a dataframe.

    It is computed when its `value` is first looked at, together with all else that was asked of the
    same dataset until then and is still wanted.
    """

    def __init__(self, core: _core.Result, convert: Callable[[Any], T], what: str) -> None:
        self._core = core
        self._convert = convert
        self._what = what
        self._value: T
        self._is_converted = False

    @property
    def value(self) -> T:
        """What it is. Raises what computing it does."""
        if not self._is_converted:
            if not self._core.is_done:
                run(self)
            self._value = self._convert(self._core.value)
            self._is_converted = True
        return self._value

    @property
    def is_done(self) -> bool:
        """Whether it has been computed."""
        return self._core.is_done

    def variations(self) -> dict[str, Result[T]]:
        """Return the same in each variation, by name: computed as this is, in the same pass."""
        return {
            name: Result(core, self._convert, f"{self._what} in '{name}'")
            for name, core in self._core.variations().items()
        }

    def __int__(self) -> int:
        return int(cast(Any, self.value))

    def __float__(self) -> float:
        return float(cast(Any, self.value))

    def __repr__(self) -> str:
        return (
            f"<Result {self._what}: {self.value!r}>" if self.is_done else f"<Result {self._what}>"
        )


class Cut(NamedTuple):
    """A filter: what was asked about, and what passed."""

    label: str
    entries: int
    passed: int
    weight: float
    passed_weight: float


@dataclass(frozen=True)
class Statistics:
    """Statistics of numbers; the deviation is that of the numbers themselves."""

    count: int
    mean: float
    deviation: float
    min: float
    max: float


class CutFlow:
    """How many entries passed the filters of a dataframe, one after another."""

    def __init__(self, filters: list[tuple[str, list[Result[Any]]]]) -> None:
        self._filters = filters  # entries asked about and passed; weights of both, if there are

    @property
    def results(self) -> list[Result[Any]]:
        """What it is computed of, for `run`."""
        return [result for _, numbers in self._filters for result in numbers]

    @property
    def cuts(self) -> list[Cut]:
        """The filters in order. Without weights, their sums are the numbers of entries."""
        if not all(result.is_done for result in self.results):
            run(self)
        cuts = []
        for label, results in self._filters:
            entries, passed, *weights = (result.value for result in results)
            cuts.append(Cut(label, entries, passed, *(weights or (float(entries), float(passed)))))
        return cuts

    def __str__(self) -> str:
        cuts = self.cuts
        width = max((len(cut.label) for cut in cuts), default=0)
        lines = []
        for cut in cuts:
            all_, passed = (
                (f"{cut.weight:.2f}", f"{cut.passed_weight:.2f}")
                if len(self._filters[0][1]) > 2
                else (str(cut.entries), str(cut.passed))
            )
            share = 100 * cut.passed_weight / cut.weight if cut.weight else 0.0
            lines.append(f"{cut.label:{width}}{all_:>14}{passed:>14}{share:>8.2f} %")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<CutFlow of {len(self._filters)} filters>"


def run(*results: Result[Any] | CutFlow, progress: Callable[[float], object] | None = None) -> None:
    """Compute results, of one dataset or several: one pass over each.

    Parameters
    ----------
    progress
        Called with how much is done, from 0 to 1. What it raises ends the work.

    Raises
    ------
    Error
        As reading does, and what functions raise.
    """
    cores = []
    for result in results:
        parts = result.results if isinstance(result, CutFlow) else [result]
        cores += [part._core for part in parts]
    for warning in _core.run(cores, progress):
        warnings.warn(warning, stacklevel=2)
