"""Tables that suit several files: columns that are optional in one file are optional in all."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from kaon import _core
from kaon.errors import FileError, UnknownNameError
from kaon.files.category import Category
from kaon.files.distant import is_url
from kaon.files.paths import StrPath


def common_tables(
    paths: Sequence[StrPath], opened: Callable[[StrPath], Category]
) -> _core.CommonTables | None:
    """Return tables that suit all files; None if the files keep their tables.

    Local files without models are opened, because their columns are optional only if values are
    missing. Files that cannot be opened are ignored; they raise when reading reaches them.

    Parameters
    ----------
    opened
        A function that opens a path.
    """
    tables = None
    for path in paths if len(paths) > 1 else ():
        try:
            category = opened(path)
        except (FileError, UnknownNameError):
            continue
        if tables is None:
            if is_url(os.fspath(path)) or not _core.may_differ_in_optionals(category._core):
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
