"""What commands print with ``--json``."""

from __future__ import annotations

import json
import sys
from typing import Any


def print_json(value: Any) -> None:
    """Print a value on the standard output."""
    json.dump(value, sys.stdout, indent=2, ensure_ascii=False)
    print()
