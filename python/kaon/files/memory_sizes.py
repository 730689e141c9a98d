"""Sizes of memory written as text."""

from __future__ import annotations

import re

from kaon.errors import UsageError

_PREFIXES = "KMGTP"
_SIZE = re.compile(rf"\s*([0-9]+(?:\.[0-9]*)?)\s*(?:([{_PREFIXES}])(I?))?B\s*", re.IGNORECASE)


def size_in_bytes(text: str) -> float | None:
    """Return the bytes of a size such as "100 MB" or "1 TiB"; None if the text is not a size."""
    match = _SIZE.fullmatch(text)
    if match is None:
        return None
    number, prefix, is_binary = match.groups()
    power = 0 if prefix is None else _PREFIXES.index(prefix.upper()) + 1
    return float(number) * (1024.0 if is_binary else 1000.0) ** power


def bytes_allowed(limit: int | str | None, what: str = "memory limit") -> int:
    """Return the bytes of a limit; 0 means no limit."""
    allowed = size_in_bytes(limit) if isinstance(limit, str) else limit
    if limit is None:
        return 0
    if allowed is None or int(allowed) < 1:
        raise UsageError(f"the {what} {limit!r} is not a size such as '2 GB'")
    return int(allowed)
