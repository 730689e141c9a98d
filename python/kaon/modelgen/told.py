"""The values of a model as JSON can hold them, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T", bound="Told")


def untold(default: Any) -> Any:
    """Return a field that is not told, and does not make values differ."""
    return field(default=default, compare=False, repr=False)


def told_as(key: str, **options: Any) -> Any:
    """Return a field that has another key in JSON than its name in camel case."""
    return field(metadata={"key": key}, **options)


@dataclass(frozen=True)
class Told:
    """A dataclass whose fields are entries of a JSON object; those that say nothing are left out.

    Fields are texts, numbers, what has `to_dict` and `from_dict` itself, and tuples and mappings of
    such.
    """

    told_always: ClassVar[tuple[str, ...]] = ()
    """The keys of entries that are there even if they say nothing."""

    def to_dict(self) -> Any:
        """Return what JSON can hold."""
        entries = {one.key: _told(getattr(self, one.name)) for one in _entries(type(self))}
        return {
            key: value
            for key, value in entries.items()
            if key in self.told_always or value not in (None, "", [], {})
        }

    @classmethod
    def from_dict(cls: type[T], entries: Any) -> T:
        """Restore what `to_dict` returned.

        Raises
        ------
        KeyError
            If something is missing that every value of the class has.
        """
        return cls(
            **{
                one.name: one.restore(entries[one.key])
                for one in _entries(cls)
                if one.key in entries or one.is_needed
            }
        )


@dataclass(frozen=True)
class _Entry:
    name: str
    key: str
    restore: Callable[[Any], Any]
    is_needed: bool


@cache
def _entries(of: type[Told]) -> tuple[_Entry, ...]:
    return tuple(_entries_of(of))


def _entries_of(of: type[Told]) -> Iterator[_Entry]:
    types = get_type_hints(of)
    for one in fields(of):
        if one.compare:
            is_needed = one.default is MISSING and one.default_factory is MISSING
            yield _Entry(one.name, _key(one), _restorer(types[one.name]), is_needed)


def _key(of: Field[Any]) -> str:
    first, *others = of.name.split("_")
    return of.metadata.get("key", first + "".join(word.capitalize() for word in others))


def _told(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_told(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _told(item) for key, item in value.items()}
    return value.to_dict() if hasattr(value, "to_dict") else value


def _restorer(type_: Any) -> Callable[[Any], Any]:
    """Return what makes a value of a type of what JSON holds of it."""
    if get_origin(type_) is tuple:
        restore = _restorer(get_args(type_)[0])
        return lambda items: tuple(map(restore, items))
    if get_origin(type_) is Mapping:
        restore = _restorer(get_args(type_)[1])
        return lambda items: {key: restore(item) for key, item in items.items()}
    return getattr(type_, "from_dict", lambda value: value)
