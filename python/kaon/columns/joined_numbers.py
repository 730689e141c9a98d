"""Numbers of several files in a type that holds all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from kaon.errors import WrongTypeError

_LIMITS = {"i": (-(2**63), 2**63 - 1), "f": (-(2**53), 2**53)}
"""The range of the integers that int64 and float64 hold exactly."""


def in_one_type(parts: Sequence[np.ndarray], name: str) -> list[np.ndarray]:
    """Return arrays with NumPy's common type, or int64 for whole numbers.

    Parameters
    ----------
    name
        The name of the numbers, for messages.

    Raises
    ------
    WrongTypeError
        If a whole number would change.
    """
    types = {part.dtype for part in parts}
    if len(types) <= 1:
        return list(parts)
    wanted = np.result_type(*types)
    if wanted.kind == "f" and all(each.kind in "iub" for each in types):
        wanted = np.dtype(np.int64)  # NumPy has no common integer type for uint64 and int64
    low, high = _LIMITS.get(wanted.kind, (-np.inf, np.inf))
    whole = [part for part in parts if part.dtype.kind in "iu" and part.size]
    for value in (int(extreme) for part in whole for extreme in (part.min(), part.max())):
        if not low <= value <= high:
            raise cannot_join(name, map(str, types), f"{value} does not fit into {wanted}")
    return [part.astype(wanted) for part in parts]


def cannot_join(name: str, types: Iterable[str], reason: str) -> WrongTypeError:
    """Return the error for a column whose values have no type in common."""
    return WrongTypeError(
        f"'{name}' is of {' in some files, of '.join(sorted(types))} in others: {reason}; read "
        f"the files one by one, or 'float({name})' of them"
    )
