"""Relations that are written, as numbers of objects and of the tables that these are in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import awkward as ak
import numpy as np
from awkward.contents import Content

from kaon import _core
from kaon.columns.awkward_layouts import numbers, present_and_content
from kaon.errors import UnknownNameError, UsageError, WrongTypeError

if TYPE_CHECKING:
    from kaon.modelgen.model import Relation
    from kaon.writing.category_tables import CategoryTables


class RelationNumbers:
    """Turns a relation into numbers of objects and of the tables that they are in.

    Parameters
    ----------
    category
        The tables of the category.
    offsets
        Where the objects of each entry begin, by collection.
    counts
        How many references there are in each entry.
    """

    def __init__(
        self,
        category: CategoryTables,
        offsets: Mapping[str, np.ndarray],
        relation: Relation,
        where: str,
        counts: np.ndarray,
    ) -> None:
        self.category = category
        self.offsets = offsets
        self.relation = relation
        self.where = where
        self.counts = counts

    def members(self, layout: Content | None, rows: int) -> dict[int, np.ndarray]:
        """Return the members of the relation's table: the indices, and the numbers of tables."""
        index = np.full(rows, -1, dtype=np.int32)
        collection = np.zeros(rows, dtype=np.uint32)
        if layout is not None:
            present, content = present_and_content(layout)
            places = slice(None) if present is None else present
            if content.is_record:
                self._check_fields(content.fields)
                indices = self._index(content.content("index"))
                tables = np.zeros(len(indices), dtype=np.uint32)
                names = content.content("collection")
                for name, places_of_name in _by_name(names, indices >= 0, self.where):
                    tables[places_of_name] = self._number(name)
                index[places], collection[places] = indices, tables
            else:
                index[places] = self._index(content)
                if (index >= 0).any():
                    collection[index >= 0] = self._number(self._only_collection())
        self._check(index, collection)
        return {0: index, 1: collection}

    def _index(self, layout: Content) -> np.ndarray:
        present, content = present_and_content(layout)
        values = numbers(content, np.dtype(np.int32), None, self.where)
        if present is None:
            return values
        index = np.full(len(present), -1, dtype=np.int32)
        index[present] = values
        return index

    def _check_fields(self, fields: Sequence[str]) -> None:
        if sorted({*fields} - {"entry"}) != ["collection", "index"]:
            raise UsageError(
                f"'{self.where}' needs indices, or records of index and "
                f"collection, not of {', '.join(fields)}"
            )

    def _only_collection(self) -> str:
        names = self.category.targets(self.relation)
        if len(names) == 1:
            return names[0]
        subject = f"{', '.join(names)} are" if names else "none is"
        raise UsageError(
            f"'{self.where}' refers to a collection of {self.relation.type}, "
            f"but {subject} written" + (": give records of index and collection" if names else "")
        )

    def _number(self, name: str) -> int:
        known = self.category.targets(self.relation)
        if name not in known:
            hint = _core.suggestion(name, known)
            raise UnknownNameError(
                f"'{self.where}' refers to '{name}', which is no collection "
                f"of {self.relation.type} that is written{hint}"
            )
        return self.category.number(name)

    def _check(self, index: np.ndarray, collection: np.ndarray) -> None:
        """Check that each index is that of an object in the same entry."""
        entry = np.repeat(np.arange(len(self.counts)), self.counts)
        for number in np.unique(collection[index >= 0]):
            name = self.category.tables[number].name
            sizes = np.diff(self.offsets[name])
            wrong = (collection == number) & (index >= sizes[entry]) & (index >= 0)
            if wrong.any():
                first = int(np.argmax(wrong))
                raise UsageError(
                    f"'{self.where}' refers, in entry {entry[first]} of those "
                    f"given, to object {index[first]} of '{name}', "
                    f"which has {sizes[entry[first]]}"
                )
        if (index < -1).any():
            raise UsageError(f"'{self.where}' has an index less than -1")


def _by_name(layout: Content, wanted: np.ndarray, where: str) -> Iterator[tuple[str, np.ndarray]]:
    """Yield each name in an array of strings, and the wanted places where it is."""
    if layout.is_indexed and layout.parameter("__array__") == "categorical":
        names, codes = ak.to_list(layout.content), np.asarray(layout.index.data)
    else:
        values = ak.to_list(layout)
        names = list(dict.fromkeys(values))
        numbering = {name: code for code, name in enumerate(names)}
        codes = np.array([numbering[value] for value in values], dtype=np.int64)
    for code in np.unique(codes[wanted]):
        name = names[code] if code >= 0 else None
        if not isinstance(name, str):
            raise WrongTypeError(f"'{where}' needs the names of collections, not {name!r}")
        yield name, wanted & (codes == code)
