"""Columns of consecutive entries, and objects with members in these columns."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from kaon._core import TableKind
from kaon.columns.decorations import Decoration
from kaon.columns.schema import Selection
from kaon.errors import CorruptFileError, UnknownNameError
from kaon.model.objects import Object, Row

if TYPE_CHECKING:
    from kaon.columns.flat import FlatArrays
    from kaon.columns.reading import CategoryReader


class EntryRange:
    """Consecutive entries of a category; each column is read when it is first needed.

    Parameters
    ----------
    first, last
        The first entry, and the entry behind the last.
    """

    def __init__(self, reader: CategoryReader, first: int, last: int) -> None:
        self.reader = reader
        self.first = first
        self.last = last
        self._rows: dict[str, Rows] = {}
        self._columns: dict[str, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return EntryRange, (self.reader, self.first, self.last)

    def __contains__(self, entry: int) -> bool:
        return self.first <= entry < self.last

    def rows(self, collection: str) -> Rows:
        """Return the columns of a collection that the category has."""
        if collection not in self._rows:
            self._rows[collection] = Rows(self, collection)
        return self._rows[collection]

    def column(self, name: str, entry: int) -> Any:
        """Return a column's array or value in one entry; None if it is absent."""
        from kaon.columns.references import attributes

        if name not in self._columns:
            links = attributes(self.reader)
            self._columns[name] = self.reader.column(name, self.first, self.last, links)
        return self._columns[name][entry - self.first]


