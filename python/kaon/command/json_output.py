"""What commands print with ``--json``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from decimal import Decimal
from typing import Any


def print_json(value: Any) -> None:
    """Print a value on the standard output."""
    json.dump(value, sys.stdout, indent=2, ensure_ascii=False)
    print()


def print_json_rows(rows: Iterable[Any]) -> None:
    """Print a list, a row a line, as they come: decimal numbers as floats, dates as strings."""
    begin = "["
    for row in rows:
        print(begin, json.dumps(row, ensure_ascii=False, default=_plain), sep="\n", end="")
        begin = ","
    print("[]" if begin == "[" else "\n]")


def _plain(value: Any) -> float | str:
    return float(value) if isinstance(value, Decimal) else str(value)
