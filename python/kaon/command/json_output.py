"""The output of commands with ``--json``; NaN and infinities become null."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable
from typing import Any


def print_json(value: Any) -> None:
    """Print a value on the standard output."""
    json.dump(_without_nan(value), sys.stdout, indent=2, ensure_ascii=False)
    print()


def print_json_rows(rows: Iterable[Any]) -> None:
    """Print a list, each row on a line as it arrives: decimals as floats, dates as strings."""
    begin = "["
    for row in rows:
        text = json.dumps(_without_nan(row), ensure_ascii=False, default=_plain)
        print(begin, text, sep="\n", end="")
        begin = ","
    print("[]" if begin == "[" else "\n]")


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
