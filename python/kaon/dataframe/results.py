"""Results of a dataframe, which are computed at the first look at their value."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar, cast

import numpy as np

from kaon import _core
from kaon.cards import card, note, table, text
from kaon.errors import Error, WrongTypeError

T = TypeVar("T")

NOT_YET = "not computed yet"
_MOST_CHARACTERS = 60  # of a value that is shown on one line


class Booked:
    """Something that `run` computes."""

    @property
    def results(self) -> list[Result[Any]]:
        """The results that it consists of."""
        raise NotImplementedError

    @property
    def is_done(self) -> bool:
        """Whether it has been computed."""
        return all(result.is_done for result in self.results)


class Result(Booked, Generic[T]):
    """A result of a dataframe.

    The first look at its `value` computes it, together with all other results of the dataset that
    the program still holds. Comparisons, `int()`, `bool()`, formatting and NumPy use the value.
    """

    def __init__(self, core: _core.Result, convert: Callable[[Any], T], what: str) -> None:
        self._core = core
        self._convert = convert
        self._what = what
        self._value: T
        self._is_converted = False

    @property
    def value(self) -> T:
        """The value, computed at the first access. Raises the errors of reading and functions."""
        if not self._is_converted:
            if not self._core.is_done:
                run(self)
            self._value = self._convert(self._core.value)
            self._is_converted = True
        return self._value

    @property
    def results(self) -> list[Result[Any]]:
        """The result itself, for `run`."""
        return [self]

    @property
    def is_done(self) -> bool:
        """Whether it has been computed."""
        return self._core.is_done

    def variations(self) -> dict[str, Result[T]]:
        """Return the result in each variation, by name, computed in the same pass."""
        return {
            name: Result(core, self._convert, f"{self._what} in '{name}'")
            for name, core in self._core.variations().items()
        }

    def __bool__(self) -> bool:
        return bool(self.value)

    def __int__(self) -> int:
        return int(cast(Any, self.value))

    def __float__(self) -> float:
        return float(cast(Any, self.value))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        values = np.asarray(self.value, dtype)
        return values.copy() if copy else values

    def __format__(self, form: str) -> str:
        return format(self.value, form) if form else str(self)

    def __eq__(self, other: object) -> Any:
        """Compare the value; arrays compare by element. Two results are equal only if identical."""
        return self is other if isinstance(other, Result) else self.value == other

    __hash__ = object.__hash__

    def __copy__(self) -> Result[T]:
        return self

    def __reduce__(self) -> NoReturn:
        raise WrongTypeError(f"{self!r} cannot be pickled; pickle its `value`, unless it is a file")

    def __repr__(self) -> str:
        return f"<Result {self._what}: {self._value_text()}>"

    def _value_text(self) -> str:
        """Return the value on one line."""
        if not self.is_done:
            return NOT_YET
        try:
            first, *others = repr(self.value).split("\n")
        except Error as error:  # for example, a sum beyond 64 bits
            first, *others = str(error).split("\n")
        is_cut = bool(others) or len(first) > _MOST_CHARACTERS
        return f"{first[:_MOST_CHARACTERS].rstrip()} ..." if is_cut else first

    def _repr_html_(self) -> str:
        if not self.is_done:
            return card(self._what, [NOT_YET], note("`value` computes it"))
        try:
            self.value  # noqa: B018
        except Error as error:
            return card(self._what, [], note(str(error)))
        if hasattr(self.value, "_repr_html_"):
            return card(self._what, [], self.value._repr_html_())
        shown = self.value if isinstance(self.value, str) else repr(self.value)
        return card(self._what, [], f"<pre>{text(shown)}</pre>")


@dataclass(frozen=True)
class Statistics:
    """Statistics of numbers: their count, mean, standard deviation, minimum and maximum.

    For columns of integers, minimum and maximum are ints.
    """

    count: int
    mean: float
    deviation: float
    min: int | float
    max: int | float

    def _repr_html_(self) -> str:
        shown = [str(v) if isinstance(v, int) else f"{v:.6g}" for v in vars(self).values()]
        return table(list(vars(self)), [shown])


def run(*results: Booked, progress: Callable[[float], object] | None = None) -> None:
    """Compute results of one or several datasets, in one pass over each.

    Parameters
    ----------
    progress
        A function that is called with the fraction done, from 0 to 1. An exception of it ends the
        pass.

    Raises
    ------
    Error
        If reading fails. Exceptions of functions are raised unchanged.
    """
    cores = []
    for result in results:
        if not isinstance(result, Booked):
            raise WrongTypeError(f"run() computes results of dataframes, not {result!r}")
        cores += [part._core for part in result.results]
    for warning in _core.run(cores, progress):
        warnings.warn(warning, stacklevel=2)
