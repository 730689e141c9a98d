"""Sums of the results of parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from kaon.errors import UsageError, WrongTypeError

TOGETHER = 16
"""The number of results that are added in one step."""


def total(results: Iterable[Any]) -> Any:
    """Return the sum of results, keeping few of them at a time.

    The order of additions depends only on the number of results. Sums of floating-point numbers
    are therefore identical, no matter where the results were computed.

    Raises
    ------
    WrongTypeError
        If two results cannot be added.
    """
    levels: list[list[Any]] = []
    for result in results:
        _put(levels, 0, result)
    at = 0
    while at < len(levels) - 1:  # add the rest of the lower levels
        if levels[at]:
            _put(levels, at + 1, added(levels[at]))
        at += 1
    return added(levels[-1]) if levels else None


def _put(levels: list[list[Any]], at: int, result: Any) -> None:
    if at == len(levels):
        levels.append([])
    levels[at].append(result)
    if len(levels[at]) == TOGETHER:
        full, levels[at] = levels[at], []
        _put(levels, at + 1, added(full))


def added(results: Iterable[Any]) -> Any:
    """Return the sum of a few results, added from the left; raise as `total`."""
    first, *others = results
    for other in others:
        first = _sum(first, other)
    return first


def _sum(first: Any, second: Any) -> Any:
    """Add with ``+``; add dictionaries by key; unite sets; ignore None."""
    if first is None or second is None:
        return second if first is None else first
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        names = dict.fromkeys([*first, *second])
        return {name: _sum(first.get(name), second.get(name)) for name in names}
    if isinstance(first, np.integer) or isinstance(second, np.integer):
        return _sum_of_integers(first, second)
    try:
        if isinstance(first, (set, frozenset)):
            return first | second
        result = first + second
    except TypeError:
        kinds = f"{type(first).__name__} and {type(second).__name__}"
        raise WrongTypeError(
            f"results of parts are added, but {kinds} cannot be added: return values that support "
            "`+`, such as numbers, arrays, lists or histograms, or dictionaries of these"
        ) from None
    if _wraps_around(first, second, result):
        raise _beyond(result.dtype)
    return result


def _sum_of_integers(first: Any, second: Any) -> Any:
    """Add NumPy's integers exactly; with Python's, and signed with unsigned, as Python's int."""
    if not all(isinstance(value, (int, np.integer)) for value in (first, second)):
        return first + second
    dtype = np.result_type(*(v for v in (first, second) if isinstance(v, np.integer)))
    exact = int(first) + int(second)
    if dtype.kind == "f" or isinstance(first, int) or isinstance(second, int):
        return exact
    wide = np.dtype(np.uint64 if dtype.kind == "u" else np.int64)
    if not np.iinfo(wide).min <= exact <= np.iinfo(wide).max:
        raise _beyond(wide)
    return wide.type(exact)


def _wraps_around(first: Any, second: Any, result: Any) -> bool:
    """Tell whether a sum of arrays of integers is beyond their type."""
    arrays = (first, second, result)
    if not all(isinstance(array, np.ndarray) and array.dtype.kind in "iu" for array in arrays):
        return False
    if result.dtype.kind == "u":
        return bool((result < first).any())
    return bool((((first ^ result) & (second ^ result)) < 0).any())


def _beyond(dtype: Any) -> UsageError:
    return UsageError(
        f"the sum of the parts' integers is beyond {dtype}: return ints of Python, or floats"
    )
