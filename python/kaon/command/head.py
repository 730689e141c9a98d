"""The first entries of a category, as a table that fits the terminal."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from typing import Any

import awkward as ak

from kaon.columns.records import SELF
from kaon.files.category import Category

MOST_VALUES = 4
"""How many elements of a list are shown."""


def first_entries(
    category: Category, names: Sequence[str], cut: str | None, count: int
) -> ak.Array:
    """Return the first entries, of those that pass a cut if there is one."""
    wanted = list(names) or None
    if cut is None:
        return category.arrays(wanted, entry_stop=count)
    pieces, missing = [category.arrays(wanted, cut, entry_stop=0)], count
    for piece in category.iterate(wanted, cut, "10 MB"):
        pieces.append(piece[:missing])
        missing -= len(pieces[-1])
        if missing <= 0:
            break
    return ak.concatenate(pieces)


def to_text(entries: ak.Array) -> str:
    """Return a table with as many columns as fit, and the names of those that do not."""
    columns = [[name, *map(_short, values)] for name, values in _columns(entries, "")]
    widths = [max(map(len, column)) for column in columns]
    left, shown = shutil.get_terminal_size().columns, 0
    while shown < len(columns) and (widths[shown] <= left or shown == 0):
        left -= widths[shown] + 2
        shown += 1
    rows = zip(*columns[:shown], strict=True)
    cells = ((text.ljust(width) for text, width in zip(row, widths, strict=False)) for row in rows)
    lines = ["  ".join(row).rstrip() for row in cells]
    if shown < len(columns):
        names = ", ".join(column[0] for column in columns[shown:])
        lines.append(f"and {len(columns) - shown} more: {names}")
    return "\n".join(lines)


def _columns(array: ak.Array, name: str) -> Iterator[tuple[str, list[Any]]]:
    """Yield the members of records, whatever lists they are in, by their full names."""
    fields = [field for field in array.fields if field != SELF]
    for field in fields:
        yield from _columns(array[field], f"{name}.{field}" if name else field)
    if not fields:
        yield name, ak.to_list(array)


def _short(value: Any) -> str:
    if isinstance(value, list):
        shown = [_short(each) for each in value[:MOST_VALUES]]
        return f"[{', '.join(shown + ['…'] * (len(value) > MOST_VALUES))}]"
    if isinstance(value, float):
        return f"{value:.6g}"
    return "" if value is None else str(value)
