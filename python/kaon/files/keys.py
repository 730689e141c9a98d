"""Values of keys for a search, in the form of C++: 64 bits, signed or unsigned."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING

from kaon.errors import UsageError, WrongTypeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

# In all functions, `where` is the beginning of messages.


def key_values(keys: Mapping[str, int], where: str) -> list[tuple[str, int, bool]]:
    """Return for each key its name, its value as 64 bits, and whether these are unsigned.

    Raises
    ------
    WrongTypeError
        If a value is not an integer.
    UsageError
        If a value exceeds 64 bits.
    """
    values = []
    for name, key in keys.items():
        try:
            value = operator.index(key)
        except TypeError:
            raise WrongTypeError(
                f"{where}: the value of '{name}' must be an integer, not {key!r}"
            ) from None
        if not -(2**63) <= value < 2**64:
            raise UsageError(f"{where}: {value} is beyond 64 bits")
        is_unsigned = value >= 2**63
        values.append((name, value - 2**64 if is_unsigned else value, is_unsigned))
    return values


def key_arrays(
    keys: Mapping[str, ArrayLike], where: str
) -> list[tuple[str, NDArray[np.int64], bool]]:
    """Return for each key its name, its values as 64 bits, and whether these are unsigned.

    Raises
    ------
    WrongTypeError
        If values are not an array of integers with one dimension, or some are masked.
    """
    import numpy as np

    from kaon.columns.masks import is_masked

    arrays = []
    for name, values in keys.items():
        if is_masked(values):
            raise WrongTypeError(f"{where}: '{name}' has masked values; remove them before")
        array = np.asarray(values)
        if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size > 0):
            raise WrongTypeError(
                f"{where}: '{name}' must be an array of integers with one dimension, not of "
                f"{array.dtype} with {array.ndim} dimensions"
            )
        numbers = np.ascontiguousarray(array.astype(np.int64))
        arrays.append((name, numbers, array.dtype.kind == "u"))
    return arrays
