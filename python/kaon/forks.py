"""Processes that are forked while other threads import packages that kaon imports late.

Python has a lock for each module that is being imported. In the forked process, the thread that
holds the lock is missing. The process would wait for the lock for ever.
"""

from __future__ import annotations

import _frozen_importlib
import os
import sys
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


def _before_fork() -> None:
    # If `logging` was imported after kaon, Python has taken its lock by now. Imports need the lock.
    lock = getattr(sys.modules.get("logging"), "_lock", None)
    try:
        lock.release()  # type: ignore[union-attr]
    except (AttributeError, RuntimeError):
        _await_imports()
        return
    try:
        _await_imports()
    finally:
        lock.acquire()  # type: ignore[union-attr]


os.register_at_fork(before=_before_fork)
