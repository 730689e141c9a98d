"""Functions of Python that a dataframe calls with the arrays of a batch."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kaon.columns.column_arrays import to_array, to_parts
from kaon.errors import UsageError, WrongTypeError


class ArrayFunction:
    """A function of columns: NumPy arrays of numbers, Awkward arrays of lists.

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
        The type of the values that it gives.
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
        columns = [
            [np.zeros(0, scalar), *([np.zeros(1, np.uint32)] * depth)] for scalar, depth in types
        ]
        try:
            result = self._function(*map(to_array, columns))
        except Exception as error:
            raise UsageError(
                f"{self._where}: the function was tried with arrays of no entries, of which it "
                f"does not work: {type(error).__name__}: {error}"
            ) from error
        values, *offsets = to_parts(result, self._where)
        return str(values.dtype), len(offsets)

    def __call__(
        self, columns: Sequence[Sequence[np.ndarray]], entries: int, first: int
    ) -> list[np.ndarray]:
        """Return values and offsets for a batch; called by C++."""
        try:
            result = self._function(*map(to_array, columns))
            values, *offsets = to_parts(result, self._where)
            self._check(values, offsets, entries)
        except Exception as error:
            if sys.version_info >= (3, 11):
                error.add_note(f"{self._where}, in a batch that begins with entry {first}")
            raise
        return [values.astype(self.scalar, copy=False), *offsets]

    def _check(self, values: np.ndarray, offsets: list[np.ndarray], entries: int) -> None:
        size = len(offsets[0]) - 1 if offsets else len(values)
        if size != entries:
            raise UsageError(f"{self._where}: the function gave {size} values for {entries}")
        fits = np.can_cast(values.dtype, self.scalar, "same_kind")
        if len(offsets) != self.depth or not (fits or values.size == 0):
            raise WrongTypeError(
                f"{self._where}: the function gave {values.dtype} in {len(offsets)} lists, and for "
                f"no entries {self.scalar} in {self.depth}"
            )