class Rows:
    """The columns of a collection in consecutive entries, as lists."""

    def __init__(self, entry_range: EntryRange, name: str) -> None:
        self.entry_range = entry_range
        self.name = name
        self._schema = entry_range.reader.schema
        self._reader_id = id(entry_range.reader)
        self._flat: dict[str, FlatArrays] = {}  # by the part of a key before the first dot
        self._values: dict[str, list[Any]] = {}
        self._offsets: dict[tuple[str, int], list[int]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return self.entry_range.rows, (self.name,)

    @cached_property
    def keys(self) -> frozenset[str]:
        """The members that the file has, by the part of their names before the first dot."""
        below = self._schema.keys_below(self.name)
        return frozenset(key[len(self.name) + 1 :].split(".")[0] for key in below)

    def has(self, member: str) -> bool:
        """Return whether the file has a member, as it may have another version of the model."""
        return member in self.keys

    def _load(self, key: str) -> FlatArrays:
        head = key.split(".")[0]
        if head not in self._flat:
            entries, name = self.entry_range, f"{self.name}.{head}" if head else self.name
            self._flat[head] = entries.reader.flat(
                self._schema.select(name), entries.first, entries.last
            )
        return self._flat[head]

    def values(self, key: str, extent: int = 1) -> list[Any]:
        """Return the values of a member, one for each row; lists if `extent` exceeds 1.

        Raises
        ------
        CorruptFileError
            If the file lacks the member, or has another number of values in each row.
        """
        if key not in self._values:
            name = f"{self.name}.{key}"
            arrays = self._load(key)
            if name not in arrays:
                raise CorruptFileError(
                    f"{self._schema.where}: '{name}' is missing, although the file's model has it; "
                    "the file is damaged"
                )
            values = arrays[name]
            if values.size != len(values) * extent:
                raise CorruptFileError(
                    f"{self._schema.where}: '{name}' has {values.size // len(values)} values in a "
                    f"row, but {extent} in the file's model; the file is damaged"
                )
            shape = (len(values), extent) if extent > 1 else len(values)
            self._values[key] = values.reshape(shape).tolist()
        return self._values[key]

    def offsets(self, key: str, depth: int = 0) -> list[int]:
        """Return the begins of the elements of a vector member or relation, row by row.

        Parameters
        ----------
        depth
            The number of lists around the elements, below the object's own list.

        Raises
        ------
        CorruptFileError
            If the file has fewer nested lists.
        """
        if (key, depth) not in self._offsets:
            levels = self._load(key).inner_levels(f"{self.name}.{key}")
            if depth >= len(levels):
                raise CorruptFileError(
                    f"{self._schema.where}: '{self.name}.{key}' lacks the nested lists that it has "
                    "in the file's model; the file is damaged"
                )
            self._offsets[key, depth] = levels[depth].tolist()
        return self._offsets[key, depth]

    @cached_property
    def _counts(self) -> FlatArrays:
        """The collection without its members, as some of these may be unreadable."""
        entries, number = self.entry_range, self._number
        rows = Selection((number,), {number: []})
        return entries.reader.flat(rows, entries.first, entries.last)

    @cached_property
    def begins(self) -> list[int]:
        """The first row of each entry."""
        return self._counts.offsets(self.name).tolist()  # type: ignore[no-any-return]

    @cached_property
    def _present(self) -> list[bool]:
        return self._counts.present(self.name).tolist()  # type: ignore[no-any-return]

    def is_present(self, entry: int) -> bool:
        """Return whether an entry has the collection."""
        return self._present[entry - self.entry_range.first]

    def count(self, entry: int) -> int:
        """Return the number of objects in an entry."""
        place = entry - self.entry_range.first
        return self.begins[place + 1] - self.begins[place]

    @cached_property
    def _number(self) -> int:
        """The number of the collection's table."""
        for number, label in self._schema.labels.items():
            if label == self.name and self._schema.tables[number].kind == TableKind.collection:
                return number
        raise UnknownNameError(f"{self._schema.where}: '{self.name}' is not a collection")

    @property
    def datatype(self) -> str:
        """The datatype of the objects."""
        return self._schema.tables[self._number].type

    def bare_values(self, entry: int) -> np.ndarray:
        """Return a copy of an entry's numbers, for a collection without objects."""
        return np.array(self._load("")[self.name][self._of(entry)])

    def _of(self, entry: int) -> slice:
        begin = self.begins[entry - self.entry_range.first]
        return slice(begin, begin + self.count(entry))

    def decorations(self, entry: int) -> dict[str, Decoration]:
        """Return the decorations of an entry's objects, by name."""
        rows = self._of(entry)
        decorations = {}
        for number in self._schema.below(self._number):
            table = self._schema.tables[number]
            is_decoration = table.kind == TableKind.decoration and table.members
            if is_decoration and not self._schema.is_late_member(number):
                name = self._schema.tail(number)
                arrays = self._load(name)
                keys = {m.name: self._schema.key(number, m.name) for m in table.members}
                values = {member: arrays[key][rows] for member, key in keys.items()}
                missing = {member.name: member.missing for member in table.members}
                decorations[name] = Decoration(table.type, values, missing)
        return decorations

    @cached_property
    def object_class(self) -> type[Object]:
        """The class of the objects."""
        return self.entry_range.reader.models.datatype(self.datatype)

    def object(self, entry: int, index: int) -> Object:
        """Return an object of an entry."""
        return self._object(entry, index, self.begins[entry - self.entry_range.first] + index)

    def objects(self, entry: int, indices: range) -> Iterator[Object]:
        """Yield objects of an entry."""
        begin = self.begins[entry - self.entry_range.first]
        for index in indices:
            yield self._object(entry, index, begin + index)

    def _object(self, entry: int, index: int, at: int) -> Object:
        place = (self._reader_id, self.name, entry, index)
        return self.object_class._of_file(Row(self, at, place))

    def target(self, number: int, index: int, row: int) -> Object:
        """Return the object that a reference in a row leads to.

        Raises
        ------
        CorruptFileError
            If the object does not exist.
        """
        entry = self.entry_range.first + bisect_right(self.begins, row) - 1
        tables = self._schema.tables
        if number < len(tables) and tables[number].kind == TableKind.collection:
            rows = self.entry_range.rows(self._schema.labels[number])
            if index < rows.count(entry):
                return rows.object(entry, index)
        raise CorruptFileError(
            f"{self._schema.where}: in entry {entry}, an object of '{self.name}' refers to an "
            "object that does not exist; the file is damaged"
        )
