"""Where pieces of arrays come from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Report:
    """Where a piece of arrays comes from.

    Attributes
    ----------
    file_path, category
        The file, and the category in it.
    entry_start, entry_stop
        The entries in the file, before a cut.
    global_entry_start, global_entry_stop
        The same, counted on through all files.
    """

    file_path: str
    category: str
    entry_start: int
    entry_stop: int
    global_entry_start: int
    global_entry_stop: int
