"""Events in Python: collections of objects by name, and parameters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from kaon import _core
from kaon._core import TableKind
from kaon.columns.decorations import flat_numbers
from kaon.errors import (
    CorruptFileError,
    OutOfRangeError,
    UnknownNameError,
    UsageError,
    WrongTypeError,
)
from kaon.events.collection import Collection, FileCollection
from kaon.events.rows import EntryRange
from kaon.model.objects import Object, card_text
from kaon.model.plain_values import Place, place_of, places_of, relate, row_of
from kaon.model.standard import bare_datatype, subset_target
from kaon.modelgen.mistakes import printable

if TYPE_CHECKING:
    import awkward as ak
    import numpy as np

    from kaon.columns.decorations import Decoration
    from kaon.columns.reading import CategoryReader

MOST_ENTRIES = 1000
"""The largest number of entries that are read at once."""


class Frame(MutableMapping[str, Any]):
    """An event, or another unit that is written and read as one: collections by name.

    >>> event = kaon.Frame()
    >>> event["MCParticles"] = [edm.MCParticle(PDG=11)]
    >>> event.parameters["weight"] = 0.5
    >>> out["events"].write(event)

    You can change frames of a file; the file does not change. Numbers without objects are NumPy
    arrays: ``event["Scores"] = np.array([0.5, 0.1])``.

    Attributes
    ----------
    parameters
        Numbers, booleans and strings, or lists of these, by name. Files store parameters as lists,
        so a list of one value is read as that value. Nested lists and records are Awkward arrays
        and records.
    """

    def __init__(self) -> None:
        self._collections: dict[str, Any] = {}
        self._entry: _Entry | None = None
        self.parameters: MutableMapping[str, Any] = Parameters(None)

    @classmethod
    def _of_file(cls, entry_range: EntryRange, entry: int) -> Frame:
        frame = cls()
        frame._entry = _Entry(entry_range, entry)
        frame.parameters = Parameters(frame._entry)
        return frame

    def __copy__(self) -> Frame:
        copied = Frame()
        copied.__dict__.update(self.__dict__)
        copied._collections = dict(self._collections)
        return copied

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for another process, which reads data of the file itself."""
        mine = {
            name: inside
            for name, inside in self._collections.items()
            if self._entry is None or not self._entry.is_as_read(name, inside)
        }
        new = {name: inside for name, inside in mine.items() if _is_new(inside)}
        if new:
            places = places_of({name: self[name] for name in self if _has_objects(self[name])})
            mine |= {name: _PlainCollection.of(name, each, places) for name, each in new.items()}
        return {**self.__dict__, "_collections": mine}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)
        plain = {
            name: inside
            for name, inside in self._collections.items()
            if isinstance(inside, _PlainCollection)
        }
        self._collections |= {name: inside.empty() for name, inside in plain.items()}
        for name, inside in plain.items():
            inside.fill(self._collections[name], lambda place: self[place[1]][place[0]])

    def __getitem__(self, name: str) -> Any:
        """Return a collection; for files without models, such as ROOT's, an array of records.

        Raises
        ------
        UnknownNameError
            If the event lacks the collection, or the file has no model with its datatype.
        WrongTypeError
            If `name` is not a string.
        """
        if not isinstance(name, str):
            raise WrongTypeError(f"select a collection of the event by name, not {name!r}")
        if name not in self._collections:
            if self._entry is None or not self._entry.has(name):
                hint = _core.suggestion(name, list(self))
                hint += self._entry.why_unread(name) if self._entry else ""
                if name in self.parameters:
                    hint = f", but a parameter: event.parameters['{name}']"
                raise UnknownNameError(f"the event has no collection '{name}'{hint}")
            self._collections[name] = self._entry.collection(name)
        collection = self._collections[name]
        if collection is None:
            raise UnknownNameError(f"the collection '{name}' was deleted from the event")
        return collection

    def __setitem__(self, name: str, objects: Iterable[Object] | np.ndarray | ak.Array) -> None:
        """Put objects of one datatype, or plain numbers or booleans, into the event.

        Parameters
        ----------
        objects
            A collection or a list of objects; or an array of numbers, which the event copies to a
            NumPy array. Files keep its type.

        Raises
        ------
        WrongTypeError
            If objects have several datatypes, or an array has other values than numbers.
        UsageError
            If a list is empty, so its datatype is unknown: give a `Collection`.
        """
        if hasattr(objects, "__array__"):
            self._collections[name] = flat_numbers(objects, name)
            return
        if not isinstance(objects, Collection):
            objects = Collection._of_objects(objects, name)
        self._collections[name] = objects

    def __delitem__(self, name: str) -> None:
        self[name]  # raises if it is missing
        self._collections[name] = None

    def __iter__(self) -> Iterator[str]:
        of_file = self._entry.names() if self._entry else ()
        for name in dict.fromkeys((*of_file, *self._collections)):
            if self._collections.get(name, self) is not None:
                yield name

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __contains__(self, name: object) -> bool:
        if name in self._collections:
            return self._collections[name] is not None
        return self._entry is not None and isinstance(name, str) and self._entry.has(name)

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __repr__(self) -> str:
        where = "" if self._entry is None else f" {self._entry.number}"
        inside = [f"{name} ({len(self[name])})" for name in self]
        if parameters := len(self.parameters):
            inside.append(_core.counted(parameters, "parameter"))
        return printable(f"<Frame{where}: {', '.join(inside) or 'empty'}>")

    def _repr_html_(self) -> str:
        from kaon.cards import card, fold, table, text

        parts = []
        for name in self:
            inside = self[name]
            if isinstance(inside, Collection):
                parts.append(fold(name, inside._note(), inside._repr_html_()))
            else:
                kind = getattr(inside, "dtype", "")
                parts.append(fold(name, f"{len(inside):,} {kind}", text(str(inside))))
        values = [(name, card_text(value)) for name, value in self.parameters.items()]
        parameters = [table(("parameter", "value"), values)] if values else []
        title = "Frame" if self._entry is None else f"Entry {self._entry.number}"
        return card(title, [_core.counted(len(parts), "collection")], *parts, *parameters)


