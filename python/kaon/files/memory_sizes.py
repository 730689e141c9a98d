"""Sizes in memory as people write them."""

from __future__ import annotations

import re

_UNITS = {
    **{"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9},
    **{"Ki": 2**10, "Mi": 2**20, "Gi": 2**30},
}
_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]*)?)\s*([kKMG]?|[KMG]i)B\s*")


def size_in_bytes(text: str) -> float | None:
    """Return how many bytes "100 MB" are, None if it is no size."""
    match = _SIZE.fullmatch(text)
    return float(match[1]) * _UNITS[match[2]] if match else None
