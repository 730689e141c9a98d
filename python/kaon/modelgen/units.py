"""The grammar of units: names and numbers with powers, joined by ``*`` and ``/``."""

from __future__ import annotations

import re

_FACTOR = r"\s*(?:°?[^\W\d]\w*|[°%]|\d+(?:\.\d+)?)(?:\s*\^\s*-?\s*\d+)?\s*"
_PRODUCT = re.compile(rf"{_FACTOR}(?:[*/·]{_FACTOR})*")
_INSIDE = re.compile(r"\(([^()]*)\)")

_LONGEST = 100

EXAMPLE = "kg*m^2/s^2"
"""A unit, for messages."""


def is_unit(text: str) -> bool:
    """Tell whether a text is a unit, such as "GeV/c", "1/mm", "kg*m^2/s^2", "V/(m*ns)" or "1"."""
    while len(text) <= _LONGEST:
        # Replaces valid parentheses by a number; blanks separate it from names.
        flat = _INSIDE.sub(lambda m: " 1 " if _PRODUCT.fullmatch(m[1]) else m[0], text)
        if flat == text:
            return _PRODUCT.fullmatch(text) is not None
        text = flat
    return False
