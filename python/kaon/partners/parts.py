"""Parts of many files, each a task. Planning them opens as few files as possible."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias

from kaon import _core
from kaon.errors import FileError, MissingFileError, UsageError
from kaon.files.bad_files import BadFiles, OnBadFile, joinable
from kaon.files.category import Category
from kaon.files.chain import Files, listed_paths, open_category
from kaon.files.common_tables import common_tables, with_tables
from kaon.files.distant import is_url
from kaon.files.paths import StrPath, split_path
from kaon.files.requests import Request

if TYPE_CHECKING:
    from kaon.model.datamodel import AnyModel

_Sized: TypeAlias = "tuple[str, int | None]"
"""A path, and the file's size; None for distant files."""

_Opened: TypeAlias = "tuple[Category, int | None]"

STEP_SIZE = 100_000
"""The default number of entries in a part, approximately."""


@dataclass(frozen=True)
class Part:
    """A share of a file's entries, small to send to other machines, which open the file.

    Shares begin at clusters, so that no data are read twice. The entries of a share are known only
    after opening the file.

    Attributes
    ----------
    path
        The file and its category, such as "/data/run1.kaon:events".
    number, count
        The number of the share, from 0, and the number of shares of the file.
    model
        The data model that the file is read with, as in `kaon.open`; None for the file's own.
    sample
        The label of the part's files; "" if they have no label.
    like
        Files with other optionals, which the part's file gets, too.
    """

    path: str
    number: int
    count: int
    model: Any = None
    sample: str = ""
    like: tuple[str, ...] = ()

    def open(self) -> Category:
        """Open the file; raise as `kaon.open`."""
        return with_tables(open_category(self.path, self.model), _tables_of(self.like))

    def entries(self, category: Category) -> range:
        """Return the part's entries in the opened category."""
        begins = [first for first, _ in category.clusters()]
        return range(self._begin(self.number, category, begins), self._end(category, begins))

    def _end(self, category: Category, begins: Sequence[int]) -> int:
        return self._begin(self.number + 1, category, begins)

    def _begin(self, number: int, category: Category, begins: Sequence[int]) -> int:
        """Return the first entry of a share: the begin of the cluster at its position."""
        entry = category.num_entries * number // self.count
        if number == self.count:
            return entry
        return max((begin for begin in begins if begin <= entry), default=0)

    def __str__(self) -> str:
        return f"{self.path}, part {self.number + 1} of {self.count}"


@dataclass(frozen=True)
class Plan:
    """The parts of files, in order.

    Attributes
    ----------
    example
        The largest file, which was opened; the number of parts of others is estimated from it.
    parts
        The parts of all good files.
    request
        The columns that each file must have; None if the function of the parts decides.
    bad
        The files that were left out.
    opened
        One file for each set of requested columns; empty if files are opened only when they are
        read.
    """

    example: Category
    parts: tuple[Part, ...]
    request: Request | None
    bad: BadFiles
    opened: tuple[Category, ...] = ()

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)


def planned(
    files: Files,
    step_size: int | str = STEP_SIZE,
    names: str | Iterable[str] | None = None,
    model: AnyModel | None = None,
    *,
    on_bad_file: OnBadFile = "raise",
    request: Request | None = None,
    has_fixed_columns: bool = False,
) -> Plan:
    """Plan parts of about `step_size` entries, and at least a cluster each.

    Only the largest file is opened, unless bad files are left out, missing columns are None, or
    files may differ in optionals: see `kaon.files.common_tables`. The
    number of parts of other files follows from their sizes; distant files are assumed to be as
    large as the largest one.

    Parameters
    ----------
    files
        As in `kaon.iterate`.
    step_size
        The number of entries, or the size in memory of the named columns, such as "100 MB".
    names
        The stored columns, if there is no request; None for all.
    on_bad_file
        The treatment of files that cannot be opened, or lack the category, all columns of the
        first file, or requested columns.
    request
        The columns that each file must have.
    has_fixed_columns
        Whether a request without names means the columns of the largest file.

    Raises
    ------
    MissingFileError
        If a file does not exist.
    UsageError
        If there are no files, a file has several categories and none is named, or the step is
        invalid.
    """
    paths = [_whole_path(path) for path in listed_paths(files)]
    if not paths:
        raise UsageError("no files are given")
    names = request.names if request else names
    form = None if model is None else _sendable(model)
    bad = BadFiles(on_bad_file)
    sizes = _sizes(paths, bad)
    if bad.are_left_out and names is None:
        reference = _Reference()
        _checked(sizes, form, bad, reference)
        sizes = _checked(sizes, form, bad, partial(joinable, reference=reference.category))
    example, largest = _largest(sizes, form, bad)
    like = _with_other_optionals([path for path, _ in sizes], form)
    tables = _tables_of(like)
    example = with_tables(example, tables)
    if request and request.names is None and has_fixed_columns:
        request = replace(request, names=(*example.keys(), *(request.aliases or ())))
    opened: dict[tuple[str, ...], Category] = {}
    if request and (bad.are_left_out or request.missing == "none"):
        sizes = _checked(sizes, form, bad, partial(_request, request, opened, tables))
    bad.sort(split_path(path)[0] for path in paths)
    stored = None if names is None else [name for name in _listed(names) if name in example]
    step = example._entries_per_step(step_size, example._schema.select(stored))
    shares = min(example.num_entries / step, len(example.clusters()))
    parts = []
    for path, size in sizes:
        relative_size = 1.0 if size is None else size / max(largest or 1, 1)
        count = max(1, math.ceil(shares * relative_size))
        parts += [Part(path, number, count, form, like=like) for number in range(count)]
    return Plan(example, tuple(parts), request, bad, tuple(opened.values()))


