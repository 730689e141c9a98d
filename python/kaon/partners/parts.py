"""Parts of many files, each a task. Planning them opens only one file."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kaon.errors import FileError, MissingFileError, UsageError
from kaon.files.category import Category
from kaon.files.chain import Files, listed_paths, open_category
from kaon.files.distant import is_url
from kaon.files.paths import split_path

if TYPE_CHECKING:
    from kaon.model.datamodel import AnyModel

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
    """

    path: str
    number: int
    count: int
    model: Any = None
    sample: str = ""

    def open(self) -> Category:
        """Open the file; raise as `kaon.open`."""
        return open_category(self.path, self.model)

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
        The parts of all files.
    """

    example: Category
    parts: tuple[Part, ...]

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)


def planned(
    files: Files,
    step_size: int | str = STEP_SIZE,
    names: str | Iterable[str] | None = None,
    model: AnyModel | None = None,
) -> Plan:
    """Plan parts of about `step_size` entries, and at least a cluster each.

    Only the largest file is opened. The number of parts of other files follows from their sizes;
    distant files are assumed to be as large as the largest one.

    Parameters
    ----------
    files
        As in `kaon.iterate`.
    step_size
        The number of entries, or the size in memory of the named columns, such as "100 MB".
    names
        The stored columns; None for all.

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
    sizes = _sizes(paths)
    largest = max(range(len(paths)), key=lambda number: sizes[number] or 0)
    form = None if model is None else _sendable(model)
    example = open_category(paths[largest], form)
    stored = None if names is None else [name for name in _listed(names) if name in example]
    step = example._entries_per_step(step_size, example._schema.select(stored))
    shares = min(example.num_entries / step, len(example.clusters()))
    parts = []
    for path, size in zip(paths, sizes, strict=True):
        likeness = 1.0 if size is None else size / max(sizes[largest] or 1, 1)
        count = max(1, math.ceil(shares * likeness))
        parts += [Part(path, number, count, form) for number in range(count)]
    return Plan(example, tuple(parts))


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


def _sizes(paths: Iterable[str]) -> list[int | None]:
    """Return the sizes of files; None for distant files."""
    return [_size(split_path(path)[0]) for path in paths]


def _size(path: str) -> int | None:
    if is_url(path):
        return None
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
