"""What the members of run-time classes can be: how values are checked, read and made columns.

Each kind has

- ``name``: what to call it in documentation;
- ``given(value, where)``: what a user gives as what an object keeps, or an error that names
  `where`;
- ``read(rows, key, at)``: the value of a row in a file's columns;
- ``told(value)``: what an object keeps as plain Python values;
- ``content(values)``: plain values, of one object after another, as a column.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSequence, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from kaon.errors import UsageError, WrongTypeError

if TYPE_CHECKING:
    from awkward.contents import Content

    from kaon.objects import Component, Object


class Rows(Protocol):
    """Columns of a collection's objects in a run of entries."""

    def values(self, key: str) -> list[Any]:
        """Return the values of a member, one a row."""

    def offsets(self, key: str) -> list[int]:
        """Return where the elements of a vector member or relation begin, row by row."""

    def target(self, number: int, index: int, row: int) -> Object:
        """Return the object that a reference in a row leads to."""


class Kind(Protocol):
    """What a member can be."""

    @property
    def name(self) -> str:
        """What to call it in documentation."""

    def given(self, value: Any, where: str) -> Any:
        """Return a user's value as it is kept."""

    def read(self, rows: Rows, key: str, at: int) -> Any:
        """Return the value of a row."""

    def told(self, value: Any) -> Any:
        """Return a kept value as plain Python values."""

    def content(self, values: Sequence[Any]) -> Content:
        """Return plain values as a column."""


def _refuse(value: Any, where: str, needed: str) -> WrongTypeError:
    return WrongTypeError(f"'{where}' needs {needed}, not {value!r}")


class Number:
    """A number or a truth value, which fits the type that it has in files."""

    def __init__(self, dtype: str) -> None:
        self.dtype = np.dtype(dtype)
        self.name = dtype

    def given(self, value: Any, where: str) -> bool | int | float:
        """Return it as Python's; floats as they will be read back."""
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value[()]
        is_bool = isinstance(value, (bool, np.bool_))
        if self.dtype.kind == "b":
            if not is_bool:
                raise _refuse(value, where, "True or False")
            return bool(value)
        if is_bool or not isinstance(value, Real):
            raise _refuse(value, where, "a number")
        if self.dtype.kind == "f":
            return self._rounded(float(value), where)
        try:
            number = operator.index(value)
        except TypeError:
            raise _refuse(value, where, "a whole number") from None
        limits = np.iinfo(self.dtype)
        if not limits.min <= number <= limits.max:
            raise UsageError(f"'{where}' holds {self.dtype} values, and {number} is none")
        return number

    def _rounded(self, value: float, where: str) -> float:
        with np.errstate(over="ignore"):
            rounded = float(self.dtype.type(value))
        if np.isinf(rounded) and not np.isinf(value):
            raise UsageError(f"'{where}' holds {self.dtype} values, and {value} is none")
        return rounded

    def read(self, rows: Rows, key: str, at: int) -> Any:  # noqa: D102
        return rows.values(key)[at]

    def told(self, value: Any) -> Any:  # noqa: D102
        return value

    def content(self, values: Sequence[Any]) -> Content:  # noqa: D102
        from awkward.contents import NumpyArray

        return NumpyArray(np.array(values, self.dtype))


class Text:
    """A string."""

    name = "str"

    def given(self, value: Any, where: str) -> str:  # noqa: D102
        if not isinstance(value, str):
            raise _refuse(value, where, "a str")
        return str(value)

    def read(self, rows: Rows, key: str, at: int) -> Any:  # noqa: D102
        return rows.values(key)[at]

    def told(self, value: str) -> str:  # noqa: D102
        return value

    def content(self, values: Sequence[str]) -> Content:  # noqa: D102
        from awkward.contents import ListOffsetArray, NumpyArray
        from awkward.index import Index64

        texts = [value.encode() for value in values]
        characters = np.frombuffer(b"".join(texts), np.uint8)
        offsets = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        return ListOffsetArray(
            Index64(offsets),
            NumpyArray(characters, parameters={"__array__": "char"}),
            parameters={"__array__": "string"},
        )


class Choice(Number):
    """A member of an enum, or another number of its underlying type."""

    def __init__(self, dtype: str, values: type[enum.IntEnum]) -> None:
        super().__init__(dtype)
        self.values = values
        self.name = values.__name__

    def given(self, value: Any, where: str) -> int:  # noqa: D102
        return self._named(int(super().given(value, where)))

    def read(self, rows: Rows, key: str, at: int) -> int:  # noqa: D102
        return self._named(rows.values(key)[at])

    def told(self, value: Any) -> int:  # noqa: D102
        return int(value)

    def _named(self, value: int) -> int:
        try:
            return self.values(value)
        except ValueError:
            return value


