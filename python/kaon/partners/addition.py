"""Results of parts, added up to those of the whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kaon.errors import WrongTypeError

TOGETHER = 16
"""How many results become one at a time."""


def total(results: Iterable[Any]) -> Any:
    """Return the sum of results, of which few are kept at a time.

    They are added in an order that only their number decides, so that sums of floating-point
    numbers are the same wherever the results come from.

    Raises
    ------
    WrongTypeError
        If two of them cannot be added.
    """
    levels: list[list[Any]] = []
    for result in results:
        _put(levels, 0, result)
    at = 0
    while at < len(levels) - 1:  # what is left of the lower ones
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
    """Return the sum of a few results: from the left, at once; raise as `total`."""
    first, *others = results
    for other in others:
        first = _sum(first, other)
    return first


def _sum(first: Any, second: Any) -> Any:
    """Add what has a ``+``, dictionaries by key; join sets; None is nothing."""
    if first is None or second is None:
        return second if first is None else first
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        names = dict.fromkeys([*first, *second])
        return {name: _sum(first.get(name), second.get(name)) for name in names}
    try:
        if isinstance(first, (set, frozenset)):
            return first | second
        return first + second
    except TypeError:
        kinds = f"{type(first).__name__} and {type(second).__name__}"
        raise WrongTypeError(
            f"results of parts are added, which {kinds} cannot be: return what has a `+`, or a "
            "dictionary of such, such as histograms, numbers, arrays, lists"
        ) from None
