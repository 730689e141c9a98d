"""Relations followed in columns: the members of the objects that references lead to.

A relation in an Awkward array has records of ``entry``, ``index``, ``collection`` and ``file``.
These whole references stay right when you select, sort or join events and objects. Objects that
were read with relations have a reference to themselves, `SELF`, which finds them when they are
written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import awkward as ak
import numpy as np
from awkward.contents import Content, IndexedArray, IndexedOptionArray
from awkward.index import Index64

from kaon._core import TableKind
from kaon.columns.awkward_layouts import lists, plain
from kaon.columns.records import REFERENCE, REFERENCE_FIELDS, SELF, TARGET
from kaon.columns.vectors import four_momentum
from kaon.errors import (
    CorruptFileError,
    UnknownMemberError,
    UnknownNameError,
    UsageError,
    WrongTypeError,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kaon.columns.reading import CategoryReader

_ATTRIBUTE = "kaon:"  # of arrays: the targets of references


def follow(references: ak.Array | ak.Record, member: str | None = None) -> Any:
    """Return the objects that references lead to, or one member of them.

    ``events.MCParticles.parents.PDG`` is short for
    ``kaon.follow(events.MCParticles.parents, "PDG")``. The members are read from the file when a
    program follows the references; they need not have been read before.

    Parameters
    ----------
    references
        A relation, or a part of it, from an array that `Category.arrays` or `Category.iterate`
        returned; any number of events.
    member
        A member or relation of the objects; None for all.

    Returns
    -------
    ak.Array
        An array with the structure of the references; None for references that lead nowhere. If
        they lead to several datatypes, it is a union.

    Raises
    ------
    UnknownNameError
        If the objects lack the member.
    UsageError
        If the array holds no references. Or if their file is unknown, because they were pickled and
        the file was not opened by a path.
    MissingFileError
        If they were pickled, and the file no longer exists.
    """
    if isinstance(references, ak.Record):
        return follow(_as_array(references), member)[0]
    targets = _targets(references)

    def replace(layout: Content, **kwargs: Any) -> Content | None:
        return _followed(layout, member, targets) if layout.is_record else None

    return ak.transform(replace, references)


def member_names(references: ak.Array | ak.Record) -> list[str]:
    """Return the names of the members of objects; those of components with dots."""
    array = _as_array(references)
    collections, _ = names_and_codes(ak.to_layout(ak.flatten(array.collection, axis=None)))
    datatype = array.layout.purelist_parameter(TARGET)
    names: dict[str, None] = {}
    for target in _targets(array).values():
        heads = collections or target.collections_of(datatype)
        for key in target.reader.schema.members:
            names.update((key[len(f"{h}.") :], None) for h in heads if key.startswith(f"{h}."))
    return list(names)


def _as_array(references: ak.Array | ak.Record) -> ak.Array:
    """Return an array; of one reference, an array with only that one."""
    if isinstance(references, ak.Array):
        return references
    layout = references.layout
    return ak.Array(
        layout.array[layout.at : layout.at + 1],
        behavior=references.behavior,
        attrs=references.attrs,
    )


def attributes(reader: CategoryReader) -> dict[str, Any]:
    """Return the attributes of arrays whose references lead into a category."""
    return {f"{_ATTRIBUTE}{reader.origin}": _Targets(reader)}


def is_whole_reference(fields: Iterable[str]) -> bool:
    """Tell whether records with these fields include the file and entry of the object."""
    return sorted(fields) == sorted(REFERENCE_FIELDS)


def _record_of(array: ak.Array) -> str | None:
    """Return the name of records, or of the records in lists."""
    name: str | None = array.layout.purelist_parameter("__record__")
    return name


def _targets(references: ak.Array) -> Mapping[int, _Targets]:
    """Return the targets of references, by the number of their file."""
    if not isinstance(references, ak.Array):
        raise WrongTypeError(f"references are in an Awkward array, not in {references!r}")
    record = _record_of(references)
    if record != REFERENCE or not is_whole_reference(references.fields):
        names = [name for name in references.fields if _record_of(references[name]) == REFERENCE]
        relations = ", ".join(name for name in names if name != SELF)
        hint = f"; its relations do: {relations}" if relations else ""
        kind = record or references.type
        raise UsageError(f"an array of {kind} holds no whole references{hint}")
    targets = [target for target in references.attrs.values() if isinstance(target, _Targets)]
    return {target.origin: target for target in targets if target.is_known}


def _followed(references: Content, member: str | None, targets: Mapping[int, _Targets]) -> Content:
    """Return for each reference the object that it leads to."""
    entry, index, file = (numbers_of(references, name) for name in ("entry", "index", "file"))
    names, codes = names_and_codes(references["collection"])
    is_set = index >= 0
    origins = np.unique(file[is_set]).tolist()
    if not targets or not targets.keys() >= set(origins):
        raise UsageError(
            "these references have lost their file: it was opened without a path, and they were "
            "pickled, or another library wrote them"
        )
    contents: list[Content] = []
    places = np.full(len(index), -1, dtype=np.int64)
    begin = 0
    for origin in origins:
        is_here = is_set & (file == origin)
        for code in np.unique(codes[is_here]):
            chosen = is_here & (codes == code)
            target = targets[origin]
            begins, values = target.values(names[code], member, entry[chosen], index[chosen])
            places[chosen] = begin + begins
            begin += values.length
            contents.append(values)
    if not contents:
        datatype = references.parameter(TARGET)
        contents = [next(iter(targets.values())).nothing(names, datatype, member)]
    target = contents[0]
    if len(contents) > 1:
        target = ak.to_layout(ak.concatenate([ak.Array(content) for content in contents]))
    index_class = IndexedArray if is_set.all() else IndexedOptionArray
    return index_class.simplified(Index64(places), target)


def numbers_of(references: Content, field: str) -> np.ndarray:
    """Return the numbers in a field of references."""
    return np.asarray(plain(references[field]).data)


def names_and_codes(collection: Content) -> tuple[list[str], np.ndarray]:
    """Return names of collections, and for each reference the position of its name, or -1.

    In arrays that were joined, a name can appear several times.
    """
    layout = collection
    while layout.is_option and not layout.is_indexed:
        layout = layout.to_IndexedOptionArray64()
    if layout.is_indexed and layout.content.is_list:
        return ak.to_list(layout.content), np.asarray(layout.index.data)
    names = ak.to_list(layout)
    known = list(dict.fromkeys(name for name in names if name is not None))
    numbers = {None: -1, **{name: number for number, name in enumerate(known)}}
    return known, np.array([numbers[name] for name in names], dtype=np.int64)


class _Targets(str):
    """The columns of a category that references were followed to.

    They can be pickled: another process opens the file again when it follows references. The string
    has the names of file and category, so Awkward can write arrays to formats such as Parquet.
    """

    def __new__(cls, where: CategoryReader | str) -> _Targets:
        return super().__new__(cls, where if isinstance(where, str) else where.where)

    def __init__(self, reader: CategoryReader) -> None:
        self.origin = reader.origin
        self._place, self._category = reader.place, reader.name
        self._reader: CategoryReader | None = reader
        self._begin()

    def _begin(self) -> None:
        self._read: dict[str, tuple[int, np.ndarray, Content]] = {}  # first entry, offsets, values

    def __getstate__(self) -> tuple[Any, ...]:
        return self.origin, self._place, self._category

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.origin, self._place, self._category = state
        self._reader = None
        self._begin()

    @property
    def is_known(self) -> bool:
        """Whether the file is open or can be opened."""
        return self._reader is not None or self._place is not None

    @property
    def reader(self) -> CategoryReader:
        """The reader of the category.

        Raises
        ------
        UsageError
            If another file has taken its place.
        """
        if self._reader is None:
            assert self._place is not None  # otherwise is_known is false
            reader = self._place.reader(self._category)
            if reader.file.id and reader.origin != self.origin:
                raise UsageError(f"{reader.where}: is not the file of the references")
            reader.origin = self.origin  # without an id, the number comes from the path
            self._reader = reader
        return self._reader

    def nothing(self, names: Iterable[str], datatype: str | None, member: str | None) -> Content:
        """Return an empty array with the type of a datatype's values."""
        labels = self.reader.schema.labels.values()
        collections = [*self.collections_of(datatype), *names, *labels]
        known = [name for name in collections if self._has(name, member)]
        if not known:
            raise UnknownNameError(f"no collection has a member '{member}'")
        return self._load(known[0], member, 0, 0)[2]

    def collections_of(self, datatype: str | None) -> list[str]:
        """Return the names of the collections of a datatype."""
        tables = self.reader.schema.tables
        return [t.name for t in tables if t.kind == TableKind.collection and t.type == datatype]

    def _has(self, collection: str, member: str | None) -> bool:
        return (collection if member is None else f"{collection}.{member}") in self.reader.schema

    def values(
        self, collection: str, member: str | None, entry: np.ndarray, index: np.ndarray
    ) -> tuple[np.ndarray, Content]:
        """Return values, and the row of each object in them."""
        first, last = int(entry.min()), int(entry.max()) + 1
        begin, offsets, values = self._load(collection, member, first, last)
        row = entry - begin
        if (index >= offsets[row + 1] - offsets[row]).any():
            raise CorruptFileError(
                f"{self.reader.where}: a relation refers to an object that '{collection}' "
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
        column = self.reader.column(name, first, last)
        offsets, values = lists(ak.to_layout(column), name)
        self._read[name] = (first, offsets, values)
        return self._read[name]


class _Following:
    """Arrays and records of references, with the members of their objects as attributes."""

    fields: list[str]
    member_names = member_names

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in self.fields:
            return super().__getattr__(name)  # type: ignore[misc]
        if name == "p4":
            return four_momentum(self)
        try:
            return follow(self, name)
        except UnknownNameError as error:
            raise UnknownMemberError(str(error)) from None

    @ak.highlevel.ignore_in_to_list  # type: ignore[untyped-decorator]  # tolist(): 20 times as fast
    def __getitem__(self, where: Any) -> Any:
        """Follow by any name, also names that cannot be attributes, such as "from"."""
        if isinstance(where, str) and where not in self.fields:
            return follow(self, where)
        return super().__getitem__(where)  # type: ignore[misc]


class ReferenceArray(_Following, ak.Array):  # type: ignore[misc]  # Awkward has no types
    """References in lists of any depth."""


class ReferenceRecord(_Following, ak.Record):  # type: ignore[misc]
    """One reference."""


ak.behavior[REFERENCE] = ReferenceRecord
ak.behavior["*", REFERENCE] = ReferenceArray
