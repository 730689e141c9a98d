"""Decorations: members of a collection's objects in addition to those of their datatype."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kaon.columns.masks import is_masked
from kaon.errors import UsageError, WrongTypeError
from kaon.model.kinds import Number
from kaon.model.standard import bare_datatype


@dataclass(frozen=True)
class Decoration:
    """A decoration of the objects of a collection in one event.

    Attributes
    ----------
    type
        The name of its type in files.
    values
        The values of each member, by name, for the first objects. The shape is (objects,) or
        (objects, extent). A single member has the name "".
    missing
        The value of each member for all other objects, as the number that its bytes form.
    """

    type: str
    values: Mapping[str, np.ndarray]
    missing: Mapping[str, int]

    def missing_everywhere(self) -> Decoration:
        """Return a decoration of the same types without values."""
        return replace(self, values={name: values[:0] for name, values in self.values.items()})

    def padded(self, objects: int) -> dict[str, np.ndarray]:
        """Return the values for a number of objects; absent values become missing values."""
        return {
            name: np.concatenate([values, self._others(name, objects - len(values))])
            for name, values in self.values.items()
        }

    def _others(self, name: str, objects: int) -> np.ndarray:
        values = self.values[name]
        return missing_values(values.dtype, self.missing[name], (objects, *values.shape[1:]))

    def is_like(self, other: Decoration) -> bool:
        """Tell whether both decorations have the same types."""
        return self._types() == other._types()

    def _types(self) -> dict[str, tuple[np.dtype, tuple[int, ...]]]:
        return {name: (values.dtype, values.shape[1:]) for name, values in self.values.items()}


def new_decoration(values: Any, missing: Any, where: str) -> Decoration:
    """Return a decoration with a user's values.

    Raises
    ------
    WrongTypeError
        If the values or the missing value are neither numbers nor booleans.
    UsageError
        If the missing value is out of range.
    """
    array = flat_numbers(values, where)
    value = missing_bytes(missing, array.dtype, where)
    return Decoration(array.dtype.name, {"": array}, {"": value})


def flat_numbers(values: Any, where: str) -> np.ndarray:
    """Return a copy of a user's numbers or booleans.

    Raises
    ------
    WrongTypeError
        If the values are lists, or neither numbers nor booleans.
    """
    try:
        array = np.array(values)
    except (TypeError, ValueError):
        array = np.array(None)
    if is_masked(values):
        raise WrongTypeError(f"'{where}' has masked values, which decorations cannot hold")
    if array.ndim != 1 or bare_datatype(array.dtype.name) is None:
        raise WrongTypeError(f"'{where}' needs numbers or truth values, one after another")
    return array


def check_name(name: str, members: Iterable[str], datatype: str) -> None:
    """Check that a decoration does not have the name of a member.

    Raises
    ------
    UsageError
        If it has.
    """
    if not name or name in members:
        short = datatype.rpartition("::")[2]
        raise UsageError(f"a {short} has a '{name}' already: a decoration needs a name of its own")


def missing_bytes(value: Any, dtype: np.dtype, where: str) -> int:
    """Return the bytes of a user's missing value, as a number.

    Raises
    ------
    WrongTypeError, UsageError
        If the type cannot hold the value.
    """
    if value is None:
        return 0
    kept = np.array(Number(dtype.name).checked(value, where), dtype)
    return int.from_bytes(kept.tobytes(), "little")


def missing_values(dtype: np.dtype, missing: int, shape: tuple[int, ...]) -> np.ndarray:
    """Return an array filled with a missing value, which is given by its bytes."""
    value = np.frombuffer(missing.to_bytes(8, "little")[: dtype.itemsize], dtype)[0]
    return np.full(shape, value)
