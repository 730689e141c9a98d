"""Values as texts in tables."""

from __future__ import annotations

from typing import Any
from unicodedata import category

_MOST_CHARACTERS = 40


def printable(text: str) -> str:
    r"""Return a text as a part of a line: what terminals obey is written as `\n` or `\x1b`."""
    if text.isprintable():
        return text
    obeyed = ("Cc", "Cs", "Zl", "Zp")
    return "".join(repr(c)[1:-1] if category(c) in obeyed else c for c in text)


def value_text(value: Any) -> str:
    """Return a number, text, list, record or reference as a text on one line."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, dict):
        if value.keys() == {"index", "collection"}:
            return "-" if value["index"] < 0 else f"{value['collection']}[{value['index']}]"
        return f"{{{', '.join(f'{name}: {value_text(inner)}' for name, inner in value.items())}}}"
    return printable(str(value))


def short_text(value: Any) -> str:
    """Return a text that fits a cell of a table."""
    text = value_text(value)
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 3]}..."
