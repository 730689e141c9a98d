"""The values of a model as JSON, and their restoration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, ClassVar, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T", bound="JsonValue")


class WrongJson(ValueError):
    """JSON that is not the value that was expected, with its path, such as "members[1].name"."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.path = path
        self.message = message

    def inside(self, step: str) -> WrongJson:
        """Return this mistake with a step before its path: "name" or "[1]"."""
        dot = "." if self.path and not self.path.startswith("[") else ""
        return WrongJson(f"{step}{dot}{self.path}", self.message)


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
        WrongJson
            If an entry is missing, or has a value of another type.
        """
        if not isinstance(entries, Mapping):
            raise WrongJson("", "expected entries by name")
        values = {}
        for entry in _entries(cls):
            if entry.key in entries:
                values[entry.name] = _restored(entry.restore, entries[entry.key], entry.key)
            elif entry.is_needed:
                raise WrongJson("", f"the entry '{entry.key}' is missing")
        return cls(**values)


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


def _restored(restore: Callable[[Any], Any], value: Any, step: str) -> Any:
    try:
        return restore(value)
    except WrongJson as mistake:
        raise mistake.inside(step) from None


def _restorer(type_: Any) -> Callable[[Any], Any]:
    """Return the function that restores a value of a type from JSON."""
    if get_origin(type_) in (UnionType, Union):  # an optional value
        (type_,) = (each for each in get_args(type_) if each is not NoneType)
    if get_origin(type_) is tuple:
        restore = _restorer(get_args(type_)[0])
        return partial(_restored_list, restore)
    if get_origin(type_) is Mapping:
        restore = _restorer(get_args(type_)[1])
        return partial(_restored_entries, restore)
    return getattr(type_, "from_dict", None) or partial(_checked, type_)


def _restored_list(restore: Callable[[Any], Any], items: Any) -> tuple[Any, ...]:
    if not isinstance(items, (list, tuple)):
        raise WrongJson("", "expected a list")
    return tuple(_restored(restore, item, f"[{i}]") for i, item in enumerate(items))


def _restored_entries(restore: Callable[[Any], Any], items: Any) -> dict[str, Any]:
    if not isinstance(items, Mapping):
        raise WrongJson("", "expected entries by name")
    return {key: _restored(restore, item, key) for key, item in items.items()}


_EXPECTED = {str: "a text", int: "a whole number of 64 bits", bool: "true or false"}


def _checked(type_: type[Any], value: Any) -> Any:
    is_right = type(value) is type_ and (type_ is not int or -(2**63) <= value < 2**64)
    if not is_right:
        raise WrongJson("", f"expected {_EXPECTED[type_]}")
    return value
