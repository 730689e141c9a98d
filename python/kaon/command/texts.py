"""Values as texts in tables."""

from __future__ import annotations

from typing import Any

from kaon.modelgen.mistakes import printable

_MOST_CHARACTERS = 37  # two cells fit a terminal of 80 columns


def value_text(value: Any) -> str:
    """Return a number, text, list, record or reference as a text on one line."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        items = ("None" if item is None else value_text(item) for item in value)
        return f"[{', '.join(items)}]"
    if isinstance(value, dict):
        if value.keys() == {"index", "collection"}:
            name = value["collection"]
            return "-" if value["index"] < 0 else f"{printable(name)}[{value['index']}]"
        fields = (f"{printable(name)}: {value_text(inner)}" for name, inner in value.items())
        return f"{{{', '.join(fields)}}}"
    return printable(str(value))


def short_text(value: Any) -> str:
    """Return a value as a text that fits a cell of a table."""
    text = value_text(value)
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 3]}..."
