"""Collections: ordered objects of one datatype."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kaon import _core
from kaon.columns.decorations import Decoration, check_name, new_decoration
from kaon.errors import (
    OutOfRangeError,
    UnknownMemberError,
    UnknownNameError,
    UsageError,
    WrongTypeError,
)
from kaon.model.objects import Object
from kaon.model.plain_values import places_of, relate, row_of
from kaon.model.relations import ToMany, ToOne

if TYPE_CHECKING:
    from kaon.events.rows import Rows

_MOST_SHOWN = 20
_MOST_ON_A_LINE = 60


class Collection(Sequence[Object]):
    """Objects of one datatype, new or from a file.

    >>> particles = kaon.Collection(edm.MCParticle)
    >>> top = particles.create(PDG=6)
    >>> particles.PDG
    <Array [6] type='1 * int32'>

    Parameters
    ----------
    datatype
        The class of the objects.
    objects
        The initial objects.
    is_subset
        Whether the objects belong to other collections of the frame.

    Raises
    ------
    WrongTypeError
        If an object is of another datatype.
    """

    def __init__(
        self, datatype: type[Object], objects: Iterable[Object] = (), is_subset: bool = False
    ) -> None:
        if not (isinstance(datatype, type) and issubclass(datatype, Object)):
            raise WrongTypeError(f"a collection needs a class of a model, not {datatype!r}")
        self._class = datatype
        self.is_subset = is_subset
        self._objects: list[Object] = []
        self._decorations: dict[str, Decoration] = {}
        for item in objects:
            self.append(item)

    @classmethod
    def _of_objects(cls, objects: Iterable[Object], name: str) -> Collection:
        if not isinstance(objects, Iterable):
            raise WrongTypeError(f"'{name}' needs objects, not {objects!r}")
        objects = list(objects)
        if not objects:
            raise UsageError(
                f"'{name}' is empty, so its datatype is unknown: "
                "give a kaon.Collection of the datatype"
            )
        if not isinstance(objects[0], Object):
            raise WrongTypeError(f"'{name}' needs objects, not {objects[0]!r}")
        return cls(type(objects[0]), objects)

    def __copy__(self) -> Collection:
        copied = type(self).__new__(type(self))
        copied.__dict__.update(self.__dict__)
        copied._objects, copied._decorations = list(self._objects), dict(self._decorations)
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        if self.is_subset:
            return _subset, (self._class, self._objects, self._decorations)
        try:
            places = places_of({"": self})
            rows = [row_of(item, f"[{at}]", places) for at, item in enumerate(self)]
        except UsageError:
            raise UsageError(
                f"this collection of {self._class.__name__} has relations to objects of other "
                "collections, and cannot be pickled alone: pickle the frame with all of them"
            ) from None
        return _collection, (self._class, rows, self._decorations)

    @property
    def datatype(self) -> type[Object]:
        """The class of the objects."""
        return self._class

    def append(self, item: Object) -> None:
        """Append an object."""
        expected = self._class._datatype.name
        if not isinstance(item, Object) or item._datatype.name != expected:
            raise WrongTypeError(f"a collection of {expected} cannot have {item!r}")
        self._objects.append(item)

    def create(self, /, *args: Any, **values: Any) -> Object:
        """Append a new object with these members, and return it.

        Raises
        ------
        UsageError
            If the collection is a subset.
        """
        if self.is_subset:
            raise UsageError(
                "a subset has objects of other collections: create the object there, and append it"
            )
        created = self._class(*args, **values)
        self.append(created)
        return created

    def decorate(self, name: str, values: Any, missing: Any = None) -> None:
        """Add a member that the objects' datatype does not have.

        >>> jets.decorate("isolation", np.array([0.1, 0.5], dtype=np.float32))
        >>> jets.isolation
        <Array [0.1, 0.5] type='2 * float32'>

        Parameters
        ----------
        values
            An array of numbers or booleans, one for each object. Files keep its type.
        missing
            The value of objects that are appended later, or are in events without the decoration;
            by default 0.

        Raises
        ------
        UsageError
            If the objects have a member of this name, the number of values is wrong, or the
            missing value is out of range.
        WrongTypeError
            If values are neither numbers nor booleans.
        """
        check_name(name, self._class._fields, self._class._datatype.name)
        decoration = new_decoration(values, missing, name)
        if len(values) != len(self):
            raise UsageError(f"'{name}' has {len(values)} values for {len(self)} objects")
        self._decorations[name] = decoration

    @property
    def decorations(self) -> tuple[str, ...]:
        """The names of the decorations."""
        return tuple(self._all_decorations())

    def _all_decorations(self) -> dict[str, Decoration]:
        return self._decorations

    def __len__(self) -> int:
        return len(self._objects)

    def __getitem__(self, at: Any) -> Any:
        places = self._places(at)
        return (
            [self._objects[i] for i in places]
            if isinstance(places, range)
            else self._objects[places]
        )

    def _places(self, at: Any) -> int | range:
        """Return the index of a number, or the range of a slice."""
        try:
            places: int | range = range(len(self))[at]
        except IndexError:
            kind = self._class._datatype.name
            raise OutOfRangeError(f"there is no {kind} {at}, only {len(self)}") from None
        except TypeError:
            raise WrongTypeError(
                f"select objects by number, not by {at!r}; a member of all objects is an attribute "
                "of the collection"
            ) from None
        return places

    def __getattr__(self, name: str) -> Any:
        """Return a member of all objects as an array."""
        if name.startswith("_"):
            raise AttributeError(name)
        return self._column(name)

    def _column(self, name: str) -> Any:
        import awkward as ak

        if name in self._decorations:
            return self._decoration_column(name)
        kind = self._class._field(name).kind
        if isinstance(kind, (ToOne, ToMany)):
            raise UsageError(f"'{name}' is a relation, and has a column only in a file")
        return ak.Array(kind.content([kind.to_plain(item[name]) for item in self]))

    def _decoration_column(self, name: str) -> Any:
        import awkward as ak

        from kaon.columns.decorated_arrays import decoration_content

        return ak.Array(decoration_content([self._decorations[name].padded(len(self))]))

    def __repr__(self) -> str:
        origin = "of other collections: " if self.is_subset else "of "
        return f"<Collection {origin}{len(self)} {self._class.__name__}>"

    def _note(self) -> str:
        origin = " of other collections" if self.is_subset else ""
        return f"{len(self):,} {self._class.__name__}{origin}"

    def _repr_html_(self) -> str:
        from kaon.cards import card, table

        rows = [
            (str(number), *item._card_texts()) for number, item in enumerate(self[:_MOST_SHOWN])
        ]
        left = len(self) - len(rows)
        facts = [
            _core.counted(len(self), "object"),
            f"the first {len(rows)} are shown" if left else "",
        ]
        headings = ("", *self._class._fields)
        texts_of = zip(headings, zip(*rows, strict=True), strict=True) if rows else ()
        on_one_line = [name for name, texts in texts_of if max(map(len, texts)) <= _MOST_ON_A_LINE]
        return card(self._class.__name__, facts, table(headings, rows, numbers=on_one_line[1:]))


class FileCollection(Collection):
    """A collection of an event in a file; it cannot be changed."""

    def __init__(self, rows: Rows, entry: int) -> None:
        super().__init__(rows.object_class)
        self._rows = rows
        self._entry = entry

    def __reduce__(self) -> tuple[Any, ...]:
        return _file_collection, (self._rows, self._entry, self._decorations)

    def append(self, item: Object) -> None:
        """Raise UsageError, as the collection belongs to a file."""
        raise UsageError(
            f"'{self._rows.name}' belongs to a file, and cannot grow: make a new collection of "
            "clones"
        )

    def __len__(self) -> int:
        return self._rows.count(self._entry)

    def __iter__(self) -> Iterator[Any]:
        return self._rows.objects(self._entry, range(len(self)))

    def __getitem__(self, at: Any) -> Any:
        places = self._places(at)
        if isinstance(places, range):
            return list(self._rows.objects(self._entry, places))
        return self._rows.object(self._entry, places)

    def _all_decorations(self) -> dict[str, Decoration]:
        return {**self._rows.decorations(self._entry), **self._decorations}

    def _column(self, name: str) -> Any:
        if name in self._decorations:
            return self._decoration_column(name)
        try:
            return self._rows.entry_range.column(f"{self._rows.name}.{name}", self._entry)
        except UnknownNameError as error:
            raise UnknownMemberError(str(error)) from None


def _subset(
    datatype: type[Object], objects: list[Object], decorations: dict[str, Decoration]
) -> Collection:
    subset = Collection(datatype, objects, is_subset=True)
    subset._decorations = decorations
    return subset


def _collection(
    datatype: type[Object], rows: Sequence[Mapping[str, Any]], decorations: dict[str, Decoration]
) -> Collection:
    """Return a collection of plain values, with relations only inside the collection."""
    collection = Collection(datatype, [datatype() for _ in rows])
    collection._decorations = decorations
    relate(collection._objects, rows, lambda place: collection._objects[place[0]])
    return collection


def _file_collection(rows: Rows, entry: int, decorations: dict[str, Decoration]) -> FileCollection:
    collection = FileCollection(rows, entry)
    collection._decorations = decorations
    return collection