def _is_new(inside: Any) -> bool:
    """Return whether a value of an event is a collection that is not from a file."""
    return isinstance(inside, Collection) and not isinstance(inside, FileCollection)


def _has_objects(inside: Any) -> bool:
    """Return whether a value of an event is a collection with its own objects."""
    return isinstance(inside, Collection) and not inside.is_subset


@dataclass(frozen=True)
class _PlainCollection:
    """A collection in the form for other processes, with objects as their places in the event.

    Attributes
    ----------
    rows
        The values of each object; of a subset, the object's place.
    """

    datatype: type[Object]
    is_subset: bool
    rows: list[Any]
    decorations: dict[str, Decoration]

    @classmethod
    def of(
        cls, name: str, collection: Collection, places: Mapping[Object, Place]
    ) -> _PlainCollection:
        make = place_of if collection.is_subset else row_of
        rows = [make(item, f"{name}[{at}]", places) for at, item in enumerate(collection)]
        return cls(collection.datatype, collection.is_subset, rows, collection._decorations)

    def empty(self) -> Collection:
        """Return the collection with objects without values; a subset has no objects yet."""
        own = [] if self.is_subset else [self.datatype() for _ in self.rows]
        collection = Collection(self.datatype, own, self.is_subset)
        collection._decorations = self.decorations
        return collection

    def fill(self, collection: Collection, find: Callable[[Place], Object]) -> None:
        """Fill the objects with values, or a subset with objects."""
        if self.is_subset:
            collection._objects += [find(place) for place in self.rows]
        else:
            relate(collection._objects, self.rows, find)


class _Entry:
    """An event in a file."""

    def __init__(self, entry_range: EntryRange, number: int) -> None:
        self.entry_range = entry_range
        self.number = number
        self._schema = entry_range.reader.schema

    def __reduce__(self) -> tuple[Any, ...]:
        return _Entry, (self.entry_range, self.number)

    def _kinds(self) -> Mapping[str, TableKind]:
        tables = self._schema.tables
        return {label: tables[number].kind for number, label in self._schema.labels.items()}

    def why_unread(self, name: str) -> str:
        return self._schema.why_unread(name)

    def has(self, name: str) -> bool:
        return self._kinds().get(name) == TableKind.collection and self._is_present(name)

    def _is_present(self, name: str) -> bool:
        return self.entry_range.rows(name).is_present(self.number)

    def names(self) -> list[str]:
        return [name for name in self._kinds() if self.has(name)]

    def collection(self, name: str) -> Any:
        rows = self.entry_range.rows(name)
        if bare_datatype(rows.datatype) and "" in rows.keys:
            return rows.bare_values(self.number)
        if not rows.datatype:  # of a file without models
            return self.entry_range.column(name, self.number)
        target = subset_target(rows.datatype)
        if target is None:
            return FileCollection(rows, self.number)
        objects = [rows.object(self.number, i)["object"] for i in range(rows.count(self.number))]
        if None in objects:
            where = self._schema.where
            raise CorruptFileError(
                f"{where}: '{name}' has empty references to objects; the file is damaged"
            )
        datatype = self.entry_range.reader.models.datatype(target)
        subset = Collection(datatype, objects, is_subset=True)
        subset._decorations = rows.decorations(self.number)
        return subset

    def is_as_read(self, name: str, inside: Any) -> bool:
        """Return whether a collection is that of the file, without additions."""
        if not isinstance(inside, FileCollection) or inside._decorations:
            return False
        at = (inside._rows.entry_range, inside._rows.name, inside._entry)
        return at == (self.entry_range, name, self.number)

    def parameters(self) -> Iterator[str]:
        return (name for name, kind in self._kinds().items() if kind != TableKind.collection)

    def parameter(self, name: str) -> Any:
        """Return a parameter, or None if it is absent."""
        value = self.entry_range.column(name, self.number)
        if _is_nested(value):
            return value
        if hasattr(value, "tolist"):
            value = value.tolist()
        is_one = isinstance(value, list) and len(value) == 1
        return value[0] if is_one else value


