"""Python functions that a dataframe calls with the arrays of a batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kaon.columns.column_arrays import CHARACTER, to_array, to_parts
from kaon.error_texts import add_note
from kaon.errors import UsageError, WrongTypeError
from kaon.modelgen.mistakes import indented


class ArrayFunction:
    """A function of columns: NumPy arrays of numbers, Awkward arrays of lists and texts.

    Parameters
    ----------
    function
        A function that takes an array for each column and returns one, with a value for each entry
        of a batch.
    types
        For each column, the name of the values' type and the depth of their lists.
    where
        The step, for messages.

    Attributes
    ----------
    scalar : str
        The type of the returned values; ``string`` for texts.
    depth : int
        The depth of their lists.
    """

    def __init__(
        self, function: Callable[..., Any], types: Sequence[tuple[str, int]], where: str
    ) -> None:
        self._function = function
        self._where = where
        self.scalar, self.depth = self._try(types)

    def _try(self, types: Sequence[tuple[str, int]]) -> tuple[str, int]:
        """Return the type of the function's result for arrays without entries."""
        columns = [_no_entries(scalar, depth) for scalar, depth in types]
        try:
            result = self._function(*map(to_array, columns))
        except Exception as error:
            raise UsageError(
                f"{self._where}: the function failed with arrays without entries, which tell kaon "
                f"its type: {type(error).__name__}: {indented(str(error))}"
            ) from error
        return _type_of(to_parts(result, self._where))

    def __call__(
        self, columns: Sequence[Sequence[np.ndarray]], entries: int, category: str, first: int
    ) -> list[np.ndarray]:
        """Return values and offsets for a batch. C++ calls this."""
        try:
            result = self._function(*map(to_array, columns))
            parts = to_parts(result, self._where)
            self._check(parts, entries)
        except Exception as error:
            add_note(error, f"{category}, {self._where}, in a batch that begins with entry {first}")
            raise
        values, *offsets = parts
        if self.scalar == "string":
            return [values.view(np.uint8), *offsets]
        return [self._converted(values), *offsets]

    def _converted(self, values: np.ndarray) -> np.ndarray:
        """Return numbers in the type that is known for the function; floats are rounded."""
        with np.errstate(invalid="ignore"):
            converted = values.astype(self.scalar, copy=False)
            is_kept = values.dtype.kind not in "iu" or converted.astype(values.dtype) == values
        if not np.all(is_kept):
            raise WrongTypeError(
                f"{self._where}: the function returned numbers that {self.scalar} cannot hold, the "
                "type that it returned for arrays without entries"
            )
        return converted

    def _check(self, parts: list[np.ndarray], entries: int) -> None:
        values, *offsets = parts
        scalar, depth = _type_of(parts)
        size = len(offsets[0]) - 1 if offsets else len(values)
        if size != entries:
            raise UsageError(
                f"{self._where}: the function returned {size} values for {entries} entries"
            )
        is_text = "string" in (scalar, self.scalar)
        fits = scalar == self.scalar if is_text else np.can_cast(scalar, self.scalar, "same_kind")
        if depth != self.depth or not (fits or (values.size == 0 and not is_text)):
            raise WrongTypeError(
                f"{self._where}: the function returned {_named(scalar, depth)}, but "
                f"{_named(self.scalar, self.depth)} for arrays without entries; return one type, "
                "for example by np.array(..., dtype=...)"
            )


def _named(scalar: str, depth: int) -> str:
    """Return the name of a type of values in messages."""
    return "lists of " * depth + scalar


def _no_entries(scalar: str, depth: int) -> list[np.ndarray]:
    """Return the parts of a column without entries."""
    is_text = scalar == "string"
    values = np.zeros(0, CHARACTER if is_text else scalar)
    return [values, *([np.zeros(1, np.uint32)] * (depth + is_text))]


def _type_of(parts: Sequence[np.ndarray]) -> tuple[str, int]:
    """Return the name of the values' type, and the depth of their lists; a text is a value."""
    values, *offsets = parts
    is_text = values.dtype == CHARACTER
    return ("string", len(offsets) - 1) if is_text else (str(values.dtype), len(offsets))
