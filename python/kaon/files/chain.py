"""One file after another, as if they were one."""

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

if TYPE_CHECKING:
    from kaon.model.datamodel import AnyModel

OneOrPattern: TypeAlias = "StrPath | Mapping[StrPath, str] | Category | File"

#: A path and category, such as "run*.kaon:events", categories by path, what is open, or several.
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
        A path and category, such as "events.kaon:events"; or categories by path; or several of
        these. Patterns, such as "run*.kaon:events", stand for all files that match them, sorted by
        name; ``**`` is any number of folders. Files and categories that are open are found by their
        paths. The category need not be named where there is but one, or it is called ``events``.
    expressions, cut, step_size, aliases, filter_name, filter_typename, library, how
        As in `Category.iterate`. A piece does not go beyond the end of a file.
    entry_start, entry_stop
        Which entries, counted on through all files; files behind the last are not opened.
    report
        Whether each piece comes with a `Report` of where it is from.
    model
        As in `open`: files of several versions of it are all read as this one.

    Yields
    ------
    ak.Array, FlatArrays, pyarrow.Table, ..., or a pair of it and a Report
        As `Category.arrays` returns them.

    Raises
    ------
    MissingFileError
        If there is no such file.
    UsageError
        If there is no file, or it is not clear which category is meant; and as `Category.iterate`.
    """
    names = _kept(expressions)
    form = ArrayForm.named(library, how)
    for category, before, start, stop in _ranges(files, model, entry_start, entry_stop):
        query = category._query(names, cut, aliases, filter_name, filter_typename, form)
        for first, last in category._pieces(query, step_size, start, stop):
            arrays = query.arrays(first, last)
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
    """Read the entries of several files as arrays, one behind the other.

    >>> kaon.concatenate("run*.kaon:events", ["Muon", "MET"], "count(Muon) > 1")

    Parameters
    ----------
    files, entry_start, entry_stop, model
        As in `iterate`.
    expressions, cut, aliases, filter_name, filter_typename, library, how
        As in `Category.arrays`.
    memory_limit
        What the arrays of one file may take at most.

    Returns
    -------
    ak.Array, FlatArrays, pyarrow.Table, ...
        As `Category.arrays` returns them. Of files that lack a column, it has None. Numbers are of
        a type that holds those of all files: uint64 and int64 become int64.

    Raises
    ------
    UsageError
        If flat arrays are to be of files of which one lacks what another one has; and as `iterate`.
    WrongTypeError
        If no type holds the numbers of all files without rounding.
    """
    names = _kept(expressions)
    form = ArrayForm.named(library, how)
    allowed = bytes_allowed(memory_limit)
    parts = []
    for category, _, start, stop in _ranges(files, model, entry_start, entry_stop):
        query = category._query(names, cut, aliases, filter_name, filter_typename, form)
        parts.append(query.read(start, stop, allowed))
    return query.finished(form.joined(parts))


def _kept(names: str | Iterable[str] | None) -> str | list[str] | None:
    """Return names that are gone through for each file."""
    return names if names is None or isinstance(names, str) else list(names)


def _ranges(
    files: Files, model: AnyModel | None, start: int | None, stop: int | None
) -> Iterator[tuple[Category, int, int, int]]:
    """Yield the categories, how many entries are in those before, and which of their own to read.

    The first one is always there; of others, those that have any of the entries.
    """
    paths = listed_paths(files)
    if not paths:
        raise UsageError("there is no file")
    wanted = slice(*(None if at is None else operator.index(at) for at in (start, stop)))
    if (wanted.start or 0) < 0 or (wanted.stop or 0) < 0:
        entries = sum(open_category(path, model).num_entries for path in paths)
        wanted = slice(*wanted.indices(entries)[:2])
    first = wanted.start or 0
    if wanted.stop is not None and wanted.stop < first:
        raise UsageError(f"entries {start} to {stop} are no range")
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
    """Return the path and category of each file, of patterns those of all files that match."""
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
            f"the category of '{path}' is a name, such as 'events', not {name!r}: files are paths, "
            "or categories by path"
        )
    return f"{os.fspath(path)}:{name}"


def _path_of(opened: Category | File) -> str:
    """Return the path of what is open, with its category.

    Raises
    ------
    UsageError
        If it was not opened by a path, or as another model says.
    """
    if opened._place is None or opened._place.models:
        raise UsageError(
            f"{opened!r}: what is open is found by its path alone: give a path and, where it is "
            "read as another model says, `model=`"
        )
    path = opened._place.path
    return f"{path}:{opened.name}" if isinstance(opened, Category) else path


def open_category(path: StrPath, model: AnyModel | None = None) -> Category:
    """Open the category that a path names, or else the only one of the file, or ``events``.

    Raises
    ------
    UsageError
        If it names none, and it is not clear which is meant; and as `open`.
    """
    category = open(path, model)
    return category if isinstance(category, Category) else category[main_category(category)]
