"""Results of a dataframe, which are computed at the first look at their value."""

from __future__ import annotations

import operator
import sys
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, NoReturn, TypeVar, cast
from weakref import WeakSet

import numpy as np

from kaon import _core
from kaon.cards import card, note, table, text
from kaon.errors import Error, WrongTypeError
from kaon.other_names import OF_RESULTS, fail

T = TypeVar("T")

NOT_YET = "not computed yet"
_MOST_CHARACTERS = 60  # of a value that is shown on one line


class Booked(ABC):
    """A result, or several results, for `run` to compute."""

    @property
    @abstractmethod
    def results(self) -> list[Result[Any]]:
        """The results that it consists of."""

    @property
    def is_done(self) -> bool:
        """Whether it has been computed."""
        return all(result.is_done for result in self.results)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Result) else value


@cache
def _tell_awkward() -> None:
    """Let Awkward's arrays use the values of results in arithmetic."""
    sys.modules["awkward"].behavior["__cast__", Result] = _plain


def _operator(function: Callable[..., Any]) -> Any:
    def method(*operands: Any) -> Any:
        return function(*map(_plain, operands))

    return method


def _reflected(function: Callable[[Any, Any], Any]) -> Any:
    def method(self: Any, other: Any) -> Any:
        return function(_plain(other), self.value)

    return method


class Result(Booked, Generic[T]):
    """A result of a dataframe.

    The first look at its `value` computes it, together with all other results of the dataset that
    the program still holds. Arithmetic, comparisons, `int()`, `bool()`, formatting and NumPy use
    the value: ``passed / total`` is a number.
    """

    def __init__(self, core: _core.Result, convert: Callable[[Any], T], what: str) -> None:
        self._core = core
        self._convert = convert
        self._what = what
        self._value: T
        self._is_converted = False
        if "awkward" in sys.modules:  # its import would take long
            _tell_awkward()

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

    def __getattr__(self, name: str) -> NoReturn:
        fail(self, "results have", name, OF_RESULTS)

    __add__, __radd__ = _operator(operator.add), _reflected(operator.add)
    __sub__, __rsub__ = _operator(operator.sub), _reflected(operator.sub)
    __mul__, __rmul__ = _operator(operator.mul), _reflected(operator.mul)
    __truediv__, __rtruediv__ = _operator(operator.truediv), _reflected(operator.truediv)
    __floordiv__, __rfloordiv__ = _operator(operator.floordiv), _reflected(operator.floordiv)
    __mod__, __rmod__ = _operator(operator.mod), _reflected(operator.mod)
    __divmod__, __rdivmod__ = _operator(divmod), _reflected(divmod)
    __pow__, __rpow__ = _operator(operator.pow), _reflected(operator.pow)
    __lt__, __le__ = _operator(operator.lt), _operator(operator.le)
    __gt__, __ge__ = _operator(operator.gt), _operator(operator.ge)
    __neg__, __pos__ = _operator(operator.neg), _operator(operator.pos)
    __abs__ = _operator(operator.abs)
    __round__ = _operator(round)
    __index__ = _operator(operator.index)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        return getattr(ufunc, method)(*map(_plain, inputs), **options)

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


class CombinedResult(Result[T]):
    """A result that consists of several results."""

    def __init__(
        self,
        parts: Sequence[Result[Any]],
        combine: Callable[[list[Any]], T],
        what: str,
    ) -> None:
        self._parts = parts
        self._combine = combine
        self._what = what
        self._is_converted = False

    @property
    def results(self) -> list[Result[Any]]:
        """The results that it consists of, for `run`."""
        return [result for part in self._parts for result in part.results]

    @property
    def is_done(self) -> bool:
        """Whether it has been computed."""
        return all(part.is_done for part in self._parts)

    @property
    def value(self) -> T:
        """The value, computed at the first access. Raises the errors of reading and functions."""
        if not self._is_converted:
            if not self.is_done:
                run(self)
            self._value = self._combine([part.value for part in self._parts])
            self._is_converted = True
        return self._value

    def variations(self) -> dict[str, Result[T]]:
        """Return the result in each variation, by name, computed in the same pass."""
        parts = [part.variations() for part in self._parts]
        return {
            name: CombinedResult(
                [of[name] for of in parts], self._combine, f"{self._what} in '{name}'"
            )
            for name in parts[0]
        }


class StagedResult(Result[T]):
    """A result that is made of others after these are computed.

    Parameters
    ----------
    first
        The results of the first pass.
    make
        A function of their values, which returns the value, or a result for a further pass.
    """

    def __init__(
        self, first: Sequence[Result[Any]], make: Callable[[list[Any]], Any], what: str
    ) -> None:
        self._first = first
        self._make = make
        self._what = what
        self._made: Any = None
        self._is_made = False
        self._failure: Exception | None = None
        _waiting.add(self)

    @property
    def results(self) -> list[Result[Any]]:
        """The results that it needs next, for `run`."""
        if not self._is_made:
            return [result for part in self._first for result in part.results]
        return self._made.results if isinstance(self._made, Result) else []

    @property
    def is_done(self) -> bool:
        """Whether it has been computed."""
        return self._is_made and (not isinstance(self._made, Result) or self._made.is_done)

    def proceed(self) -> None:
        """Make the value, or the result of the further pass, if the first pass is over."""
        if self._is_made or not all(part.is_done for part in self._first):
            return
        self._is_made = True
        _waiting.discard(self)
        try:
            self._made = self._make([part.value for part in self._first])
        except Exception as error:  # of this result only; others of the pass are valid
            self._failure = error
        if not isinstance(self._made, Result):
            self._first = ()  # may be the temporary file of a snapshot

    @property
    def value(self) -> T:
        """The value, computed at the first access. Raises the errors of reading and functions."""
        if not self.is_done:
            run(self)
        if self._failure:
            raise self._failure
        return cast(T, _plain(self._made))

    def variations(self) -> dict[str, Result[T]]:
        """Return the result in each variation, by name."""

        def of(name: str) -> Callable[[list[Any]], Any]:
            return lambda values: self._make(values).variations()[name]

        names = self._first[0].variations() if self._first else {}
        return {
            name: StagedResult(self._first, of(name), f"{self._what} in '{name}'") for name in names
        }


_waiting: WeakSet[StagedResult[Any]] = WeakSet()


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

    Histograms with growing axes need a pass to find their texts, and another one.

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
    for staged in list(_waiting):
        staged.proceed()
    if unfinished := [result for result in results if not result.is_done]:
        run(*unfinished, progress=progress)