def _largest(sizes: Sequence[_Sized], model: AnyModel | None, bad: BadFiles) -> _Opened:
    """Return the largest file that can be opened, and its size."""
    for path, size in sorted(sizes, key=lambda each: each[1] or 0, reverse=True):
        category = bad.try_file(split_path(path)[0], partial(open_category, path, model))
        if category is not None:
            return category, size
    raise bad.first_error


def _checked(
    sizes: Sequence[_Sized],
    model: AnyModel | None,
    bad: BadFiles,
    check: Callable[[Category], object],
) -> list[_Sized]:
    """Return the files for which a check does not raise, with their sizes."""
    good = []
    for path, size in sizes:
        file = split_path(path)[0]
        category = bad.try_file(file, partial(open_category, path, model))
        if category is None:
            continue
        checked = bad.try_file(file, partial(check, category), category.num_entries)
        if checked is not None:
            good.append((path, size))
    if not good:
        raise bad.first_error
    return good


class _Reference:
    """Finds the first file whose entries have values."""

    def __init__(self) -> None:
        self.category: Category | None = None

    def __call__(self, category: Category) -> Category:
        if self.category is None and category._core.has_values():
            self.category = category
        return category


def _with_other_optionals(paths: Sequence[str], model: AnyModel | None) -> tuple[str, ...]:
    """Return a file with each of the different tables; empty if files have the same optionals."""
    different: dict[tuple[str, ...], str] = {}

    def opened(path: StrPath) -> Category:
        category = open_category(path, model)
        members = [member.name for table in category._schema.tables for member in table.members]
        different.setdefault((*category.tables, *members), os.fspath(path))
        return category

    return () if common_tables(paths, opened) is None else tuple(different.values())


def _tables_of(paths: tuple[str, ...]) -> _core.CommonTables | None:
    """Return tables that suit some files; None without files."""
    if not paths:
        return None
    return _kept_tables(tuple((path, os.path.getmtime(split_path(path)[0])) for path in paths))


@lru_cache(maxsize=8)
def _kept_tables(files: tuple[tuple[str, float], ...]) -> _core.CommonTables:
    tables = _core.CommonTables()
    for path, _ in files:
        tables.add(open_category(path)._core)
    return tables


def _request(
    request: Request,
    opened: dict[tuple[str, ...], Category],
    tables: _core.CommonTables | None,
    category: Category,
) -> bool:
    """Check that a category has the requested columns; keep one of each set of present columns."""
    category = with_tables(category, tables)
    request.query(category)
    if request.missing == "none":
        opened.setdefault(tuple(request.present_in(category)), category)
    return True


def other_types(where: str, example: str) -> UsageError:
    """Return the error for a file whose columns have other types than those of the example."""
    return UsageError(
        f"{where}: columns have other types than those of {example}; name common columns with "
        "`names=`, or read all files as one version with `model=`"
    )


def _listed(names: str | Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _whole_path(path: str | os.PathLike[str]) -> str:
    """Return an absolute path, or the URL."""
    file, category = split_path(path)
    whole = file if is_url(file) else os.path.abspath(file)
    return f"{whole}:{category}" if category else whole


def _sizes(paths: Iterable[str], bad: BadFiles) -> list[_Sized]:
    """Return the paths of existing files with their sizes; None for distant files."""
    sizes: list[_Sized] = []
    for path in paths:
        file = split_path(path)[0]
        size = None if is_url(file) else bad.try_file(file, partial(_size, file))
        if size is not None or is_url(file):
            sizes.append((path, size))
    if not sizes:
        raise bad.first_error
    return sizes


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except FileNotFoundError:
        raise MissingFileError(f"{path}: the file does not exist") from None
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from error


def _sendable(model: AnyModel) -> dict[str, Any]:
    """Return a data model as plain values."""
    from kaon.model.datamodel import model_description

    return dict(model_description(model).to_dict())
