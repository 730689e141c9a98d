"""Reading the columns of a category's entries as arrays."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from kaon import _core
from kaon.columns.schema import Schema, Selection
from kaon.columns.trace import is_recorded, note_read
from kaon.errors import UsageError, WrongTypeError

if TYPE_CHECKING:
    import awkward as ak

    from kaon.columns.flat import FlatArrays
    from kaon.model.file_models import Models


class FilePlace(Protocol):
    """The place of a file: small, and fit for pickling."""

    @property
    def path(self) -> str:
        """The path or URL of the file, independent of the current folder."""

    @property
    def models(self) -> Mapping[str, str]:
        """The models to read the file with, in JSON; empty for the models that it carries."""

    def open(self) -> _core.File:
        """Open the file."""

    def reader(self, category: str) -> CategoryReader:
        """Open the file; return the reader of a category."""


def sendable(place: FilePlace | None, path: str) -> FilePlace:
    """Return the place from which other processes open a file; raise if it has none."""
    if place is None:
        raise WrongTypeError(
            f"{path}: cannot be pickled, because other processes need the path of a file: open the "
            "file by its path"
        )
    return place


class CategoryReader:
    """Reads entries of a category. It keeps the file open. Any thread may use it.

    Attributes
    ----------
    core
        The category in C++.
    file
        The file in C++.
    models
        The models that the file carries.
    place
        The place from which other processes open the file, if it was opened by a path.
    schema
        The category's tables and their names.
    """

    def __init__(
        self,
        core: _core.Category,
        file: _core.File,
        models: Models,
        place: FilePlace | None = None,
    ) -> None:
        self.core = core
        self.file = file
        self.models = models
        self.place = place
        self.schema = Schema(core, models)

    @property
    def where(self) -> str:
        """The file and category, for messages."""
        return self.schema.where

    @property
    def name(self) -> str:
        """The category's name."""
        return self.where.removeprefix(f"{self.file.name}:")

    def entry_range(self, start: int | None, stop: int | None) -> tuple[int, int]:
        """Return the first entry of a range, given as in slices, and the entry behind its last."""
        try:
            wanted = slice(*(None if at is None else operator.index(at) for at in (start, stop)))
        except TypeError:
            raise WrongTypeError(
                f"{self.where}: entry numbers must be integers, not {start!r} to {stop!r}"
            ) from None
        first, last, _ = wanted.indices(self.core.entries)
        if first > last:
            raise UsageError(
                f"{self.where}: entry_start ({start}) must not exceed entry_stop ({stop})"
            )
        return first, last

    @cached_property
    def origin(self) -> int:
        """A number that tells the category from those of all other files.

        The number is the same each time the file is opened.
        """
        import hashlib  # slow, because of OpenSSL

        category = self.where.removeprefix(self.file.name)
        text = f"{self.file.id or self.file.name}{category}"
        digest = hashlib.blake2b(text.encode(errors="surrogateescape"), digest_size=6).digest()
        return int.from_bytes(digest, "little")

    def __reduce__(self) -> tuple[Any, ...]:
        return _reader_at, (sendable(self.place, self.file.name), self.name)

    def flat(
        self, selection: Selection, first: int, last: int, memory_limit: int = 0
    ) -> FlatArrays:
        """Return a selection of the entries from `first` to the one before `last`.

        Parameters
        ----------
        memory_limit
            The largest size of the values in bytes; 0 for no limit.

        Raises
        ------
        MemoryLimitError
            If they would need more.
        CorruptFileError
            If the file is damaged.
        """
        from kaon.columns.flat import FlatArrays

        data = self._read(selection, first, last, memory_limit)
        return FlatArrays(self.schema, selection, data)

    def records(
        self,
        selection: Selection,
        first: int,
        last: int,
        attributes: Mapping[str, Any] | None = None,
        memory_limit: int = 0,
        keeps_options: bool = False,
    ) -> ak.Array:
        """Return a selection as Awkward records, one for each entry.

        Parameters
        ----------
        attributes
            The attributes of the array.
        memory_limit
            As in `flat`.
        keeps_options
            Whether everything that can be absent is optional, even if it is always present.
        """
        from kaon.columns.records import relation_members, to_records

        needed = relation_members(self.schema, selection)
        read = self._read(needed, first, last, memory_limit)
        entries = range(first, last)
        return to_records(
            self.schema, selection, read, entries, self.origin, attributes or {}, keeps_options
        )

    def _read(
        self, selection: Selection, first: int, last: int, memory_limit: int
    ) -> dict[int, _core.TableArrays]:
        if is_recorded():
            self.note(self.schema.keys_of(selection), first, last)
        return self.core.read(selection.members, first, last, memory_limit)

    def note(self, keys: Sequence[str], first: int, last: int) -> None:
        """Record that members are read, if reads are recorded."""
        note_read(self.file.name, self.name, keys, first, last)

    def column(
        self,
        name: str,
        first: int,
        last: int,
        attributes: Mapping[str, Any] | None = None,
        memory_limit: int = 0,
    ) -> ak.Array:
        """Return the column of this name, as in the fields of the records.

        Raises
        ------
        UnknownNameError
            If the name does not exist.
        """
        selection = self.schema.select(name)
        return column_in(self.records(selection, first, last, attributes, memory_limit), name)


def _reader_at(place: FilePlace, category: str) -> CategoryReader:
    """Open a category that was pickled in another process."""
    return place.reader(category)


def column_in(records: ak.Array, name: str) -> ak.Array:
    """Return the column of this name: a field of records, or a field inside."""
    same = [each for each in records.fields if each.replace(".", "_") == name.replace(".", "_")]
    if same:  # "MET_pt" for "MET.pt"
        return records[name if name in same else same[0]]
    above = [label for label in records.fields if name.startswith((f"{label}.", f"{label}_"))]
    if not above:  # parameters may have dots in their names
        below = [label for label in records.fields if label.startswith(f"{name}.")]
        return records[below[0]] if len(below) == 1 else records[below]
    label = max(above, key=len)
    values = records[label]
    for part in name[len(label) + 1 :].split("."):
        if part != "value" or part in values.fields:  # else of an optional, now an array
            values = values[part]
    return values
