"""The kinds of members: how their values are checked, read from files, and put in columns.

This module has the kinds of single values. `kaon.model.lists` has kinds of several values,
`kaon.model.objects` has components, and `kaon.model.relations` has references to objects. `Kind` is
the interface of all kinds.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, cast

import numpy as np

from kaon.errors import UsageError, WrongTypeError

if TYPE_CHECKING:
    from awkward.contents import Content


class Columns(Protocol):
    """Columns of a collection's objects in consecutive entries of a file."""

    def has(self, member: str) -> bool:
        """Tell whether the file has a member; its model may be of another version."""

    def values(self, key: str, extent: int = 1) -> list[Any]:
        """Return the values of a member, one for each row; lists if `extent` exceeds 1."""

    def offsets(self, key: str, depth: int = 0) -> list[int]:
        """Return the begins of the elements of a vector member or relation, row by row.

        The depth is the number of lists around the elements, below the object's own list.
        """

    def object(self, entry: int, index: int) -> Any:
        """Return an object of an entry."""

    def target(self, number: int, index: int, row: int) -> Any:
        """Return the object that a reference in a row leads to."""


class Kind(Protocol):
    """The kind of a member."""

    @property
    def name(self) -> str:
        """The name of the kind in documentation."""

    def checked(self, value: Any, where: str) -> Any:
        """Return a user's value in the form that objects keep; errors name `where`."""

    def read(self, columns: Columns, key: str, at: int) -> Any:
        """Return the value of a row in a file's columns."""

    def to_plain(self, value: Any) -> Any:
        """Return a value of an object as plain Python values."""

    def content(self, values: Sequence[Any]) -> Content:
        """Return the plain values of several objects as a column."""


class Element(Kind, Protocol):
    """The kind of the elements of an array."""

    def read_several(self, columns: Columns, key: str, at: int, extent: int) -> list[Any]:
        """Return the values of an array in a row, or of all arrays in a nested array."""


def wrong_kind(value: Any, where: str, needed: str) -> WrongTypeError:
    """Return the error about a value of the wrong kind."""
    return WrongTypeError(f"'{where}' needs {needed}, not {value!r}")


class Number:
    """A number or boolean that fits its type in files."""

    def __init__(self, dtype: str) -> None:
        self.dtype = np.dtype(dtype)
        self.name = dtype

    def checked(self, value: Any, where: str) -> bool | int | float:
        """Return a Python number; floats are rounded as in files."""
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value[()]
        is_bool = isinstance(value, (bool, np.bool_))
        if self.dtype.kind == "b":
            if not is_bool:
                raise wrong_kind(value, where, "True or False")
            return bool(value)
        if is_bool or not isinstance(value, Real):
            raise wrong_kind(value, where, "a number")
        if self.dtype.kind == "f":
            return self._rounded(float(value), where)
        try:
            number = operator.index(cast(SupportsIndex, value))
        except TypeError:
            raise wrong_kind(value, where, "a whole number") from None
        limits = np.iinfo(self.dtype)
        if not limits.min <= number <= limits.max:
            raise UsageError(f"'{where}' holds {self.dtype} values, and {number} does not fit")
        return number

    def _rounded(self, value: float, where: str) -> float:
        with np.errstate(over="ignore"):
            rounded = float(self.dtype.type(value))
        if np.isinf(rounded) and not np.isinf(value):
            raise UsageError(f"'{where}' holds {self.dtype} values, and {value} does not fit")
        return rounded

    def read(self, columns: Columns, key: str, at: int) -> Any:  # noqa: D102
        return columns.values(key)[at]

    def read_several(  # noqa: D102
        self, columns: Columns, key: str, at: int, extent: int
    ) -> list[Any]:
        values = columns.values(key, extent)[at]
        return [values] if extent == 1 else values

    def to_plain(self, value: Any) -> Any:  # noqa: D102
        return value

    def content(self, values: Sequence[Any]) -> Content:  # noqa: D102
        from awkward.contents import NumpyArray

        return NumpyArray(np.array(values, self.dtype))


class Text:
    """A string."""

    name = "str"

    def checked(self, value: Any, where: str) -> str:  # noqa: D102
        if not isinstance(value, str):
            raise wrong_kind(value, where, "a str")
        return str(value)

    def read(self, columns: Columns, key: str, at: int) -> Any:  # noqa: D102
        return columns.values(key)[at]

    def to_plain(self, value: str) -> str:  # noqa: D102
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

    def checked(self, value: Any, where: str) -> int:  # noqa: D102
        return self._named(int(super().checked(value, where)))

    def read(self, columns: Columns, key: str, at: int) -> int:  # noqa: D102
        return self._named(columns.values(key)[at])

    def read_several(  # noqa: D102
        self, columns: Columns, key: str, at: int, extent: int
    ) -> list[Any]:
        return [self._named(value) for value in super().read_several(columns, key, at, extent)]

    def to_plain(self, value: Any) -> int:  # noqa: D102
        return int(value)

    def _named(self, value: int) -> int:
        try:
            return self.values(value)
        except ValueError:
            return value


class Optional:
    """A value that may be missing, which is then None."""

    def __init__(self, inner: Kind) -> None:
        self.inner = inner
        self.name = f"{inner.name} or None"

    def checked(self, value: Any, where: str) -> Any:  # noqa: D102
        return None if value is None else self.inner.checked(value, where)

    def read(self, columns: Columns, key: str, at: int) -> Any:  # noqa: D102
        has_value = columns.values(f"{key}.has_value")[at]
        return self.inner.read(columns, f"{key}.value", at) if has_value else None

    def to_plain(self, value: Any) -> Any:  # noqa: D102
        return None if value is None else self.inner.to_plain(value)

    def content(self, values: Sequence[Any]) -> Content:  # noqa: D102
        from awkward.contents import IndexedOptionArray
        from awkward.index import Index64

        is_there = np.array([value is not None for value in values], dtype=bool)
        places = np.where(is_there, np.cumsum(is_there) - 1, -1)
        present = self.inner.content([value for value in values if value is not None])
        return IndexedOptionArray(Index64(places), present)
