"""Several files, read one after another like one."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from kaon import _core
from kaon.errors import UsageError, WrongTypeError
from kaon.files.array_forms import ArrayForm, How, Library
from kaon.files.bad_files import BadFile, BadFiles, OnBadFile, joinable
from kaon.files.category import Category
from kaon.files.common_tables import common_tables, with_tables
from kaon.files.file import File, main_category, open
from kaon.files.filters import Filter
from kaon.files.memory_sizes import bytes_allowed
from kaon.files.paths import StrPath, matching_paths, several, split_path
from kaon.files.queries import Query, Reading
from kaon.files.requests import Example, Missing, Request

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
    on_bad_file: OnBadFile = "raise",
    missing: Missing = "error",
) -> Pieces:
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
        opened, except to find optionals: see `docs/tables.md`.
    report
        Whether each piece comes with a `Report` of its file and entries.
    model
        As in `open`: files of all versions of the model are read with this one.
    on_bad_file
        The treatment of a file that cannot be opened, or lacks the category or a named column.
        "raise" raises its error, "skip" leaves it out with a warning, and "report" without one.
        If all files are bad, the first error is raised. Damage that shows only when data are
        decoded always raises.
    missing
        "none": in files that lack a named column, it is None. The first file must have it.

    Returns
    -------
    Pieces
        An iterator over the pieces, in the form of `Category.arrays`, each in a pair with a Report
        if `report` is true. Its ``bad_files`` are the files that were left out so far.

    Raises
    ------
    MissingFileError
        If a file does not exist.
    UsageError
        If there are no files, or a file has several categories and none is named; and in the cases
        of `Category.iterate`.
    """
    form = ArrayForm.named(library, how)
    request = Request(_kept(expressions), cut, aliases, form, filter_name, filter_typename, missing)
    chain = _Chain(files, request, model, BadFiles(on_bad_file))
    return Pieces(chain, chain.pieces(step_size, entry_start, entry_stop, report))


