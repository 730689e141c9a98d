"""Tables that suit several files: columns that are optional in one file are optional in all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

from kaon import _core
from kaon.errors import FileError, UnknownNameError
from kaon.files.category import Category
from kaon.files.paths import StrPath

AT_ONCE = 16
"""The number of files that are opened at the same time."""


def common_tables(
    paths: Sequence[StrPath], opened: Callable[[StrPath], Category]
) -> _core.CommonTables | None:
    """Return tables that suit all files; None if the files keep their tables.

    Files without models are opened, because their columns are optional only if values are missing.
    Files that cannot be opened are ignored; they raise when reading reaches them.

    Parameters
    ----------
    opened
        A function that opens a path.
    """

    def open_if_good(path: StrPath) -> Category | None:
        try:
            return opened(path)
        except (FileError, UnknownNameError):
            return None

    if len(paths) < 2:
        return None
    tables = None
    with ThreadPoolExecutor(AT_ONCE) as pool:  # servers take time to answer
        for begin, end in pairwise([0, *range(1, len(paths), AT_ONCE), len(paths)]):
            for category in pool.map(open_if_good, paths[begin:end]):
                if category is None:
                    continue
                if tables is None:
                    if not _core.may_differ_in_optionals(category._core):
                        return None
                    tables = _core.CommonTables()
                tables.add(category._core)
    return tables if tables is not None and tables.differ else None


def with_tables(category: Category, tables: _core.CommonTables | None) -> Category:
    """Return a category with common tables."""
    if tables is None:
        return category
    reader = category._reader
    core = tables.apply(category._core, category.name)
    return Category(core, category.name, reader.file, reader.models, reader.place)
