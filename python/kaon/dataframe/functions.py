"""Functions of Python that a dataframe calls with the arrays of a batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kaon.columns.column_arrays import CHARACTER, to_array, to_parts
from kaon.error_texts import add_note
from kaon.errors import UsageError, WrongTypeError
from kaon.modelgen.mistakes import indented


class ArrayFunction:
    """A function of columns: NumPy arrays of numbers, Awkward arrays of lists and of texts.

    Parameters
    ----------
    function
        Takes an array for each column, with a value for each entry of a batch, and gives one.
    types
        The name of the values' type and the number of lists that they lie in, of each column.
    where
        What it is, for messages.

    Attributes
    ----------
    scalar : str
        The type of the values that it gives; ``string`` of texts.
    depth : int
        How many lists they lie in.
    """

    def __init__(
        self, function: Callable[..., Any], types: Sequence[tuple[str, int]], where: str
    ) -> None:
        self._function = function
        self._where = where
        self.scalar, self.depth = self._try(types)

    def _try(self, types: Sequence[tuple[str, int]]) -> tuple[str, int]:
        """Find out what the function gives, by what it does with no entries."""
        columns = [_no_entries(scalar, depth) for scalar, depth in types]
        try:
            result = self._function(*map(to_array, columns))
        except Exception as error:
            raise UsageError(
                f"{self._where}: the function was tried with arrays of no entries, of which it "
                f"does not work: {type(error).__name__}: {indented(str(error))}"
            ) from error
        return _type_of(to_parts(result, self._where))

    def __call__(
        self, columns: Sequence[Sequence[np.ndarray]], entries: int, category: str, first: int
    ) -> list[np.ndarray]:
        """Return values and offsets for a batch; called by C++."""
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
        """Return numbers in the type that the function is known to give, floats rounded."""
        with np.errstate(invalid="ignore"):
            converted = values.astype(self.scalar, copy=False)
            is_kept = values.dtype.kind not in "iu" or converted.astype(values.dtype) == values
        if not np.all(is_kept):
            raise WrongTypeError(
                f"{self._where}: the function gave numbers that are no {self.scalar}, which it "
                "gives for arrays of no entries"
            )
        return converted

    def _check(self, parts: list[np.ndarray], entries: int) -> None:
        values, *offsets = parts
        scalar, depth = _type_of(parts)
        size = len(offsets[0]) - 1 if offsets else len(values)
        if size != entries:
            raise UsageError(f"{self._where}: the function gave {size} values for {entries}")
        is_text = "string" in (scalar, self.scalar)
        fits = scalar == self.scalar if is_text else np.can_cast(scalar, self.scalar, "same_kind")
        if depth != self.depth or not (fits or (values.size == 0 and not is_text)):
            raise WrongTypeError(
                f"{self._where}: the function gave {_named(scalar, depth)}, and for arrays of no "
                f"entries, which say its type, {_named(self.scalar, self.depth)}; it gives the "
                "same for both by np.array(..., dtype=...), for one"
            )


def _named(scalar: str, depth: int) -> str:
    """Return what messages call values of a type in so many lists."""
    return "lists of " * depth + scalar


def _no_entries(scalar: str, depth: int) -> list[np.ndarray]:
    """Return the parts of a column without entries."""
    is_text = scalar == "string"
    values = np.zeros(0, CHARACTER if is_text else scalar)
    return [values, *([np.zeros(1, np.uint32)] * (depth + is_text))]


def _type_of(parts: Sequence[np.ndarray]) -> tuple[str, int]:
    """Return the name of the values' type, and how many lists they lie in; a text is a value."""
    values, *offsets = parts
    is_text = values.dtype == CHARACTER
    return ("string", len(offsets) - 1) if is_text else (str(values.dtype), len(offsets))
