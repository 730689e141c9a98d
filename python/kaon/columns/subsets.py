"""Subsets in arrays: objects of other collections, with their members."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import awkward as ak

OBJECT = "object"
"""The relation of a subset to its objects."""


def behavior(names: Collection[str]) -> dict[Any, Any]:
    """Return the behavior of arrays; records with these names are subsets."""
    arrays = {("*", name): SubsetArray for name in names}
    return {**arrays, **dict.fromkeys(names, SubsetRecord)}


class _Subset:
    """Arrays and records of subsets, with the members of their objects as attributes."""

    fields: list[str]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in self.fields or OBJECT not in self.fields:
            return super().__getattr__(name)  # type: ignore[misc]
        return getattr(self[OBJECT], name)  # type: ignore[index]


class SubsetArray(_Subset, ak.Array):  # type: ignore[misc]  # Awkward has no types
    """Objects of other collections, in lists of any depth."""


class SubsetRecord(_Subset, ak.Record):  # type: ignore[misc]
    """An object of another collection."""
