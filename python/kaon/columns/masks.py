"""Masked arrays of NumPy; a program could take their values without noticing the mask."""

from __future__ import annotations

from typing import Any

import numpy as np


def is_masked(values: Any) -> bool:
    """Tell whether a value is an array with masked values."""
    if type(values) is np.ndarray or not isinstance(values, np.ma.MaskedArray):
        return False
    mask: Any = np.ma.getmaskarray(values)
    parts = [mask[name] for name in mask.dtype.names or ()] or [mask]
    return any(bool(part.any()) for part in parts)
