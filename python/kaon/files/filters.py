"""Filters of names: patterns, regular expressions, functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from typing import TypeAlias

from kaon import _core
from kaon.errors import UnknownNameError, UsageError, WrongTypeError

#: A pattern such as "Muon.*", a regular expression between slashes, several, or a function.
#: As in uproot, an expression matches from the start of a name, and flags may follow the second
#: slash: "/muon/i".
Filter: TypeAlias = "str | Sequence[str] | Callable[[str], bool] | None"

_EXPRESSION = re.compile("/(.*)/([aimsux]*)", re.DOTALL)


def is_wanted_key(filter_: Filter, key: str) -> bool:
    """Return whether a filter accepts a member's name, "Muon.pt", or NanoAOD's form, "Muon_pt".

    Functions get the first form only; other filters work as in `is_wanted`.
    """
    if isinstance(filter_, str):
        return is_wanted(filter_, key) or is_wanted(filter_, key.replace(".", "_", 1))
    if isinstance(filter_, Iterable):
        return any(is_wanted_key(each, key) for each in filter_)
    return is_wanted(filter_, key)


def is_wanted(filter_: Filter, name: str) -> bool:
    """Return whether a filter accepts a name; no filter accepts every name.

    Raises
    ------
    UsageError
        If the text between slashes is not a regular expression.
    WrongTypeError
        If `filter_` is not a filter.
    """
    if filter_ is None:
        return True
    if isinstance(filter_, str):
        if (expression := _EXPRESSION.fullmatch(filter_)) is None:
            return fnmatchcase(name, filter_)
        text, flags = expression.groups()
        try:
            return re.match(f"(?{flags}){text}" if flags else text, name) is not None
        except re.error as error:
            raise UsageError(f"'{filter_}' is not a regular expression: {error}") from None
    if callable(filter_):
        return bool(filter_(name))
    if not isinstance(filter_, Iterable):
        raise WrongTypeError(
            f"a filter must be a pattern, a list of patterns or a function, not {filter_!r}"
        )
    return any(is_wanted(each, name) for each in filter_)


def kept_names(names: Sequence[str], keep: Sequence[str]) -> list[str]:
    """Return the names of collections, parameters and values that match patterns to keep.

    Raises
    ------
    UnknownNameError
        If a pattern matches no name.
    """
    for pattern in keep:
        if not any(is_wanted(pattern, name) for name in names):
            hint = _core.suggestion(pattern, list(names)) or "; `drop` removes parts of them"
            raise UnknownNameError(f"no collection, parameter or value is called '{pattern}'{hint}")
    return [name for name in names if is_wanted(keep, name)]