class Optional:
    """A value that may be missing, which is None."""

    def __init__(self, inner: Kind) -> None:
        self.inner = inner
        self.name = f"{inner.name} or None"

    def given(self, value: Any, where: str) -> Any:  # noqa: D102
        return None if value is None else self.inner.given(value, where)

    def read(self, rows: Rows, key: str, at: int) -> Any:  # noqa: D102
        has_value = rows.values(f"{key}.has_value")[at]
        return self.inner.read(rows, f"{key}.value", at) if has_value else None

    def told(self, value: Any) -> Any:  # noqa: D102
        return None if value is None else self.inner.told(value)

    def content(self, values: Sequence[Any]) -> Content:  # noqa: D102
        from awkward.contents import IndexedOptionArray
        from awkward.index import Index64

        is_there = np.array([value is not None for value in values], dtype=bool)
        places = np.where(is_there, np.cumsum(is_there) - 1, -1)
        there = self.inner.content([value for value in values if value is not None])
        return IndexedOptionArray(Index64(places), there)


class Struct:
    """A component."""

    def __init__(self, made: type[Component]) -> None:
        self.made = made
        self.name = made.__name__

    def given(self, value: Any, where: str) -> Component:
        """Return a component of the user's values: another, a mapping, or one after another."""
        fields = self.made._fields
        if type(value).__name__ == self.name and hasattr(value, "_told"):
            value = value._told()  # perhaps of the same model, loaded another time
        elif isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, (str, bytes)):
            if len(value) != len(fields):
                raise UsageError(f"'{where}' needs {', '.join(fields)}, not {len(value)} values")
            value = dict(zip(fields, value, strict=True))
        if not isinstance(value, Mapping):
            raise _refuse(value, where, f"a {self.name} ({', '.join(fields)})")
        return self.made._made(value, where)

    def read(self, rows: Rows, key: str, at: int) -> Component:  # noqa: D102
        fields = self.made._fields.items()
        return self.made._restored(
            {name: field.kind.read(rows, f"{key}.{name}", at) for name, field in fields}
        )

    def told(self, value: Component) -> dict[str, Any]:  # noqa: D102
        return value._told()

    def content(self, values: Sequence[Mapping[str, Any]]) -> Content:  # noqa: D102
        from awkward.contents import RecordArray

        fields = self.made._fields.items()
        contents = [field.kind.content([v[name] for v in values]) for name, field in fields]
        return RecordArray(contents, list(self.made._fields), length=len(values))


class Values(MutableSequence[Any]):
    """Elements of an array, vector member or relation, each checked when it is put in.

    Those of an object in a file cannot be changed.
    """

    __slots__ = ("_given", "_items", "_size", "_where")

    def __init__(
        self,
        items: Iterable[Any],
        where: str,
        given: Callable[[Any, str], Any] | None,
        size: int | None = None,
    ) -> None:
        self._items = list(items)
        self._where = where
        self._given = given
        self._size = size

    def _check(self) -> Callable[[Any, str], Any]:
        if self._given is None:
            raise UsageError(f"'{self._where}' belongs to a file: clone() the object to change it")
        return self._given

    def _check_growth(self) -> None:
        self._check()
        if self._size is not None:
            raise UsageError(f"'{self._where}' always has {self._size} values")

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, at: Any) -> Any:
        return self._items[at]

    def __setitem__(self, at: Any, value: Any) -> None:
        check = self._check()
        if not isinstance(at, slice):
            self._items[at] = check(value, self._where)
            return
        items = list(self._items)
        items[at] = [check(one, self._where) for one in value]
        if len(items) != len(self._items):
            self._check_growth()
        self._items = items

    def __delitem__(self, at: Any) -> None:
        self._check_growth()
        del self._items[at]

    def insert(self, index: int, value: Any) -> None:
        """Put a value before the one at an index."""
        self._check_growth()
        self._items.insert(index, self._check()(value, self._where))

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Values, list, tuple)):
            return self._items == list(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._items)


def _elements(value: Any, where: str, needed: str) -> Iterable[Any]:
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise _refuse(value, where, needed)
    return value


class Array:
    """An array of fixed length."""

    def __init__(self, element: Kind, size: int) -> None:
        self.element = element
        self.size = size
        self.name = f"{size} x {element.name}"

    def given(self, value: Any, where: str) -> Values:  # noqa: D102
        items = list(_elements(value, where, f"{self.size} values"))
        if len(items) != self.size:
            raise UsageError(f"'{where}' needs {self.size} values, not {len(items)}")
        element = self.element.given
        return Values([element(item, where) for item in items], where, element, self.size)

    def read(self, rows: Rows, key: str, at: int) -> Values:  # noqa: D102
        innermost, count = self._flat
        if isinstance(innermost, Struct):
            items = [innermost.read(rows, f"{key}.{i}", at) for i in range(count)]
        else:
            items = rows.values(key)[at]
            items = items if isinstance(items, list) else [items]  # one value is no list in files
        if isinstance(innermost, Choice):
            items = [innermost.given(item, key) for item in items]
        return self.cut(items, key)

    @property
    def holds_numbers(self) -> bool:
        """Whether files have it as one array of numbers, and not each value by itself."""
        return not isinstance(self._flat[0], Struct)

    @property
    def _flat(self) -> tuple[Kind, int]:
        """What is in the innermost arrays, and how many of it there are in all of them."""
        if not isinstance(self.element, Array):
            return self.element, self.size
        innermost, count = self.element._flat
        return innermost, self.size * count

    def cut(self, flat: list[Any], where: str = "") -> Values:
        """Return all values of an array of arrays, the last index running first, as arrays."""
        if not isinstance(self.element, Array):
            return Values(flat, where, None)
        size = len(flat) // self.size
        pieces = (flat[i * size : (i + 1) * size] for i in range(self.size))
        return Values([self.element.cut(piece, where) for piece in pieces], where, None)

    def told(self, value: Iterable[Any]) -> list[Any]:  # noqa: D102
        return [self.element.told(item) for item in value]

    def content(self, values: Sequence[Sequence[Any]]) -> Content:  # noqa: D102
        from awkward.contents import RegularArray

        items = [item for value in values for item in value]
        flat = self.element.content(items)
        if isinstance(flat, RegularArray):  # of arrays, which files have as one array
            return RegularArray(flat.content, self.size * flat.size, len(values))
        return RegularArray(flat, self.size, len(values))


