"""Objects that were read and are written: the new targets of references to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from awkward.contents import Content, RecordArray

from kaon.columns.awkward_layouts import members_of, present_and_content
from kaon.columns.records import SELF
from kaon.columns.references import is_whole_reference, names_and_codes, numbers_of


@dataclass(frozen=True)
class ReadReferences:
    """Whole references, in columns.

    Attributes
    ----------
    at
        The entry of each reference, counted from the first one that is written.
    entry, index, file, collection
        The target of each reference in the files that were read. Collections are numbers in
        `names`, or -1.
    """

    at: np.ndarray
    entry: np.ndarray
    index: np.ndarray
    file: np.ndarray
    collection: np.ndarray
    names: tuple[str, ...]

    @classmethod
    def of(cls, records: Content, at: np.ndarray) -> ReadReferences:
        """Return the references in records without missing ones."""
        names, codes = names_and_codes(records["collection"])
        entry, index, file = (numbers_of(records, name) for name in ("entry", "index", "file"))
        unique = tuple(dict.fromkeys(names))
        return cls(at, entry, index, file, _renumbered(codes, names, unique), unique)

    def taken(self, places: np.ndarray) -> ReadReferences:
        """Return some of the references."""
        columns = (self.at, self.entry, self.index, self.file, self.collection)
        at, entry, index, file, collection = (column[places] for column in columns)
        return ReadReferences(at, entry, index, file, collection, self.names)

    def is_of(self, name: str) -> np.ndarray:
        """Return which references lead to the collection of this former name."""
        if name not in self.names:
            return np.zeros(len(self.index), dtype=bool)
        is_of: np.ndarray = self.collection == self.names.index(name)
        return is_of


class KnownObjects:
    """The objects of a collection that is written, with references to their former selves.

    Parameters
    ----------
    offsets
        The first object of each entry.
    own
        For each, a whole reference to itself; None for those that were not read.
    """

    def __init__(self, offsets: np.ndarray, own: Content) -> None:
        present, content = present_and_content(own)
        at = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        self._offsets = offsets
        self._rows = np.arange(len(at)) if present is None else np.flatnonzero(present)
        self._own = ReadReferences.of(content, at[self._rows])

    def positions(self, wanted: ReadReferences) -> np.ndarray:
        """Return for each reference the number of its object in the entry, or -1."""
        own, names = self._own, tuple(dict.fromkeys((*self._own.names, *wanted.names)))
        wanted_names = _renumbered(wanted.collection, wanted.names, names)
        if self._unmoved is not None:
            entry, file = self._unmoved
            is_here = wanted_names == own.collection[0]  # `names` begins with the objects' own
            is_here &= (entry[wanted.at] == wanted.entry) & (file[wanted.at] == wanted.file)
            is_here &= wanted.index < np.diff(self._offsets)[wanted.at]
            return np.where(is_here, wanted.index, -1)
        pairs = [
            (own.index, wanted.index),
            (own.collection, wanted_names),
            (own.entry, wanted.entry),
            (own.file, wanted.file),
            (own.at, wanted.at),
        ]
        numbers = _numbered([np.concatenate(pair) for pair in pairs])
        rows = np.full(len(numbers), -1, dtype=np.int64)
        known = len(self._rows)
        rows[numbers[:known][::-1]] = self._rows[::-1]  # of copies of an object, the first
        places = rows[numbers[known:]]
        return np.where(places < 0, -1, places - self._offsets[wanted.at])

    @cached_property
    def _unmoved(self) -> tuple[np.ndarray, np.ndarray] | None:
        """The original entry and file of each entry's objects, if they kept their order."""
        own, offsets = self._own, self._offsets
        counts = np.diff(offsets)
        has_any = counts > 0
        if len(own.at) != offsets[-1] or not has_any.any():
            return None
        first = offsets[:-1][has_any]
        entry, file = (np.zeros(len(counts), dtype=np.int64) for _ in range(2))
        entry[has_any], file[has_any] = own.entry[first], own.file[first]
        is_unmoved = (
            (own.collection == own.collection[0]).all()
            and (own.index == np.arange(offsets[-1]) - offsets[own.at]).all()
            and (own.entry == entry[own.at]).all()
            and (own.file == file[own.at]).all()
        )
        return (entry, file) if is_unmoved else None


def own_references(layout: Content) -> Content | None:
    """Return the objects' references to themselves, in the same lists; None without them."""
    if layout.is_union or SELF not in layout.fields:
        return None
    own = layout[SELF]
    return own if is_whole_reference(own.fields) else None


def without_self(layout: Content) -> Content:
    """Return objects without their references to themselves."""
    if not layout.is_record:
        return layout.copy(content=without_self(layout.content))
    members = members_of(layout)
    members.pop(SELF, None)
    return RecordArray(
        list(members.values()), list(members), length=layout.length, parameters=layout.parameters
    )


def _renumbered(codes: np.ndarray, names: Iterable[str], known: Iterable[str]) -> np.ndarray:
    """Return numbers of names as their numbers in a longer list; -1 stays."""
    numbers: Mapping[str, int] = {name: number for number, name in enumerate(known)}
    longer = np.array([*(numbers[name] for name in names), -1], dtype=np.int64)
    return np.take(longer, codes)


def _numbered(columns: list[np.ndarray]) -> np.ndarray:
    """Return a number for each row of some columns, equal for equal rows."""
    order = np.lexsort(columns)
    is_new = np.zeros(len(order), dtype=bool)
    for column in columns:
        ordered = column[order]
        is_new[1:] |= ordered[1:] != ordered[:-1]
    numbers = np.empty(len(order), dtype=np.int64)
    numbers[order] = np.cumsum(is_new)
    return numbers
