"""Frames that wait to be written together, as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import awkward as ak
import numpy as np
from awkward.contents import (
    Content,
    IndexedOptionArray,
    ListOffsetArray,
    RecordArray,
)
from awkward.index import Index64

from kaon._core import TableKind
from kaon.columns.awkward_layouts import optional
from kaon.columns.decorated_arrays import MARKS, decoration_content, mark
from kaon.errors import WrongTypeError
from kaon.events.collection import Collection
from kaon.model.kinds import Kind, Number
from kaon.model.plain_values import Place, place_of, places_of, row_of
from kaon.model.relations import ToOne
from kaon.model.standard import subset_of

if TYPE_CHECKING:
    from kaon.columns.decorations import Decoration
    from kaon.events.frames import Frame
    from kaon.model.objects import Object

_MOST_ENTRIES = 1000
MOST_OBJECTS = 100_000
"""For all buffers of a file. Python objects need much memory: a few hundred bytes per number."""


class FrameBuffer:
    """The values of some frames at the time when they were added."""

    def __init__(self) -> None:
        self.entries = 0
        self.objects = 0
        self._collections: dict[str, _CollectionColumns] = {}
        self._parameters: dict[str, dict[int, Any]] = {}  # by entry
        self._parameter_types: dict[str, str] = {}

    @property
    def is_full(self) -> bool:
        """Whether it is time to write."""
        return self.entries >= _MOST_ENTRIES

    def add(self, frame: Frame) -> None:
        """Add a complete frame, or nothing if it has a mistake.

        Raises
        ------
        UsageError
            If a relation leads out of the frame, or the frame has an object twice.
        WrongTypeError
            If a collection, decoration or parameter has another type than in earlier frames.
        """
        collections = {name: frame[name] for name in frame}
        for name, objects in collections.items():
            self._check(name, objects)
        places = places_of({name: own for name, own in collections.items() if _has_objects(own)})
        types = {name: _type_name(value) for name, value in frame.parameters.items()}
        for name, type_ in types.items():
            was = self._parameter_types.get(name) or type_
            if type_ and was != type_:
                raise WrongTypeError(f"the parameter '{name}' was {was} before, not {type_}")
        rows = {name: list(_rows(name, objects, places)) for name, objects in collections.items()}
        for name, objects in collections.items():
            if name not in self._collections:
                self._collections[name] = _CollectionColumns(objects)
            self._collections[name].add(self.entries, rows[name], _decorations(objects))
        self._parameter_types |= {name: type_ for name, type_ in types.items() if type_}
        for name, value in frame.parameters.items():
            self._parameters.setdefault(name, {})[self.entries] = value
        self.entries += 1
        self.objects += sum(map(len, rows.values()))

    def _check(self, name: str, objects: Collection | np.ndarray) -> None:
        if name not in self._collections:
            return
        before, datatype = self._collections[name], _datatype(objects)
        if before.datatype != datatype:
            was = f"'{name}' was a collection of {before.datatype}"
            raise WrongTypeError(f"{was} before, not of {datatype}")
        for decoration, added in _decorations(objects).items():
            first = before.decoration(decoration)
            if first and not first.is_like(added):
                was = f"the decoration '{decoration}' of '{name}' was {first.type}"
                raise WrongTypeError(f"{was} before, not {added.type}")

    def arrays(self, kind: Callable[[str], TableKind | None]) -> dict[str, ak.Array] | ak.Array:
        """Return the frames as data for `WritableCategory.extend`.

        Parameters
        ----------
        kind
            Returns the kind of a parameter's table in the file, None if it is new.
        """
        arrays = {name: columns.array(self.entries) for name, columns in self._collections.items()}
        for name, by_entry in self._parameters.items():
            values = [by_entry.get(entry) for entry in range(self.entries)]
            known = kind(name)
            if any(isinstance(value, ak.Array | ak.Record) for value in values):
                arrays[name] = _joined(values, name)
                continue
            if known != TableKind.value:
                values = [v if v is None or isinstance(v, list) else [v] for v in values]
            arrays[name] = _of_one_type(values)
            if known is None and "unknown" in str(arrays[name].type):  # all are empty
                arrays[name] = ak.values_astype(arrays[name], np.float64, including_unknown=True)
        return arrays or ak.Array(RecordArray([], [], length=self.entries))


class _CollectionColumns:
    """The objects of a collection in several entries, member by member; or bare values."""

    def __init__(self, objects: Collection | np.ndarray) -> None:
        self.datatype = _datatype(objects)
        self._kinds = _kinds(objects)
        self._counts: dict[int, int] = {}  # by entry
        self._values: dict[str, list[Any]] = {name: [] for name in self._kinds}
        self._decorations: dict[str, dict[int, Decoration]] = {}  # by entry

    def decoration(self, name: str) -> Decoration | None:
        """Return the first decoration of that name."""
        return next(iter(self._decorations.get(name, {}).values()), None)

    def add(
        self,
        entry: int,
        rows: Sequence[Mapping[str, Any]],
        decorations: Mapping[str, Decoration],
    ) -> None:
        self._counts[entry] = len(rows)
        for name, values in self._values.items():
            values += [row[name] for row in rows]
        for name, decoration in decorations.items():
            self._decorations.setdefault(name, {})[entry] = decoration

    def array(self, entries: int) -> ak.Array:
        contents = {
            name: self._kinds[name].content(plain_values)
            for name, plain_values in self._values.items()
        }
        marks = {}
        for name, by_entry in self._decorations.items():
            first = next(iter(by_entry.values()))
            others = first.missing_everywhere()
            pieces = [by_entry.get(e, others).padded(count) for e, count in self._counts.items()]
            contents[name] = decoration_content(pieces)
            marks[name] = mark(first.type, first.missing)
        counts = [self._counts.get(entry, 0) for entry in range(entries)]
        objects = RecordArray(
            list(contents.values()),
            list(contents),
            length=sum(counts),
            parameters={"__record__": self.datatype, **({MARKS: marks} if marks else {})},
        )
        lists: Content = ListOffsetArray(Index64(np.cumsum([0, *counts], dtype=np.int64)), objects)
        if len(self._counts) < entries:
            lists = optional(np.array([e in self._counts for e in range(entries)]), lists)
        return ak.Array(lists)


def _datatype(objects: Collection | np.ndarray) -> str:
    """Return the datatype of a collection in files."""
    if isinstance(objects, np.ndarray):
        return str(objects.dtype.name)
    name = objects.datatype._datatype.name
    return subset_of(name) if objects.is_subset else name


def _kinds(objects: Collection | np.ndarray) -> dict[str, Kind]:
    """Return the kind of each member that files have."""
    if isinstance(objects, np.ndarray):
        return {"": Number(objects.dtype.name)}
    if objects.is_subset:
        target = objects.datatype._datatype.name
        return {"object": ToOne(target, (target,))}
    return {name: field.kind for name, field in objects.datatype._fields.items()}


def _has_objects(objects: Collection | np.ndarray) -> bool:
    """Return whether a collection has objects of its own."""
    return isinstance(objects, Collection) and not objects.is_subset


def _decorations(objects: Collection | np.ndarray) -> dict[str, Decoration]:
    return objects._all_decorations() if isinstance(objects, Collection) else {}


def _rows(
    name: str, objects: Collection | np.ndarray, places: Mapping[Object, Place]
) -> Iterator[dict[str, Any]]:
    if isinstance(objects, np.ndarray):
        yield from ({"": value} for value in objects.tolist())
        return
    for index, item in enumerate(objects):
        where = f"{name}[{index}]"
        if objects.is_subset:
            yield {"object": place_of(item, where, places)}
        else:
            yield row_of(item, where, places)


def _type_name(parameter: Any) -> str:
    """Return the type of a parameter's values in words; "" if it is unknown."""
    if isinstance(parameter, ak.Array | ak.Record):
        return "an array"
    first = parameter if not isinstance(parameter, list) else next(iter(parameter), None)
    words = {bool: "truth values", int: "numbers", float: "numbers", str: "strings"}
    return words.get(type(first), "")


