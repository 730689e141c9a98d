"""Sizes of memory written as text."""

from __future__ import annotations

import re

from kaon.errors import UsageError

_UNITS = {
    **{"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9},
    **{"Ki": 2**10, "Mi": 2**20, "Gi": 2**30},
}
_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]*)?)\s*([kKMG]?|[KMG]i)B\s*")


def size_in_bytes(text: str) -> float | None:
    """Return the bytes of a size such as "100 MB"; None if the text is not a size."""
    match = _SIZE.fullmatch(text)
    return float(match[1]) * _UNITS[match[2]] if match else None


def bytes_allowed(limit: int | str | None, what: str = "memory limit") -> int:
    """Return the bytes of a limit; 0 means no limit."""
    allowed = size_in_bytes(limit) if isinstance(limit, str) else limit
    if limit is None:
        return 0
    if allowed is None or int(allowed) < 1:
        raise UsageError(f"the {what} {limit!r} is not a size such as '2 GB'")
    return int(allowed)
