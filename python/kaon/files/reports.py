"""Reports of the origin of pieces of arrays."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Report:
    """The origin of a piece of arrays.

    Attributes
    ----------
    file_path, category
        The file, and the category in it.
    entry_start, entry_stop
        The entries in the file, before a cut.
    global_entry_start, global_entry_stop
        The entries numbered through all files.
    """

    file_path: str
    category: str
    entry_start: int
    entry_stop: int
    global_entry_start: int
    global_entry_stop: int
