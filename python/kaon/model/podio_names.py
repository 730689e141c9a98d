"""Functions of objects with the names that podio's generated classes have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def accessor(record: Any, name: str) -> Callable[..., Any] | None:
    """Return the function of a record with a name such as getPDG, setMomentum or addToDaughters.

    Returns None for other names.
    """
    for prefix, make in (("get", _getter), ("set", _setter), ("addTo", _adder)):
        capital = name.removeprefix(prefix)
        if capital in ("", name):
            continue
        for member in (capital, capital[0].lower() + capital[1:]):
            if member in record._fields:
                return make(record, member)
    return None


def _getter(record: Any, member: str) -> Callable[..., Any]:
    def get(index: int | None = None) -> Any:
        value = record[member]
        return value if index is None else value[index]

    return get


def _setter(record: Any, member: str) -> Callable[[Any], None]:
    def put(value: Any) -> None:
        record[member] = value

    return put


def _adder(record: Any, member: str) -> Callable[[Any], None]:
    def add(value: Any) -> None:
        record[member] = [*record[member], value]

    return add
