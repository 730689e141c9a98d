"""Kinds of members with several values: arrays of fixed length and vector members."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSequence, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from kaon.errors import UsageError
from kaon.model.kinds import Columns, Element, Kind, wrong_kind

if TYPE_CHECKING:
    from awkward.contents import Content


class Values(MutableSequence[Any]):
    """Elements of an array, vector member or relation; each new element is checked.

    Elements of an object in a file cannot be changed.
    """

    __slots__ = ("_checked", "_items", "_size", "_where")

    def __init__(
        self,
        items: Iterable[Any],
        where: str,
        checked: Callable[[Any, str], Any] | None,
        size: int | None = None,
    ) -> None:
        self._items = list(items)
        self._where = where
        self._checked = checked
        self._size = size

    def _check(self) -> Callable[[Any, str], Any]:
        if self._checked is None:
            raise UsageError(f"'{self._where}' belongs to a file: clone() the object to change it")
        return self._checked

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
        items[at] = [check(item, self._where) for item in value]
        if len(items) != len(self._items):
            self._check_growth()
        self._items = items

    def __delitem__(self, at: Any) -> None:
        self._check_growth()
        del self._items[at]

    def insert(self, index: int, value: Any) -> None:
        """Insert a value before the value at an index."""
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


def elements(value: Any, where: str, needed: str) -> Iterable[Any]:
    """Return the elements of a user's value.

    Raises
    ------
    WrongTypeError
        If the value is a single one.
    """
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise wrong_kind(value, where, needed)
    return value


class Array:
    """An array of fixed length."""

    def __init__(self, element: Element | Array, size: int) -> None:
        self.element = element
        self.size = size
        self.name: str = f"{size} x {element.name}"

    def checked(self, value: Any, where: str) -> Values:  # noqa: D102
        items = list(elements(value, where, f"{self.size} values"))
        if len(items) != self.size:
            raise UsageError(f"'{where}' needs {self.size} values, not {len(items)}")
        element = self.element.checked
        return Values([element(item, where) for item in items], where, element, self.size)

    def read(self, columns: Columns, key: str, at: int) -> Values:  # noqa: D102
        return self._cut(self.innermost.read_several(columns, key, at, prod(self.shape)), key)

    @property
    def innermost(self) -> Element:
        """The kind of the elements of the innermost arrays."""
        return self.element.innermost if isinstance(self.element, Array) else self.element

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of nested arrays, the outermost first."""
        inner = self.element.shape if isinstance(self.element, Array) else ()
        return (self.size, *inner)

    def _cut(self, flat: list[Any], where: str) -> Values:
        """Return a nested array from its values, given row by row."""
        if not isinstance(self.element, Array):
            return Values(flat, where, None)
        size = len(flat) // self.size
        pieces = (flat[i * size : (i + 1) * size] for i in range(self.size))
        return Values([self.element._cut(piece, where) for piece in pieces], where, None)

    def to_plain(self, value: Iterable[Any]) -> list[Any]:  # noqa: D102
        return [self.element.to_plain(item) for item in value]

    def content(self, values: Sequence[Sequence[Any]]) -> Content:  # noqa: D102
        from awkward.contents import RegularArray

        items = [item for value in values for item in value]
        return RegularArray(self.element.content(items), self.size, len(values))


class Vector:
    """Any number of values: a vector member, or a list inside one.

    Parameters
    ----------
    depth
        The number of lists around it.
    """

    def __init__(self, element: Kind, depth: int = 0) -> None:
        self.element = element
        self.depth = depth
        self.name = f"list of {element.name}"

    def checked(self, value: Any, where: str) -> Values:  # noqa: D102
        element = self.element.checked
        items = elements(value, where, f"a {self.name}")
        return Values([element(item, where) for item in items], where, element)

    def read(self, columns: Columns, key: str, at: int) -> Values:  # noqa: D102
        offsets = columns.offsets(key, self.depth)
        inside = range(offsets[at], offsets[at + 1])
        return Values([self.element.read(columns, key, i) for i in inside], key, None)

    def to_plain(self, value: Iterable[Any]) -> list[Any]:  # noqa: D102
        return [self.element.to_plain(item) for item in value]

    def content(self, values: Sequence[Sequence[Any]]) -> Content:  # noqa: D102
        return list_content(self.element, values)


def list_content(element: Kind, values: Sequence[Sequence[Any]]) -> Content:
    """Return lists of plain values as a column."""
    from awkward.contents import ListOffsetArray
    from awkward.index import Index64

    offsets = np.cumsum([0, *map(len, values)], dtype=np.int64)
    flat = element.content([item for value in values for item in value])
    return ListOffsetArray(Index64(offsets), flat)