def _joined(values: Sequence[ak.Array | ak.Record | None], name: str) -> ak.Array:
    """Return nested lists or records of the entries as one array."""
    present = [value for value in values if value is not None]
    if not all(isinstance(value, type(present[0])) for value in present):
        raise WrongTypeError(f"the parameter '{name}' has different types in the frames")
    if isinstance(present[0], ak.Record):
        records = [value.layout for value in present]
        rows = ak.concatenate([ak.Array(r.array[r.at : r.at + 1]) for r in records])
    else:
        counts = [len(value) for value in present]
        rows = ak.unflatten(ak.concatenate(present), counts)
    if len(present) == len(values):
        return rows
    is_there = np.array([value is not None for value in values])
    index = np.where(is_there, np.cumsum(is_there) - 1, -1)
    return ak.Array(IndexedOptionArray(Index64(index), rows.layout))


def _of_one_type(values: list[Any]) -> ak.Array:
    """Return numbers or strings, or lists of them, as an array; integers as int32 if they fit."""
    array = ak.Array(values)
    if "int64" not in str(array.type):
        return array
    integers = ak.flatten(array, axis=None)
    is_small = len(integers) and -(2**31) <= ak.min(integers) and ak.max(integers) < 2**31
    return ak.values_astype(array, np.int32) if is_small else array
