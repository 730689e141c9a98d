"""Relations followed in columns: the members of the objects that references lead to.

A relation in an Awkward array is records of ``entry``, ``index`` and ``collection``: a whole
reference, which stays right when events or objects are selected or put in another order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import awkward as ak
import numpy as np
from awkward.contents import Content, IndexedArray, IndexedOptionArray
from awkward.index import Index64

from kaon.columns.awkward_layouts import lists, plain
from kaon.columns.records import REFERENCE
from kaon.errors import CorruptFileError, UnknownMemberError, UnknownNameError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kaon.columns.reading import CategoryReader

_ATTRIBUTE = "@kaon:"  # of arrays: where references lead to; not pickled, as "@" says


def follow(references: ak.Array | ak.Record, member: str | None = None) -> Any:
    """Return the objects that references lead to, or one of their members.

    ``events.MCParticles.parents.PDG`` is short for
    ``kaon.follow(events.MCParticles.parents, "PDG")``. The members are read from the file when they
    are followed to; they need not have been read before.

    Parameters
    ----------
    references
        A relation of any number of events in what `Category.arrays` or `Category.iterate` returned,
        or a part of it.
    member
        A member or relation of the objects; None stands for all.

    Returns
    -------
    ak.Array
        Of the structure of the references; None where a reference leads nowhere. If they lead to
        several datatypes, it is a union.

    Raises
    ------
    UnknownNameError
        If the objects have no such member.
    UsageError
        If the array holds no references, or it is not known of which file they are: they were
        pickled, or come from several.
    """
    if isinstance(references, ak.Record):
        layout = references.layout
        array = ak.Array(
            layout.array[layout.at : layout.at + 1],
            behavior=references.behavior,
            attrs=references.attrs,
        )
        return follow(array, member)[0]
    targets = _targets(references)

    def replace(layout: Content, **kwargs: Any) -> Content | None:
        return targets.follow(layout, member) if layout.is_record else None

    return ak.transform(replace, references)


def attributes(reader: CategoryReader) -> dict[str, Any]:
    """Return the attributes of arrays from which references lead into a category."""
    return {f"{_ATTRIBUTE}{reader.file.id}:{reader.where}": _Targets(reader)}


def _targets(references: ak.Array) -> _Targets:
    record = ak.parameters(references).get("__record__")
    if references.layout.purelist_parameter("__record__") != REFERENCE or set(
        references.fields
    ) != {
        "entry",
        "index",
        "collection",
    }:
        raise UsageError(f"an array of {record or references.type} holds no whole references")
    attributes = references.attrs.items()
    targets: list[_Targets] = [target for key, target in attributes if key.startswith(_ATTRIBUTE)]
    if len(targets) != 1:
        several = "come from several files: follow them"
        what = several if targets else "have lost their file: do it"
        raise UsageError(f"these references {what} before files are put together, or pickled")
    return targets[0]


class _Targets:
    """The columns of a category that references were followed to."""

    def __init__(self, reader: CategoryReader) -> None:
        self._reader = reader
        self._read: dict[str, tuple[int, np.ndarray, Content]] = {}  # first entry, offsets, values

    def follow(self, references: Content, member: str | None) -> Content:
        """Return, for each record of references, what it leads to."""
        entry, index = (np.asarray(plain(references[name]).data) for name in ("entry", "index"))
        names, codes = _categories(references["collection"])
        is_set = index >= 0
        contents: list[Content] = []
        places = np.full(len(index), -1, dtype=np.int64)
        begin = 0
        for code in np.unique(codes[is_set]) if is_set.any() else ():
            chosen = is_set & (codes == code)
            begins, values = self._values(names[code], member, entry[chosen], index[chosen])
            places[chosen] = begin + begins
            begin += values.length
            contents.append(values)
        if not contents:
            contents = [self._nothing(names, member)]
        target = contents[0]
        if len(contents) > 1:
            target = ak.to_layout(ak.concatenate([ak.Array(content) for content in contents]))
        index_class = IndexedArray if is_set.all() else IndexedOptionArray
        return index_class.simplified(Index64(places), target)

    def _nothing(self, names: Iterable[str], member: str | None) -> Content:
        """Return an empty array of the type that the values would have."""
        known = [name for name in names if self._has(name, member)]
        if not known:
            raise UnknownNameError(f"no collection has a member '{member}'")
        return self._load(known[0], member, 0, 0)[2]

    def _has(self, collection: str, member: str | None) -> bool:
        return (collection if member is None else f"{collection}.{member}") in self._reader.schema

    def _values(
        self, collection: str, member: str | None, entry: np.ndarray, index: np.ndarray
    ) -> tuple[np.ndarray, Content]:
        """Return values, and the row of each object in them."""
        first, last = int(entry.min()), int(entry.max()) + 1
        begin, offsets, values = self._load(collection, member, first, last)
        row = entry - begin
        if (index >= offsets[row + 1] - offsets[row]).any():
            raise CorruptFileError(
                f"{self._reader.where}: a relation refers to an object that '{collection}' "
                "does not have; the file is damaged"
            )
        return offsets[row] + index, values

    def _load(
        self, collection: str, member: str | None, first: int, last: int
    ) -> tuple[int, np.ndarray, Content]:
        name = collection if member is None else f"{collection}.{member}"
        if name in self._read:
            begin, offsets, _ = self._read[name]
            if begin <= first and last <= begin + len(offsets) - 1:
                return self._read[name]
        column = self._reader.column(name, first, last)
        offsets, values = lists(ak.to_layout(column), name)
        self._read[name] = (first, offsets, values)
        return self._read[name]


def _categories(collection: Content) -> tuple[list[str], np.ndarray]:
    """Return the names of collections and, for each reference, the number of its collection."""
    layout = collection
    while not (layout.is_indexed and layout.parameter("__array__") == "categorical"):
        if not (layout.is_indexed or layout.is_option):
            names = ak.to_list(layout)  # no longer categorical
            known = list(dict.fromkeys(name for name in names if name is not None))
            numbers = {name: number for number, name in enumerate(known)}
            return known, np.array([numbers.get(name, -1) for name in names], dtype=np.int64)
        layout = layout.project()
    return ak.to_list(layout.content), np.asarray(layout.index.data)


class _Following:
    """Attributes of arrays and records of references: the members of what they lead to."""

    fields: list[str]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in self.fields:
            return super().__getattr__(name)  # type: ignore[misc]
        try:
            return follow(self, name)
        except UnknownNameError as error:
            raise UnknownMemberError(str(error)) from None


class ReferenceArray(_Following, ak.Array):  # type: ignore[misc]  # Awkward has no types
    """Lists, of any depth, of references."""


class ReferenceRecord(_Following, ak.Record):  # type: ignore[misc]
    """One reference."""


ak.behavior[REFERENCE] = ReferenceRecord
ak.behavior["*", REFERENCE] = ReferenceArray
