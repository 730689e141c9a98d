"""Metadata: keys and values about a file, its categories and collections, and their merging.

A file stores them as one JSON document called ``metadata``, which C++ programs write by
``Writer::putDocument``::

    {"file":        {"luminosity": 12.3},
     "categories":  {"events": {"generator": "PYTHIA 8"}},
     "collections": {"events": {"MCParticles": {"cut": 0.5}}},
     "rules":       {"file": {"luminosity": "sum"}, "categories": {...}, "collections": {...}}}
"""

from __future__ import annotations

import functools
import json
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any

from kaon import _core
from kaon.errors import CorruptFileError, UnknownNameError, UsageError, WrongTypeError

DOCUMENT = "metadata"
"""The name of the document in files."""

_SAME = "same"
_MOST_DEPTH = 90  # as in src/kaon/model/Metadata.cpp


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
            The rule for merging with values of other files: "same", "first", "last", "sum",
            "min", "max", "list" or "union". With "same", values must not differ. "sum" needs
            numbers; "min" and "max" need numbers or strings. "list" keeps all values, "union"
            keeps each value once.

        Raises
        ------
        UnknownNameError
            If the rule is unknown.
        WrongTypeError
            If JSON does not have the type of the value, or the rule is for other types.
        """
        if not isinstance(key, str):
            raise WrongTypeError(f"keys of metadata must be strings, not {key!r}")
        plain = _plain(value, key)
        _merged(merge, [plain], key)
        self._values[key] = plain
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
        from kaon.cards import card, counted, fold, table

        def rows(metadata: Metadata) -> str:
            lines = [(key, str(value), metadata.rule(key)) for key, value in metadata.items()]
            inner = [fold(name, "", rows(part)) for name, part in metadata._parts.items()]
            known = [table(("key", "value", "merges by"), lines)] if lines else []
            return "".join([*known, *inner])

        return card("Metadata", [counted(len(self), "key")], rows(self))


def merge_metadata(several: Iterable[Metadata]) -> Metadata:
    """Merge the metadata of files, with those of their categories and collections.

    >>> out.metadata = kaon.merge_metadata([first.metadata, second.metadata])

    If some of them lack a key, the values of the others are merged.

    Raises
    ------
    UsageError
        If values with the rule "same" differ, or the rules of a key differ.
    UnknownNameError
        If a rule is unknown.
    WrongTypeError
        If a value does not have the type that its rule needs.
    """
    return _merge(list(several), "")


def _merge(several: Sequence[Metadata], where: str) -> Metadata:
    merged = Metadata()
    for key in dict.fromkeys(key for metadata in several for key in metadata):
        having = [metadata for metadata in several if key in metadata]
        rules = list(dict.fromkeys(metadata.rule(key) for metadata in having))
        name = f"{where}{key}"
        if len(rules) > 1:
            raise UsageError(f"the metadata '{name}' have different rules: {' and '.join(rules)}")
        merged.set(key, _merged(rules[0], [metadata[key] for metadata in having], name), rules[0])
    for part in dict.fromkeys(part for metadata in several for part in metadata._parts):
        having = [metadata._parts[part] for metadata in several if part in metadata._parts]
        merged._parts[part] = _merge(having, f"{where}{part}.")
    return merged


def _merged(rule: str, values: Sequence[Any], name: str) -> Any:
    if rule not in _RULES:
        hint = _core.suggestion(str(rule), list(_RULES))
        known = ", ".join(_RULES)
        raise UnknownNameError(f"'{name}': no rule is called '{rule}'{hint}; use one of {known}")
    return _RULES[rule](values, name)


def _same(values: Sequence[Any], name: str) -> Any:
    for value in values:
        if _text(value) != _text(values[0]):
            raise UsageError(
                f"the metadata '{name}' differ: {_text(values[0])} and {_text(value)}; "
                "set a rule for merging"
            )
    return values[0]


def _sum(values: Sequence[Any], name: str) -> Any:
    _check_types(values, [_is_number], "numbers", name)
    return _plain(
        functools.reduce(operator.add, values), name
    )  # adds in the order of C++, unlike Python's sum


def _extreme(choose: Callable[[Sequence[Any]], Any]) -> Callable[[Sequence[Any], str], Any]:
    def chosen(values: Sequence[Any], name: str) -> Any:
        _check_types(values, [_is_number, _is_string], "numbers, or strings", name)
        return choose(values)

    return chosen


def _list(values: Sequence[Any], name: str) -> list[Any]:
    return [item for value in values for item in (value if isinstance(value, list) else [value])]


def _union(values: Sequence[Any], name: str) -> list[Any]:
    items: dict[str, Any] = {}
    for item in _list(values, name):
        items.setdefault(_text(item), item)
    return list(items.values())


_RULES: dict[str, Callable[[Sequence[Any], str], Any]] = {
    _SAME: _same,
    "first": lambda values, name: values[0],
    "last": lambda values, name: values[-1],
    "sum": _sum,
    "min": _extreme(min),
    "max": _extreme(max),
    "union": _union,
    "list": _list,
}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_string(value: Any) -> bool:
    return isinstance(value, str)


def _check_types(
    values: Sequence[Any], kinds: Iterable[Callable[[Any], bool]], wanted: str, name: str
) -> None:
    if not any(all(map(is_kind, values)) for is_kind in kinds):
        shown = " and ".join(map(_text, values))
        raise WrongTypeError(f"the metadata '{name}' have a rule for {wanted}, not for {shown}")


def _text(value: Any) -> str:
    """Return JSON text that is equal for equal values; 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True)


def _plain(value: Any, name: str) -> Any:
    """Return a value after writing it to JSON and reading it back."""
    try:
        plain = json.loads(json.dumps(value, allow_nan=False, default=_numpy))
        _check(plain)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise WrongTypeError(
            f"the metadata '{name}' have a value that JSON cannot hold: {error}"
        ) from None
    return plain


def _check(value: Any, depth: int = 0) -> None:
    """Raise for values that Python's JSON can write and C++ programs cannot read."""
    if depth > _MOST_DEPTH:
        raise ValueError(f"it is nested more than {_MOST_DEPTH} deep")
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, int):
        float(value)
    elif isinstance(value, list):
        for item in value:
            _check(item, depth + 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check(key)
            _check(item, depth + 1)


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
        raise ValueError(f"expected entries by name, not {_text(value)[:40]}")
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
