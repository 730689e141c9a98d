"""Which names are wanted: patterns, regular expressions, functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import TypeAlias

#: A pattern such as "Muon.*", a regular expression between slashes, several, or a function.
Filter: TypeAlias = "str | Sequence[str] | Callable[[str], bool] | None"


def is_wanted(filter_: Filter, name: str) -> bool:
    """Tell whether a name fits; without a filter each does."""
    if filter_ is None:
        return True
    if isinstance(filter_, str):
        if len(filter_) > 1 and filter_[0] == filter_[-1] == "/":
            return re.search(filter_[1:-1], name) is not None
        return fnmatchcase(name, filter_)
    if callable(filter_):
        return bool(filter_(name))
    return any(is_wanted(each, name) for each in filter_)
