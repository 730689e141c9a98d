"""One file after another, as if they were one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from kaon.errors import UsageError
from kaon.files.array_forms import ArrayForm, How, Library
from kaon.files.category import Category, bytes_allowed
from kaon.files.file import open
from kaon.files.filters import Filter
from kaon.files.paths import StrPath, matching_paths, no_category

if TYPE_CHECKING:
    from kaon.model.datamodel import AnyModel

#: A path and category, such as "run*.kaon:events", several, or categories by path.
Files: TypeAlias = "StrPath | Iterable[StrPath] | Mapping[StrPath, str]"


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


def iterate(
    files: Files,
    names: str | Iterable[str] | None = None,
    cut: str | None = None,
    step_size: int | str = "100 MB",
    *,
    aliases: Mapping[str, str] | None = None,
    filter_name: Filter = None,
    filter_typename: Filter = None,
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
        A path and category, such as "events.kaon:events", or several; or categories by path.
        Patterns, such as "run*.kaon:events", stand for all files that match them, sorted by name.
    names, cut, step_size, aliases, filter_name, filter_typename, library, how
        As in `Category.iterate`. A piece does not go beyond the end of a file.
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
        If the category is missing; and as `Category.iterate`.
    """
    names = names if names is None or isinstance(names, str) else list(names)
    form = ArrayForm.named(library, how)
    before = 0
    for category in (open_category(path, model) for path in listed_paths(files)):
        query = category._query(names, cut, aliases, filter_name, filter_typename, form)
        for first, last in category._pieces(query, step_size):
            arrays = query.arrays(first, last)
            where = (category.file_path, category.name)
            at = Report(*where, first, last, before + first, before + last)
            yield (arrays, at) if report else arrays
        before += category.num_entries


def concatenate(
    files: Files,
    names: str | Iterable[str] | None = None,
    cut: str | None = None,
    *,
    aliases: Mapping[str, str] | None = None,
    filter_name: Filter = None,
    filter_typename: Filter = None,
    library: Library = "ak",
    how: How = None,
    memory_limit: int | str | None = None,
    model: AnyModel | None = None,
) -> Any:
    """Read the entries of several files as arrays, one behind the other.

    >>> kaon.concatenate("run*.kaon:events", ["Muon", "MET"], "count(Muon) > 1")

    Parameters
    ----------
    files, model
        As in `iterate`.
    names, cut, aliases, filter_name, filter_typename, library, how
        As in `Category.arrays`.
    memory_limit
        What the arrays of one file may take at most.

    Returns
    -------
    ak.Array, FlatArrays, pyarrow.Table, ...
        As `Category.arrays` returns them. Of files that lack a column, a table has nulls.

    Raises
    ------
    UsageError
        If there is no file, or flat arrays are to be of files that do not have the same tables;
        and as `iterate`.
    """
    names = names if names is None or isinstance(names, str) else list(names)
    form = ArrayForm.named(library, how)
    allowed = bytes_allowed(memory_limit)
    parts = []
    for category in (open_category(path, model) for path in listed_paths(files)):
        query = category._query(names, cut, aliases, filter_name, filter_typename, form)
        parts.append(query.read(0, category.num_entries, allowed))
    if not parts:
        raise UsageError("there is no file")
    return query.finished(form.joined(parts))


def listed_paths(files: Files) -> list[StrPath]:
    """Return the path and category of each file, of patterns those of all files that match."""
    if isinstance(files, Mapping):
        paths: Iterable[StrPath] = [f"{os.fspath(path)}:{name}" for path, name in files.items()]
    else:
        paths = [files] if isinstance(files, (str, os.PathLike)) else files
    return [match for path in paths for match in matching_paths(path)]


def open_category(path: StrPath, model: AnyModel | None = None) -> Category:
    """Open the category that a path names.

    Raises
    ------
    UsageError
        If it names none; and as `open`.
    """
    category = open(path, model)
    if not isinstance(category, Category):
        raise no_category(path)
    return category
