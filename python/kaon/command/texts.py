"""Values as texts in tables."""

from __future__ import annotations

from typing import Any

_MOST_CHARACTERS = 40


def value_text(value: Any) -> str:
    """Return a number, list, record or reference as a text."""
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
    return str(value)


def short_text(value: Any) -> str:
    """Return a text that fits a cell of a table."""
    text = " ".join(value_text(value).splitlines())
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 3]}..."
