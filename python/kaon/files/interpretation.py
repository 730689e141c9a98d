"""Descriptions of bytes that the code of experiments writes into ROOT files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from kaon import _core
from kaon.errors import UsageError

Layout: TypeAlias = "str | int | Sequence[Layout] | Mapping[str, Layout]"


def interpret(type: str, layout: Layout | None) -> None:
    """Describe the bytes that the code of a class writes into trees, and that no file describes.

    >>> kaon.interpret("JDAQHit", {"channel": "u1", "time": "<u4", "charge": "u1"})

    The description applies to ROOT files that this process opens later, and precedes those in
    files. In other processes, call it there, for example in a module that your functions import.

    ==================== ==================================================================
    layout               bytes
    ==================== ==================================================================
    ``"i4"``             number: ``i1 i2 i4 i8``, ``u1 u2 u4 u8``, ``f4 f8`` or ``bool``
    ``"<u4"``            little-endian number; others are big-endian, as ROOT's
    ``"string"``         text of ROOT: its length in one byte, or in four behind 255
    ``{"x": "f4", ...}`` members, one after another
    ``["f4", 3]``        three values
    ``["f4", "n"]``      as many values as the member ``n`` before it says
    ``["f4", "u2"]``     a count of type ``u2``, then that number of values
    ``["f4"]``           values up to the end of the entry, or of the part behind a header
    ``"@rest": 6``       six bytes that are skipped
    ``"@n": "u4"``       a number without a column, for example one that counts values
    ``"@base": {...}``   members of the object itself
    ``"@header": True``  first in ``{...}``: ROOT's header, the number of bytes and the version
    ==================== ==================================================================

    Parameters
    ----------
    type
        The name of the class as in the file, which `Category.unreadable` shows.
        `"Class.member"` describes one member of a class.
    layout
        The description; None removes it.

    Raises
    ------
    UsageError
        If the description has a mistake.
    """
    try:
        text = "" if layout is None else json.dumps(layout)
    except TypeError as error:
        raise UsageError(f"the description of '{type}' is no layout: {error}") from None
    _core.interpret(type, text)
