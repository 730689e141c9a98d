"""Relations to write, as numbers of objects and of their tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from awkward.contents import Content

from kaon import _core
from kaon.columns.awkward_layouts import numbers, present_and_content
from kaon.columns.records import SELF
from kaon.columns.references import is_whole_reference, names_and_codes
from kaon.errors import UnknownNameError, UsageError, WrongTypeError
from kaon.writing.known_objects import KnownObjects, ReadReferences

if TYPE_CHECKING:
    from kaon.modelgen.model import Relation
    from kaon.writing.category_tables import CategoryTables


@dataclass(frozen=True)
class Targets:
    """The possible targets of relations in entries that are written.

    Attributes
    ----------
    category
        The tables of the category.
    offsets
        The first object of each entry, by collection.
    objects
        The objects with known origin, by collection.
    """

    category: CategoryTables
    offsets: Mapping[str, np.ndarray]
    objects: Mapping[str, KnownObjects]


class RelationNumbers:
    """Turns a relation into numbers of objects and of the tables that they are in.

    Parameters
    ----------
    The number of references in each entry.
        How many references there are in each entry.
    """

    def __init__(
        self, targets: Targets, relation: Relation, where: str, counts: np.ndarray
    ) -> None:
        self.targets = targets
        self.category = targets.category
        self.relation = relation
        self.where = where
        self.counts = counts
        self.names = targets.category.targets(relation)

    def members(self, layout: Content | None, rows: int) -> dict[int, np.ndarray]:
        """Return the members of the relation's table: the indices, and the numbers of tables."""
        index = np.full(rows, -1, dtype=np.int32)
        collection = np.zeros(rows, dtype=np.uint32)
        if layout is not None:
            present, content = present_and_content(layout)
            places = np.arange(rows) if present is None else np.flatnonzero(present)
            if content.is_record and is_whole_reference(content.fields):
                at = np.repeat(np.arange(len(self.counts)), self.counts)[places]
                index[places], collection[places] = self._moved(ReadReferences.of(content, at))
            elif content.is_record:
                index[places], collection[places] = self._named(content)
            else:
                index[places] = self._index(content)
                if (index >= 0).any():
                    collection[index >= 0] = self._number(self._only_collection())
        self._check_given(index, collection)
        return {0: index, 1: collection}

    def _named(self, records: Content) -> tuple[np.ndarray, np.ndarray]:
        """Return index and table of references that give the present places of objects."""
        if sorted(records.fields) != ["collection", "index"]:
            raise UsageError(
                f"'{self.where}' needs indices, records of index and collection, or references "
                f"as they were read, not records of {', '.join(records.fields)}"
            )
        index = self._index(records.content("index"))
        names, codes = names_and_codes(records.content("collection"))
        tables = np.zeros(len(index), dtype=np.uint32)
        is_set = index >= 0
        for code in np.unique(codes[is_set]):
            if code < 0:
                raise WrongTypeError(f"'{self.where}' needs the names of collections, not None")
            tables[is_set & (codes == code)] = self._number(names[code])
        return index, tables

    def _moved(self, read: ReadReferences) -> tuple[np.ndarray, np.ndarray]:
        """Return index and table of references that were read, to the objects' new places."""
        index = np.full(len(read.index), -1, dtype=np.int32)
        tables = np.zeros(len(read.index), dtype=np.uint32)
        is_lost = read.index >= 0
        known = [name for name in self.names if name in self.targets.objects]
        # If several collections have the object, the one with its former name comes first.
        for name, only_its_own in [(name, own) for own in (True, False) for name in known]:
            candidates = np.flatnonzero(is_lost & read.is_of(name) if only_its_own else is_lost)
            if len(candidates) == 0:
                continue
            positions = self.targets.objects[name].positions(read.taken(candidates))
            is_there = candidates[positions >= 0]
            index[is_there] = positions[positions >= 0]
            tables[is_there] = self.category.number(name)
            is_lost[is_there] = False
        if is_lost.any():
            self._check_lost(read.taken(np.flatnonzero(is_lost)))
        return index, tables

    def _check_lost(self, lost: ReadReferences) -> None:
        """Check that references to objects that are not written may become empty."""
        for name in self.names:
            is_unknown = name not in self.targets.objects and self.targets.offsets[name][-1] > 0
            if is_unknown and lost.is_of(name).any():
                raise UsageError(
                    f"'{self.where}' refers to objects of '{name}' in its original file. Finding "
                    f"them in the present '{name}' needs their field '{SELF}'. "
                    "`arrays` adds it to objects that are read together with "
                    "relations; or give references as records of index and collection only"
                )
        if self.category.options.lost_references == "error":
            name = lost.names[lost.collection[0]] if lost.collection[0] >= 0 else "None"
            raise UsageError(
                f"'{self.where}' refers, in entry {lost.at[0]} of those given, to an object that "
                f"is not written: number {lost.index[0]} of '{name}' in entry {lost.entry[0]} of "
                "its file. Write it, too, or make these references empty with "
                '`lost_references="none"`'
            )

    def _index(self, layout: Content) -> np.ndarray:
        present, content = present_and_content(layout)
        values = numbers(content, np.dtype(np.int32), None, self.where)
        if present is None:
            return values
        index = np.full(len(present), -1, dtype=np.int32)
        index[present] = values
        return index

    def _only_collection(self) -> str:
        if len(self.names) == 1:
            return self.names[0]
        subject = f"{', '.join(self.names)} are" if self.names else "none is"
        raise UsageError(
            f"'{self.where}' refers to a collection of {self.relation.type}, "
            f"but {subject} written"
            + (": give records of index and collection" if self.names else "")
        )

    def _number(self, name: str) -> int:
        if name not in self.names:
            hint = _core.suggestion(name, self.names)
            raise UnknownNameError(
                f"'{self.where}' refers to '{name}', which is not a written "
                f"collection of {self.relation.type}{hint}"
            )
        return self.category.number(name)

    def _check_given(self, index: np.ndarray, collection: np.ndarray) -> None:
        """Check that references lead to collections that have objects in their entries.

        Files may have other references, which lead nowhere. The writer checks everything else.
        """
        entry = np.repeat(np.arange(len(self.counts)), self.counts)
        for number in np.unique(collection[index >= 0]):
            name = self.category.tables[number].name
            is_empty = np.diff(self.targets.offsets[name]) == 0
            wrong = (collection == number) & (index >= 0) & is_empty[entry]
            if wrong.any():
                first = int(np.argmax(wrong))
                raise UsageError(
                    f"'{self.where}' refers, in entry {entry[first]} of those given, to object "
                    f"{index[first]} of '{name}', which has no objects there"
                )
