"""Objects as plain values, with related objects as collection and position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from kaon.errors import UsageError
from kaon.model.objects import Object
from kaon.model.relations import ToMany, ToOne

Place: TypeAlias = tuple[int, str]
"""The index of an object, and the name of its collection."""


def places_of(collections: Mapping[str, Iterable[Object]]) -> dict[Object, Place]:
    """Return the place of each object in collections.

    Raises
    ------
    UsageError
        If an object is in several places.
    """
    places: dict[Object, Place] = {}
    for name, objects in collections.items():
        for index, item in enumerate(objects):
            if item in places:
                before = f"{places[item][1]}[{places[item][0]}]"
                raise UsageError(f"{before} and {name}[{index}] are the same object: clone it")
            places[item] = index, name
    return places


def place_of(target: Object | None, where: str, places: Mapping[Object, Place]) -> Place:
    """Return the place of a related object.

    Raises
    ------
    UsageError
        If it is in no collection.
    """
    if target is not None and target in places:
        return places[target]
    raise UsageError(
        f"{where} refers to a {type(target).__name__} that is in no collection of the frame: "
        "put its collection into the frame, too"
    )


def row_of(item: Object, where: str, places: Mapping[Object, Place]) -> dict[str, Any]:
    """Return the values of an object, with the places of related objects."""
    row = item._to_plain()
    for name, field in item._fields.items():
        if isinstance(field.kind, ToOne):
            if row[name] is not None:
                row[name] = place_of(row[name], f"{where}.{name}", places)
        elif isinstance(field.kind, ToMany):
            row[name] = [place_of(target, f"{where}.{name}", places) for target in row[name]]
    return row


def relate(
    objects: Sequence[Object], rows: Sequence[Mapping[str, Any]], find: Callable[[Place], Object]
) -> None:
    """Give objects the values of rows; `find` returns the related objects by their places."""
    for item, row in zip(objects, rows, strict=True):
        for name, field in item._fields.items():
            value = row[name]
            if isinstance(field.kind, ToOne):
                value = None if value is None else find(value)
            elif isinstance(field.kind, ToMany):
                value = [find(place) for place in value]
            field.__set__(item, value)
