"""A record of the columns that programs read, for `kaon advise`."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO

_lock = threading.Lock()
_record: IO[str] | None = None


@contextmanager
def record_reads(path: str | os.PathLike[str]) -> Iterator[None]:
    """Record the columns that the block reads as arrays, tables, streams and frames.

    >>> with kaon.record_reads("reads.jsonl"):
    ...     muons = events.arrays(["Muon.pt", "Muon.eta"])

    The file has a line of JSON for each read, with the ``file``, ``category``, ``columns`` and
    ``entries`` (first and last + 1). Reads of cuts, expressions and dataframes are not recorded.

    Parameters
    ----------
    path
        The file, which is replaced. Threads write to it in turns; the blocks of several threads
        must not overlap.
    """
    global _record
    with open(path, "w", encoding="utf-8") as file:
        _record = file
        try:
            yield
        finally:
            with _lock:
                _record = None


def is_recorded() -> bool:
    """Tell whether reads are recorded."""
    return _record is not None


def note_read(file: str, category: str, columns: Sequence[str], first: int, last: int) -> None:
    """Record a read of columns, of the entries from `first` to the one before `last`."""
    read = {"file": file, "category": category, "columns": columns, "entries": [first, last]}
    with _lock:
        if _record is not None and columns and last > first:
            print(json.dumps(read), file=_record)