def _is_nested(value: Any) -> bool:
    """Return whether a parameter is a record, or a list of lists or records."""
    layout = getattr(value, "layout", None)
    if layout is None:
        return False
    from kaon.columns.awkward_layouts import is_list

    return bool(value.fields or is_list(layout) or layout.is_record)


class Parameters(MutableMapping[str, Any]):
    """The parameters of an event by name; those of a file are read when they are first needed."""

    def __init__(self, entry: _Entry | None) -> None:
        self._entry = entry
        self._values: dict[str, Any] = {}  # None: it is absent or deleted
        self._known = list(entry.parameters()) if entry else []

    def _find(self, name: str) -> Any:
        if name not in self._values and name in self._known:
            assert self._entry is not None
            self._values[name] = self._entry.parameter(name)
        return self._values.get(name)

    def __getitem__(self, name: str) -> Any:
        value = self._find(name)
        if value is None:
            hint = _core.suggestion(name, list(self))
            if self._entry and isinstance(name, str):
                hint += self._entry.why_unread(name)
            raise UnknownNameError(f"the event has no parameter '{name}'{hint}")
        return value

    def __setitem__(self, name: str, value: Any) -> None:
        """Set a parameter.

        Raises
        ------
        UsageError
            If the value is not a number, boolean or string, a list or array of these, or an
            Awkward array; or if it exceeds int64.
        """
        if hasattr(value, "layout"):
            self._values[name] = value
            return
        if getattr(value, "ndim", 2) < 2:  # NumPy's scalars and arrays
            value = value.tolist()
        values = value if isinstance(value, (list, tuple)) else [value]
        values = [item.tolist() if hasattr(item, "tolist") else item for item in values]
        if not {type(item) for item in values} <= {int, float} and (
            len({type(item) for item in values}) != 1
            or not isinstance(values[0], (bool, int, float, str))
        ):
            raise UsageError(
                f"the parameter '{name}' must be a number, boolean or string, a list of these, or "
                f"an Awkward array, not {value!r}"
            )
        for item in values:
            if isinstance(item, int) and not -(2**63) <= item < 2**63:
                raise UsageError(f"the parameter '{name}' must fit into int64, not {item}")
        self._values[name] = values if isinstance(value, (list, tuple)) else values[0]

    def __delitem__(self, name: str) -> None:
        self[name]  # raises if it is missing
        self._values[name] = None

    def __iter__(self) -> Iterator[str]:
        for name in dict.fromkeys((*self._known, *self._values)):
            if self._find(name) is not None:
                yield name

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __repr__(self) -> str:
        return repr(dict(self))


def _around(reader: CategoryReader, entry: int) -> tuple[int, int]:
    """Return the range of entries to read together with this one."""
    clusters = reader.core.clusters
    first, last = clusters[bisect_right(clusters, (entry, reader.core.entries + 1)) - 1]
    first += (entry - first) // MOST_ENTRIES * MOST_ENTRIES
    return first, min(last, first + MOST_ENTRIES)


class _Nearby:
    """The entries around the frame that was selected last.

    Frames that follow a neighbour share columns of many entries. Other frames read one entry.
    """

    MOST_STEP = 16
    """Frames whose numbers differ by at most this much are neighbours."""

    def __init__(self, reader: CategoryReader) -> None:
        self._reader = reader
        self._range: EntryRange | None = None
        self._last: int | None = None

    def range_of(self, entry: int) -> EntryRange:
        known, last = self._range, self._last
        self._last = entry
        if known is not None and entry in known:
            return known
        if last is not None and abs(entry - last) <= self.MOST_STEP:
            found = EntryRange(self._reader, *_around(self._reader, entry))
        else:
            found = EntryRange(self._reader, entry, entry + 1)
        self._range = found
        return found


class Frames(Sequence[Frame]):
    """Entries of a category as frames; `Category.frames` returns them."""

    def __init__(
        self, reader: CategoryReader, entries: range, nearby: _Nearby | None = None
    ) -> None:
        self._reader = reader
        self._entries = entries
        self._nearby = nearby or _Nearby(reader)

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, at: int) -> Frame: ...
    @overload
    def __getitem__(self, at: slice) -> Frames: ...
    def __getitem__(self, at: int | slice) -> Frame | Frames:
        if isinstance(at, slice):
            return Frames(self._reader, self._entries[at], self._nearby)
        try:
            entry = self._entries[at]
        except IndexError:
            where = self._reader.where
            raise OutOfRangeError(f"{where}: has no entry {at}, only {len(self)}") from None
        return Frame._of_file(self._nearby.range_of(entry), entry)

    def __iter__(self) -> Iterator[Frame]:
        entry_range = None
        for entry in self._entries:
            if entry_range is None or entry not in entry_range:
                least, most = sorted((self._entries[0], self._entries[-1]))
                first, last = _around(self._reader, entry)
                entry_range = EntryRange(self._reader, max(first, least), min(last, most + 1))
            yield Frame._of_file(entry_range, entry)

    def __repr__(self) -> str:
        return printable(f"<Frames: {len(self)} of '{self._reader.where}'>")
