"""Several files, read one after another like one."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from kaon.errors import UsageError, WrongTypeError
from kaon.files.array_forms import ArrayForm, How, Library
from kaon.files.category import Category
from kaon.files.file import File, main_category, open
from kaon.files.filters import Filter
from kaon.files.memory_sizes import bytes_allowed
from kaon.files.paths import StrPath, matching_paths, several
from kaon.files.queries import Reading

if TYPE_CHECKING:
    from kaon.model.datamodel import AnyModel

OneOrPattern: TypeAlias = "StrPath | Mapping[StrPath, str] | Category | File"

#: A path and category, such as "run*.kaon:events", categories by path, open files, or several.
Files: TypeAlias = "OneOrPattern | Iterable[OneOrPattern]"


def iterate(
    files: Files,
    expressions: str | Iterable[str] | None = None,
    cut: str | None = None,
    step_size: int | str = "100 MB",
    *,
    aliases: Mapping[str, str] | None = None,
    filter_name: Filter = None,
    filter_typename: Filter = None,
    entry_start: int | None = None,
    entry_stop: int | None = None,
    library: Library = "ak",
    how: How = None,
    report: bool = False,
    model: AnyModel | None = None,
) -> Iterator[Any]:
    """Read the entries of one file after another as arrays, a piece at a time.

    >>> for muons in kaon.iterate("run*.kaon:events", "Muon", "count(Muon) > 1"):

    Parameters
    ----------
    files
        A path and category, such as "events.kaon:events", or categories by path, or several of
        these. Patterns, such as "run*.kaon:events", stand for all matching files, sorted by name;
        ``**`` is any number of folders. Open files and categories are opened again by path. You
        can omit the category if it is the only one, or is called ``events``.
    expressions, cut, step_size, aliases, filter_name, filter_typename, library, how
        As in `Category.iterate`. A piece ends at the end of a file.
    entry_start, entry_stop
        The range of entries, numbered through all files. Files behind the last entry are not
        opened.
    report
        Whether each piece comes with a `Report` of its file and entries.
    model
        As in `open`: files of all versions of the model are read with this one.

    Yields
    ------
    ak.Array, FlatArrays, pyarrow.Table, ..., or a pair of it and a Report
        As `Category.arrays` returns them.

    Raises
    ------
    MissingFileError
        If a file does not exist.
    UsageError
        If there are no files, or a file has several categories and none is named; and in the cases
        of `Category.iterate`.
    """
    names = _kept(expressions)
    form = ArrayForm.named(library, how)
    for category, before, start, stop in _ranges(files, model, entry_start, entry_stop):
        query = category._query(names, cut, aliases, filter_name, filter_typename, form)
        reading = Reading(query)
        for first, last in category._pieces(query, step_size, start, stop):
            arrays = reading.arrays(first, last)
            yield (arrays, category._report(first, last, before)) if report else arrays


def concatenate(
    files: Files,
    expressions: str | Iterable[str] | None = None,
    cut: str | None = None,
    *,
    aliases: Mapping[str, str] | None = None,
    filter_name: Filter = None,
    filter_typename: Filter = None,
    entry_start: int | None = None,
    entry_stop: int | None = None,
    library: Library = "ak",
    how: How = None,
    memory_limit: int | str | None = None,
    model: AnyModel | None = None,
) -> Any:
    """Read the entries of several files as one set of arrays.

    >>> kaon.concatenate("run*.kaon:events", ["Muon", "MET"], "count(Muon) > 1")

    Parameters
    ----------
    files, entry_start, entry_stop, model
        As in `iterate`.
    expressions, cut, aliases, filter_name, filter_typename, library, how
        As in `Category.arrays`.
    memory_limit
        The largest size of the arrays of one file.

    Returns
    -------
    ak.Array, FlatArrays, pyarrow.Table, ...
        As `Category.arrays` returns them. Columns that a file lacks are None in its entries.
        Numbers get a type that holds those of all files: uint64 and int64 become int64.

    Raises
    ------
    UsageError
        If flat arrays are requested and a file lacks a column of others; and in the cases of
        `iterate`.
    WrongTypeError
        If no type holds the numbers of all files without rounding.
    """
    names = _kept(expressions)
    form = ArrayForm.named(library, how)
    allowed = bytes_allowed(memory_limit)
    parts = []
    for category, _, start, stop in _ranges(files, model, entry_start, entry_stop):
        query = category._query(names, cut, aliases, filter_name, filter_typename, form)
        reading = Reading(query)
        parts.append(reading.read(start, stop, allowed))
    return reading.query.finished(form.joined(parts))


def _kept(names: str | Iterable[str] | None) -> str | list[str] | None:
    """Return names that can be iterated once for each file."""
    return names if names is None or isinstance(names, str) else list(names)


def _ranges(
    files: Files, model: AnyModel | None, start: int | None, stop: int | None
) -> Iterator[tuple[Category, int, int, int]]:
    """Yield each category, the number of entries before it, and its range of entries to read.

    The first category is always yielded, others only if the range includes some of their entries.
    """
    paths = listed_paths(files)
    if not paths:
        raise UsageError("no files are given")
    wanted = slice(*(None if at is None else operator.index(at) for at in (start, stop)))
    if (wanted.start or 0) < 0 or (wanted.stop or 0) < 0:
        entries = sum(open_category(path, model).num_entries for path in paths)
        wanted = slice(*wanted.indices(entries)[:2])
    first = wanted.start or 0
    if wanted.stop is not None and wanted.stop < first:
        raise UsageError(f"entry_start ({start}) must not exceed entry_stop ({stop})")
    before = 0
    for number, path in enumerate(paths):
        if number and wanted.stop is not None and wanted.stop <= before:
            return
        category = open_category(path, model)
        entries = category.num_entries
        last = entries if wanted.stop is None else min(wanted.stop - before, entries)
        begin = min(max(first - before, 0), last)
        if number == 0 or begin < last:
            yield category, before, begin, last
        before += entries


def listed_paths(files: Files) -> list[StrPath]:
    """Return the path and category of each file; a pattern gives all files that match."""
    if isinstance(files, (str, os.PathLike)):
        return matching_paths(files)
    if isinstance(files, (Category, File)):
        return [_path_of(files)]
    if isinstance(files, Mapping):
        files = [_path_with_category(path, name) for path, name in files.items()]
    return [match for each in several(files) for match in listed_paths(each)]


def _path_with_category(path: StrPath, name: object) -> str:
    if not isinstance(name, str):
        raise WrongTypeError(
            f"the category of '{path}' must be a name, such as 'events', not {name!r}: give paths, "
            "or categories by path"
        )
    return f"{os.fspath(path)}:{name}"


def _path_of(opened: Category | File) -> str:
    """Return the path of an open file or category, with its category.

    Raises
    ------
    UsageError
        If it was not opened by a path, or was opened with another model.
    """
    if opened._place is None or opened._place.models:
        raise UsageError(
            f"{opened!r}: cannot be opened again by its path alone; give its path, and `model=` if "
            "it is read with another model"
        )
    path = opened._place.path
    return f"{path}:{opened.name}" if isinstance(opened, Category) else path


def open_category(path: StrPath, model: AnyModel | None = None) -> Category:
    """Open the category that a path names; else the only one of the file, or ``events``.

    Raises
    ------
    UsageError
        If the path names no category, and the file has several; and in the cases of `open`.
    """
    category = open(path, model)
    return category if isinstance(category, Category) else category[main_category(category)]