class Pieces(Iterator[Any]):
    """An iterator over pieces of files: see `kaon.iterate`."""

    def __init__(self, chain: _Chain, pieces: Iterator[Any]) -> None:
        self._chain = chain
        self._pieces = pieces

    def __next__(self) -> Any:
        return next(self._pieces)

    @property
    def bad_files(self) -> tuple[BadFile, ...]:
        """The files that were left out so far."""
        return self._chain.bad.files


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
    on_bad_file: OnBadFile = "raise",
    missing: Missing = "error",
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
    on_bad_file
        As in `iterate`. If no columns are named, a file is bad if its entries lack all columns of
        the first file with values.
    missing
        "none": in files that lack a named column, it is None. Some file must have it.

    Returns
    -------
    ak.Array, FlatArrays, pyarrow.Table, ...
        As `Category.arrays` returns them; with ``on_bad_file="report"``, a pair of it and a tuple
        of the bad files, each a ``kaon.results.BadFile``. Without names, columns that a file lacks
        are None in its entries. Numbers get a type that holds those of all files: uint64 and int64
        become int64.

    Raises
    ------
    UsageError
        If flat arrays are requested and a file lacks a column of others; and in the cases of
        `iterate`.
    WrongTypeError
        If no type holds the numbers of all files without rounding.
    """
    form = ArrayForm.named(library, how)
    request = Request(_kept(expressions), cut, aliases, form, filter_name, filter_typename, missing)
    allowed = bytes_allowed(memory_limit)
    chain = _Chain(files, request, model, BadFiles(on_bad_file), must_share_columns=True)
    queries, parts = [], []
    for each in chain.ranges(entry_start, entry_stop):
        reading = Reading(each.query)
        parts.append(request.read(reading, each.start, each.stop, allowed))
        queries.append(reading.query)
    if missing == "none" and chain.first is not None:
        request.check_names([query.names or () for query in queries], chain.first)
    return chain.bad.with_result(request.joined(queries, parts))


def _kept(names: str | Iterable[str] | None) -> str | list[str] | None:
    """Return names that can be iterated once for each file."""
    return names if names is None or isinstance(names, str) else list(names)


class _Range(NamedTuple):
    """Entries of a file that are read, and the number of entries before the file."""

    category: Category
    query: Query
    before: int
    start: int
    stop: int


class _Chain:
    """The files of a request; bad ones may be left out.

    Parameters
    ----------
    must_share_columns
        Whether each file must have columns of the first one with values, unless columns are named.
    """

    def __init__(
        self,
        files: Files,
        request: Request,
        model: AnyModel | None,
        bad: BadFiles,
        must_share_columns: bool = False,
    ) -> None:
        self.paths = listed_paths(files)
        if not self.paths:
            raise UsageError("no files are given")
        self.request = request
        self.bad = bad
        self._model = model
        self._must_share_columns = must_share_columns and request.names is None
        self._tables: _core.CommonTables | None = None
        self._reference: Category | None = None  # the first file with values
        self.first: Category | None = None

    def pieces(
        self, step_size: int | str, start: int | None, stop: int | None, report: bool
    ) -> Iterator[Any]:
        """Yield pieces of the entries, each with its report if it is wanted."""
        example: Example | None = None
        for category, query, before, begin, end in self.ranges(start, stop):
            reading = Reading(query)
            if example is None and self.request.missing == "none":
                example = self.request.example_of([category])
            for at, last in category._pieces(query, step_size, begin, end):
                data = self.request.read(reading, at, last)
                arrays = (
                    self.request.like(example, data) if example else reading.query.finished(data)
                )
                yield (arrays, category._report(at, last, before)) if report else arrays

    def ranges(self, start: int | None, stop: int | None) -> Iterator[_Range]:
        """Yield the range of each file.

        The first good file is always yielded, others only if the range includes some of their
        entries. Entries of a file that lacks named columns are counted, those of other bad files
        are not.

        Raises
        ------
        Error
            The error of the first file if all files are bad.
        """
        self._tables = common_tables(
            self.paths, lambda path: open_category(os.fspath(path), self._model)
        )
        if self.bad.are_left_out and self._must_share_columns:
            opened = map(self._opened, self.paths)
            self._reference = next((file for file in opened if _has_values(file)), None)
        wanted = slice(*(None if at is None else operator.index(at) for at in (start, stop)))
        if (wanted.start or 0) < 0 or (wanted.stop or 0) < 0:
            categories = map(self._open, self.paths)
            entries = sum(0 if each is None else each.num_entries for each in categories)
            wanted = slice(*wanted.indices(entries)[:2])
        first = wanted.start or 0
        if wanted.stop is not None and wanted.stop < first:
            raise UsageError(f"entry_start ({start}) must not exceed entry_stop ({stop})")
        before, is_first = 0, True
        for path in self.paths:
            if not is_first and wanted.stop is not None and wanted.stop <= before:
                return
            category = self._open(path)
            if category is None:
                continue
            entries = category.num_entries
            last = entries if wanted.stop is None else min(wanted.stop - before, entries)
            begin = min(max(first - before, 0), last)
            if is_first or begin < last:
                query = self._query(path, category)
                if query is not None:
                    self.first, is_first = self.first or category, False
                    yield _Range(category, query, before, begin, last)
            before += entries
        if is_first:
            raise self.bad.first_error

    def _open(self, path: StrPath) -> Category | None:
        category = self._opened(path)
        if category is None or not self._must_share_columns:
            return category
        if self._reference is None and category._core.has_values():
            self._reference = category
            if self.first is not None:
                joinable(self.first, category)
        check = partial(joinable, category, self._reference)
        return self.bad.try_file(_file_of(path), check, category.num_entries)

    def _opened(self, path: StrPath) -> Category | None:
        def work() -> Category:
            return with_tables(open_category(os.fspath(path), self._model), self._tables)

        return self.bad.try_file(_file_of(path), work)

    def _query(self, path: StrPath, category: Category) -> Query | None:
        query = partial(self.request.query, category)
        return self.bad.try_file(_file_of(path), query, category.num_entries)


def _has_values(category: Category | None) -> bool:
    return category is not None and category._core.has_values()


def _file_of(path: StrPath) -> str:
    return os.fspath(split_path(path)[0])


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
