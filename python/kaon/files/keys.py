"""The values of keys by which entries are found, as C++ takes them: 64 bits, signed or not."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING

from kaon.errors import UsageError, WrongTypeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

# In all functions `where` begins messages.


def key_values(keys: Mapping[str, int], where: str) -> list[tuple[str, int, bool]]:
    """Return names, 64 bits, and whether these are an unsigned number.

    Raises
    ------
    WrongTypeError, UsageError
        For what is no whole number, or beyond 64 bits.
    """
    values = []
    for name, key in keys.items():
        try:
            value = operator.index(key)
        except TypeError:
            raise WrongTypeError(
                f"{where}: '{name}' is looked for by a whole number, not {key!r}"
            ) from None
        if not -(2**63) <= value < 2**64:
            raise UsageError(f"{where}: {value} is beyond 64 bits")
        is_unsigned = value >= 2**63
        values.append((name, value - 2**64 if is_unsigned else value, is_unsigned))
    return values


def key_arrays(
    keys: Mapping[str, ArrayLike], where: str
) -> list[tuple[str, NDArray[np.int64], bool]]:
    """Return the same of arrays, each of one dimension.

    Raises
    ------
    WrongTypeError
        For what is no array of whole numbers, or has masked ones.
    """
    import numpy as np

    from kaon.columns.masks import is_masked

    arrays = []
    for name, values in keys.items():
        if is_masked(values):
            raise WrongTypeError(f"{where}: '{name}' has masked values, by which nothing is found")
        array = np.asarray(values)
        if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size > 0):
            raise WrongTypeError(
                f"{where}: '{name}' is an array of whole numbers, one for each entry that is "
                f"looked for, not of {array.dtype} in {array.ndim} dimensions"
            )
        numbers = np.ascontiguousarray(array.astype(np.int64))
        arrays.append((name, numbers, array.dtype.kind == "u"))
    return arrays
