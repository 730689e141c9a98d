"""Entries for which a predicate of polars can be true, by the bounds of pages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np

from kaon.files.category import Category

_Node: TypeAlias = Any
_Test: TypeAlias = "Callable[[Any, Any, Any, Any], Any]"

# Functions of least, greatest, a value, and has_nan: polars orders NaN above all numbers.
_TESTS: dict[str, _Test] = {
    "Gt": lambda least, greatest, value, has_nan: (greatest > value) | has_nan,
    "GtEq": lambda least, greatest, value, has_nan: (greatest >= value) | has_nan,
    "Lt": lambda least, greatest, value, has_nan: least < value,
    "LtEq": lambda least, greatest, value, has_nan: least <= value,
    "Eq": lambda least, greatest, value, has_nan: (least <= value) & (value <= greatest),
}
_SWAPPED = {"Gt": "Lt", "GtEq": "LtEq", "Lt": "Gt", "LtEq": "GtEq", "Eq": "Eq"}


def parsed(predicate: Any) -> _Node:
    """Return a predicate as plain values; empty if polars' form of it is unknown."""
    try:
        node = json.loads(predicate.meta.serialize(format="json"))
    except (AttributeError, TypeError, ValueError):
        return {}
    return node if isinstance(node, dict) else {}


class PossibleEntries:
    """Entries of a file for which a predicate can be true.

    Only comparisons of columns with numbers, and their combinations by "and" and "or", exclude
    entries. Other conditions are assumed to be possible everywhere.
    """

    def __init__(self, category: Category, predicate: _Node) -> None:
        self._category = category
        self._predicate = predicate
        self._bounds: dict[str, _Bounds | None] = {}

    def ranges(self, entries: range) -> Iterator[range]:
        """Yield the runs of entries in a range for which the predicate can be true."""
        possible = np.concatenate([[False], self._mask(self._predicate, entries), [False]])
        edges = np.flatnonzero(possible[1:] != possible[:-1]) + entries.start
        for first, last in edges.reshape(-1, 2).tolist():
            yield range(first, last)

    def _mask(self, node: _Node, entries: range) -> Any:
        match node:
            case {"BinaryExpr": {"left": left, "op": "And" | "LogicalAnd", "right": right}}:
                return self._mask(left, entries) & self._mask(right, entries)
            case {"BinaryExpr": {"left": left, "op": "Or" | "LogicalOr", "right": right}}:
                return self._mask(left, entries) | self._mask(right, entries)
            case {"BinaryExpr": {"left": {"Column": name}, "op": op, "right": literal}}:
                return self._compared(name, op, literal, entries)
            case {"BinaryExpr": {"left": literal, "op": op, "right": {"Column": name}}}:
                return self._compared(name, _SWAPPED.get(op, op), literal, entries)
            case {
                "Function": {
                    "input": [{"Column": name}, least, greatest],
                    "function": {"Boolean": {"IsBetween": _}},
                }
            }:
                above = self._compared(name, "GtEq", least, entries)
                return above & self._compared(name, "LtEq", greatest, entries)
        return np.ones(len(entries), bool)

    def _compared(self, name: str, op: str, literal: _Node, entries: range) -> Any:
        bounds = self._bounds_of(name)
        value = None if bounds is None else bounds.value(literal)
        if bounds is None or value is None or op not in _TESTS:
            return np.ones(len(entries), bool)
        return bounds.possible(_TESTS[op], value, entries)

    def _bounds_of(self, name: str) -> _Bounds | None:
        if name not in self._bounds:
            types = self._category.typenames(name)
            is_number = types.get(name) in _NUMBERS
            self._bounds[name] = _Bounds(self._category, name) if is_number else None
        return self._bounds[name]


_NUMBERS = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
_NUMBERS |= {"float32", "float64"}


class _Bounds:
    """The bounds of a column, page by page."""

    def __init__(self, category: Category, name: str) -> None:
        import awkward as ak

        pages = category.bounds(name, by="page")
        self.stops = ak.to_numpy(pages.entry_stop)
        self.is_known = ~ak.to_numpy(ak.is_none(pages.has_nan))
        self.is_empty = ak.to_numpy(ak.is_none(pages.least))
        self.has_nan = ak.to_numpy(ak.fill_none(pages.has_nan, True))
        self.type = category.typenames(name)[name]
        none = np.dtype(self.type).type(0)  # a zero of another type would round large values
        self.least = ak.to_numpy(ak.fill_none(pages.least, none, axis=0))
        self.greatest = ak.to_numpy(ak.fill_none(pages.greatest, none, axis=0))

    def value(self, literal: _Node) -> Any:
        """Return the literal as a number of the column's type; None if its type differs."""
        match literal:
            case {"Literal": {"Scalar": {**scalar}}}:
                values = {str(kind).lower(): value for kind, value in scalar.items()}
                value = values.get(self.type)
                if isinstance(value, (int, float)):
                    return np.dtype(self.type).type(value)
        return None

    def possible(self, test: _Test, value: Any, entries: range) -> np.ndarray:
        """Return for each entry whether its page can have a value that passes."""
        first, last = np.searchsorted(self.stops, [entries.start, entries.stop - 1], "right")
        chosen = np.arange(first, last + 1)
        has_nan = self.has_nan[chosen]
        passes = test(self.least[chosen], self.greatest[chosen], value, has_nan)
        passes = np.where(self.is_empty[chosen], has_nan, passes) | ~self.is_known[chosen]
        begins = np.concatenate([[entries.start], self.stops[chosen[:-1]]])
        ends = np.minimum(self.stops[chosen], entries.stop)
        return np.repeat(passes, ends - begins)