class Vector:
    """Any number of values: a vector member."""

    def __init__(self, element: Kind) -> None:
        self.element = element
        self.name = f"list of {element.name}"

    def given(self, value: Any, where: str) -> Values:  # noqa: D102
        element = self.element.given
        items = _elements(value, where, f"a {self.name}")
        return Values([element(item, where) for item in items], where, element)

    def read(self, rows: Rows, key: str, at: int) -> Values:  # noqa: D102
        offsets = rows.offsets(key)
        inside = range(offsets[at], offsets[at + 1])
        return Values([self.element.read(rows, key, i) for i in inside], key, None)

    def told(self, value: Iterable[Any]) -> list[Any]:  # noqa: D102
        return [self.element.told(item) for item in value]

    def content(self, values: Sequence[Sequence[Any]]) -> Content:  # noqa: D102
        return _lists(self.element, values)


class ToOne:
    """A reference to an object, or None."""

    def __init__(self, target: str, datatypes: Sequence[str]) -> None:
        self.datatypes = datatypes
        self.name = target.rpartition("::")[2]

    def given(self, value: Any, where: str) -> Object | None:  # noqa: D102
        from kaon.objects import Object

        if value is None:
            return None
        if not isinstance(value, Object) or value._datatype.name not in self.datatypes:
            raise _refuse(value, where, f"a {self.name}")
        return value

    def read(self, rows: Rows, key: str, at: int) -> Object | None:  # noqa: D102
        index = rows.values(f"{key}.index")[at]
        return None if index < 0 else rows.target(rows.values(f"{key}.collection")[at], index, at)

    def told(self, value: Object | None) -> Object | None:
        """Return the object: only those who know all collections know where it is."""
        return value

    def content(self, values: Sequence[tuple[int, str] | None]) -> Content:
        """Return references, each an index and the name of a collection, as a column."""
        from awkward.contents import IndexedOptionArray, NumpyArray, RecordArray
        from awkward.index import Index64

        names = list(dict.fromkeys(value[1] for value in values if value is not None))
        numbers = {name: number for number, name in enumerate(names)}
        index = np.array([-1 if v is None else v[0] for v in values], dtype=np.int32)
        codes = np.array([-1 if v is None else numbers[v[1]] for v in values], dtype=np.int64)
        collection = IndexedOptionArray(
            Index64(codes), _strings(names), parameters={"__array__": "categorical"}
        )
        return RecordArray([NumpyArray(index), collection], ["index", "collection"])


class ToMany:
    """Any number of references to objects."""

    def __init__(self, element: ToOne) -> None:
        self.element = element
        self.name = f"list of {element.name}"

    def given(self, value: Any, where: str) -> Values:  # noqa: D102
        items = _elements(value, where, f"a {self.name}")
        return Values([self._one(item, where) for item in items], where, self._one)

    def _one(self, value: Any, where: str) -> Object:
        found = self.element.given(value, where)
        if found is None:
            raise _refuse(value, where, f"a {self.element.name}")
        return found

    def read(self, rows: Rows, key: str, at: int) -> Values:  # noqa: D102
        offsets = rows.offsets(key)
        inside = range(offsets[at], offsets[at + 1])
        # Row `at` tells the entry, which the reference's own row does not.
        index, collection = rows.values(f"{key}.index"), rows.values(f"{key}.collection")
        found = [None if index[i] < 0 else rows.target(collection[i], index[i], at) for i in inside]
        return Values(found, key, None)

    def told(self, value: Iterable[Object]) -> list[Object]:  # noqa: D102
        return list(value)

    def content(self, values: Sequence[Sequence[tuple[int, str]]]) -> Content:  # noqa: D102
        return _lists(self.element, values)


def _lists(element: Kind, values: Sequence[Sequence[Any]]) -> Content:
    from awkward.contents import ListOffsetArray
    from awkward.index import Index64

    offsets = np.cumsum([0, *map(len, values)], dtype=np.int64)
    flat = element.content([item for value in values for item in value])
    return ListOffsetArray(Index64(offsets), flat)


def _strings(names: Sequence[str]) -> Content:
    import awkward as ak

    return ak.to_layout(ak.Array(names or [""]))
