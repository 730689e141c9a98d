"""The values of a model as JSON, and their restoration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T", bound="JsonValue")


def outside_json(default: Any) -> Any:
    """Return a field that is not part of JSON and of comparisons."""
    return field(default=default, compare=False, repr=False)


def json_field(key: str, **options: Any) -> Any:
    """Return a field with another key in JSON than its name in camel case."""
    return field(metadata={"key": key}, **options)


@dataclass(frozen=True)
class JsonValue:
    """A dataclass whose fields are entries of a JSON object; empty fields are left out.

    Fields are strings, numbers, objects with `to_dict` and `from_dict`, and tuples and mappings of
    these.
    """

    always_in_json: ClassVar[tuple[str, ...]] = ()
    """The keys of entries that are present even if they are empty."""

    def to_dict(self) -> Any:
        """Return values that JSON can hold."""
        entries = {entry.key: _to_json(getattr(self, entry.name)) for entry in _entries(type(self))}
        return {
            key: value
            for key, value in entries.items()
            if key in self.always_in_json or value not in (None, "", [], {})
        }

    @classmethod
    def from_dict(cls: type[T], entries: Any) -> T:
        """Restore a value from the result of `to_dict`.

        Raises
        ------
        KeyError
            If a necessary entry is missing.
        """
        return cls(
            **{
                entry.name: entry.restore(entries[entry.key])
                for entry in _entries(cls)
                if entry.key in entries or entry.is_needed
            }
        )


@dataclass(frozen=True)
class _Entry:
    name: str
    key: str
    restore: Callable[[Any], Any]
    is_needed: bool


def _entries_of(class_: Any) -> tuple[_Entry, ...]:
    types = get_type_hints(class_)
    entries = []
    for field_ in fields(class_):
        if field_.compare:
            is_needed = field_.default is MISSING and field_.default_factory is MISSING
            entries.append(
                _Entry(field_.name, _key(field_), _restorer(types[field_.name]), is_needed)
            )
    return tuple(entries)


_entries: Callable[[Any], tuple[_Entry, ...]] = cache(_entries_of)
"""The entries of a class."""


def _key(field_: Field[Any]) -> str:
    first, *others = field_.name.split("_")
    key: str = field_.metadata.get("key", first + "".join(word.capitalize() for word in others))
    return key


def _to_json(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_to_json(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _to_json(item) for key, item in value.items()}
    return value.to_dict() if hasattr(value, "to_dict") else value


def _restorer(type_: Any) -> Callable[[Any], Any]:
    """Return the function that restores a value of a type from JSON."""
    if get_origin(type_) is tuple:
        restore = _restorer(get_args(type_)[0])
        return lambda items: tuple(map(restore, items))
    if get_origin(type_) is Mapping:
        restore = _restorer(get_args(type_)[1])
        return lambda items: {key: restore(item) for key, item in items.items()}
    return getattr(type_, "from_dict", lambda value: value)
