"""Metadata: keys and values about a file, its categories and collections, and their merging.

A file stores them as one JSON document called ``metadata``, which C++ programs write by
``Writer::putDocument``::

    {"file":        {"luminosity": 12.3},
     "categories":  {"events": {"generator": "PYTHIA 8"}},
     "collections": {"events": {"MCParticles": {"cut": 0.5}}},
     "rules":       {"file": {"luminosity": "sum"}, "categories": {...}, "collections": {...}}}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from typing import Any

from kaon import _core
from kaon.errors import CorruptFileError, UnknownNameError, WrongTypeError

DOCUMENT = "metadata"
"""The name of the document in files."""

_SAME = "same"


class Metadata(MutableMapping[str, Any]):
    """Keys and values, each with a rule by which `merge_metadata` merges the values of files.

    Values are of JSON's types: numbers except NaN and infinities, strings, booleans, None, lists,
    and dictionaries with strings as keys. Assigning a value keeps the rule of its key; `set` sets
    the rule.
    """

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}
        self._rules: dict[str, str] = {}  # except "same"
        self._parts: dict[str, Metadata] = {}

    def set(self, key: str, value: Any, merge: str = _SAME) -> None:
        """Set a value.

        Parameters
        ----------
        merge
            The rule for merging with values of other files: "same", "first", "last", "sum", "min",
            "max", "list" or "union". With "same", values must not differ. "sum" needs numbers;
            "min" and "max" need numbers or strings. Whole numbers have at most 64 bits for these.
            "list" keeps all values, "union" keeps each value once.

        Raises
        ------
        UnknownNameError
            If the rule is unknown.
        WrongTypeError
            If JSON does not have the type of the value, or the rule is for other types.
        """
        if not isinstance(key, str):
            raise WrongTypeError(f"keys of metadata must be strings, not {key!r}")
        self._values[key] = _checked(key, value, merge)
        self._rules.pop(key, None)
        if merge != _SAME:
            self._rules[key] = merge

    def rule(self, key: str) -> str:
        """Return the rule by which the value of a key merges."""
        self._values[key]
        return self._rules.get(key, _SAME)

    def part(self, name: str) -> Metadata:
        """Return the metadata of a category of the file, or of a collection of the category."""
        return self._parts.setdefault(name, Metadata())

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.set(key, value, self._rules.get(key, _SAME))

    def __delitem__(self, key: str) -> None:
        del self._values[key]
        self._rules.pop(key, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Metadata({self._values})"

    def _repr_html_(self) -> str:
        from kaon.cards import card, fold, table

        def rows(metadata: Metadata) -> str:
            lines = [(key, str(value), metadata.rule(key)) for key, value in metadata.items()]
            inner = [fold(name, "", rows(part)) for name, part in metadata._parts.items()]
            known = [table(("key", "value", "merges by"), lines)] if lines else []
            return "".join([*known, *inner])

        return card("Metadata", [_core.counted(len(self), "key")], rows(self))


def merge_metadata(several: Iterable[Metadata]) -> Metadata:
    """Merge the metadata of files, with those of their categories and collections.

    >>> out.metadata = kaon.merge_metadata([first.metadata, second.metadata])

    If some of them lack a key, the values of the others are merged. A single value stays as it is.

    Raises
    ------
    UsageError
        If values with the rule "same" differ, or the rules of a key differ.
    UnknownNameError
        If a rule is unknown.
    WrongTypeError
        If a value does not have the type that its rule needs.
    """
    return from_text(_core.merge_metadata(list(map(to_text, several))))


def _checked(key: str, value: Any, rule: str) -> Any:
    """Return a value as files store it; raise for a key, value or rule that they cannot store."""
    try:
        text = json.dumps({key: value}, allow_nan=False, default=_numpy)
        _core.check_metadata(text, str(rule))
    except (UnknownNameError, WrongTypeError):
        raise
    except (CorruptFileError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise WrongTypeError(
            f"the metadata '{key}' have a value that JSON cannot hold: {error}"
        ) from None
    return json.loads(text)[key]


def _numpy(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{value!r} of type {type(value).__name__}")


def to_text(metadata: Metadata) -> str:
    """Return the document of a file's metadata, without empty parts."""

    def entries_of(values_of: Callable[[Metadata], dict[str, Any]]) -> dict[str, Any]:
        parts = metadata._parts.items()
        collections = {
            name: {
                inner: values_of(inside)
                for inner, inside in part._parts.items()
                if values_of(inside)
            }
            for name, part in parts
        }
        entries = {
            "file": values_of(metadata),
            "categories": {name: values_of(part) for name, part in parts if values_of(part)},
            "collections": {name: inner for name, inner in collections.items() if inner},
        }
        return {key: value for key, value in entries.items() if value}

    rules = entries_of(lambda part: part._rules)
    document = {**entries_of(lambda part: part._values), **({"rules": rules} if rules else {})}
    return json.dumps(document, separators=(",", ":"))


def from_text(text: str) -> Metadata:
    """Restore metadata from a text of `to_text`.

    Raises
    ------
    ValueError
        If the text is invalid.
    """
    try:
        document = _mapping(json.loads(text))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    metadata = Metadata()
    _restore(metadata, document, "_values")
    _restore(metadata, _mapping(document.get("rules", {})), "_rules")
    return metadata


def _restore(metadata: Metadata, document: Mapping[str, Any], what: str) -> None:
    getattr(metadata, what).update(_mapping(document.get("file", {})))
    for name, values in _mapping(document.get("categories", {})).items():
        getattr(metadata.part(name), what).update(_mapping(values))
    for name, inside in _mapping(document.get("collections", {})).items():
        for collection, values in _mapping(inside).items():
            getattr(metadata.part(name).part(collection), what).update(_mapping(values))


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"expected entries by name, not {json.dumps(value)[:40]}")
    return value


def read_metadata(file: _core.File) -> Metadata:
    """Return the metadata of a file; empty if it has no metadata.

    Raises
    ------
    CorruptFileError
        If the metadata are invalid.
    """
    if DOCUMENT not in file.documents:
        return Metadata()
    try:
        return from_text(file.document(DOCUMENT))
    except ValueError as error:
        raise CorruptFileError(f"{file.name}: the metadata cannot be read: {error}") from None
