"""The output of commands with ``--json``; NaN and infinities become null."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

from kaon.modelgen.mistakes import OBEYED
from kaon.terminal import say


def print_json(value: Any) -> None:
    """Print a value on the standard output."""
    say(_text(value, indent=2))


def print_json_rows(rows: Iterable[Any]) -> None:
    """Print a list, each row on a line as it arrives: decimals as floats, dates as strings."""
    begin = "["
    for row in rows:
        say(begin, _text(row, default=_plain), end="")
        begin = ","
    say("[]" if begin == "[" else "\n]")


def _text(value: Any, **options: Any) -> str:
    r"""Return JSON with `\u202e` for characters that terminals obey; others are themselves."""
    text = json.dumps(_without_nan(value), ensure_ascii=False, **options)
    return OBEYED.sub(lambda obeyed: _escaped(obeyed[0]), text)


def _escaped(character: str) -> str:
    return character if character == "\n" else f"\\u{ord(character):04x}"


def _without_nan(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _without_nan(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(inner) for inner in value]
    return value


def _plain(value: Any) -> float | str:
    from decimal import Decimal  # SQL has these numbers

    return float(value) if isinstance(value, Decimal) else str(value)
