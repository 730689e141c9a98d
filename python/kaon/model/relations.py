"""Kinds of members with references to objects: relations to one and to many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kaon.model.kinds import Columns, wrong_kind
from kaon.model.lists import Values, elements, list_content
from kaon.model.objects import Object

if TYPE_CHECKING:
    from awkward.contents import Content


class ToOne:
    """A reference to an object, or None."""

    def __init__(self, target: str, datatypes: Sequence[str]) -> None:
        self.datatypes = datatypes
        self.name = target.rpartition("::")[2]

    def checked(self, value: Any, where: str) -> Object | None:  # noqa: D102
        if value is None:
            return None
        if not isinstance(value, Object) or value._datatype.name not in self.datatypes:
            raise wrong_kind(value, where, f"a {self.name}")
        return value

    def read(self, columns: Columns, key: str, at: int) -> Object | None:  # noqa: D102
        index = columns.values(f"{key}.index")[at]
        return (
            None
            if index < 0
            else columns.target(columns.values(f"{key}.collection")[at], index, at)
        )

    def to_plain(self, value: Object | None) -> Object | None:
        """Return the object itself; its place depends on all collections of the frame."""
        return value

    def content(self, values: Sequence[tuple[int, str] | None]) -> Content:
        """Return references as a column; each is an index and the name of a collection."""
        from awkward.contents import IndexedOptionArray, NumpyArray, RecordArray
        from awkward.index import Index64

        names = list(dict.fromkeys(value[1] for value in values if value is not None))
        numbers = {name: number for number, name in enumerate(names)}
        index = np.array([-1 if v is None else v[0] for v in values], dtype=np.int32)
        codes = np.array([-1 if v is None else numbers[v[1]] for v in values], dtype=np.int64)
        collection = IndexedOptionArray(Index64(codes), _strings(names))
        return RecordArray([NumpyArray(index), collection], ["index", "collection"])


class ToMany:
    """Any number of references to objects."""

    def __init__(self, element: ToOne) -> None:
        self.element = element
        self.name = f"list of {element.name}"

    def checked(self, value: Any, where: str) -> Values:  # noqa: D102
        items = elements(value, where, f"a {self.name}")
        return Values([self._one(item, where) for item in items], where, self._one)

    def _one(self, value: Any, where: str) -> Object:
        target = self.element.checked(value, where)
        if target is None:
            raise wrong_kind(value, where, f"a {self.element.name}")
        return target

    def read(self, columns: Columns, key: str, at: int) -> Values:  # noqa: D102
        offsets = columns.offsets(key)
        inside = range(offsets[at], offsets[at + 1])
        # The row `at` determines the entry; the row of the reference does not.
        index, collection = columns.values(f"{key}.index"), columns.values(f"{key}.collection")
        targets = [
            None if index[i] < 0 else columns.target(collection[i], index[i], at) for i in inside
        ]
        return Values(targets, key, None)

    def to_plain(self, value: Iterable[Object]) -> list[Object]:  # noqa: D102
        return list(value)

    def content(self, values: Sequence[Sequence[tuple[int, str]]]) -> Content:  # noqa: D102
        return list_content(self.element, values)


def _strings(names: Sequence[str]) -> Content:
    import awkward as ak

    return ak.to_layout(ak.Array(names or [""]))
