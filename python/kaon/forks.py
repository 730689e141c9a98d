"""Processes that are forked while other threads import packages that kaon imports late.

Python has a lock for each module that is being imported. In the forked process, the thread that
holds the lock is missing. The process would wait for the lock for ever.
"""

from __future__ import annotations

import _frozen_importlib
import logging  # noqa: F401
import os
from contextlib import suppress
from importlib import import_module

_IMPORTED_LATE = {
    "kaon",
    *("awkward", "duckdb", "fsspec", "matplotlib", "mplhep", "numba", "numpy", "pandas"),
    *("polars", "pyarrow", "rich", "textual", "vector"),
}

# Python has no public name for these. Without them, forks work as with other packages.
_locks: dict[str, object] = getattr(_frozen_importlib, "_module_locks", {})


def _being_imported() -> set[str]:
    return {name for name in list(_locks) if name.partition(".")[0] in _IMPORTED_LATE}


def _await_imports() -> None:
    awaited: set[str] = set()  # includes this thread's own imports, which need no wait
    while names := _being_imported() - awaited:
        for name in names:
            with suppress(ImportError):
                import_module(name)
        awaited |= names


# A fork takes the lock of `logging`, which imports need. It runs the function that was registered
# last first, so this one must follow the one of `logging`.
os.register_at_fork(before=_await_imports)
