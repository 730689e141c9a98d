"""The first entries of a category, as a table that fits the terminal."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import numpy as np

from kaon.columns.flat import FlatArrays
from kaon.columns.schema import RELATIONS
from kaon.command.texts import value_text
from kaon.files.array_forms import ArrayForm
from kaon.files.category import Category
from kaon.modelgen.mistakes import printable

if TYPE_CHECKING:
    import awkward as ak

MOST_VALUES = 4
"""The largest number of elements shown of a list."""

_LINES_OF_NAMES = 4
"""The most lines for names of columns that do not fit: files may have thousands."""


def first_entries(
    category: Category, names: Sequence[str], cut: str | None, count: int
) -> ak.Array:
    """Return the first entries; with a cut, the first ones that pass it."""
    import awkward as ak

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


def first_values(
    category: Category, names: Sequence[str], cut: str | None, count: int
) -> dict[str, list[Any]]:
    """Return the first entries as values by the names of members, references as texts.

    This works without Awkward, whose import would take longer than the rest of the command.
    """
    query = category._query(list(names) or None, cut, None, None, None, ArrayForm("ak"))
    columns: dict[str, list[Any]] = {}
    missing = count
    pieces = category._pieces(query, "10 MB") if query.expressions else [(0, count)]
    for first, last in [(0, 0), *pieces]:
        last = min(last, len(category))
        entries: np.ndarray = np.arange(first, last)
        computed: dict[str, list[np.ndarray]] = {}
        if query.expressions:
            some, computed = query.expressions.parts(first, last)
            entries = entries if some is None else some
        entries = entries[:missing].astype(np.int64)
        begin, end = (int(entries[0]), int(entries[-1]) + 1) if len(entries) else (first, first)
        if query.keys:
            stored = category._reader.flat(query.selection, begin, end)
            for name, value in _stored(category, stored):
                columns.setdefault(name, []).extend(map(value, (entries - begin).tolist()))
        for name, (values, *levels) in computed.items():
            value = _InEntry(values, levels)
            columns.setdefault(name, []).extend(map(value, range(len(entries))))
        missing -= len(entries)
        if missing <= 0:
            break
    return columns


def _stored(category: Category, arrays: FlatArrays) -> Iterator[tuple[str, _InEntry]]:
    """Yield the names of members, each with a function from entries to values."""
    schema = category._schema
    for key, values in arrays.items():
        name, _, member = key.rpartition(".")
        collections = arrays.get(f"{name}.collection")
        shown: np.ndarray | _References = values
        is_reference = schema.tables[schema.members[key][0]].kind in RELATIONS
        if not is_reference or collections is None:
            name = key
        elif member == "collection":  # shown with the index
            continue
        elif member == "index":
            shown = _References(category.tables, values, collections)
        yield name, _InEntry(shown, arrays.levels(key), arrays.present(key))


@dataclass(frozen=True)
class _References:
    """The targets of relations, as texts."""

    names: Sequence[str]
    indices: np.ndarray
    collections: np.ndarray

    def __getitem__(self, part: slice) -> np.ndarray:
        pairs = zip(self.indices[part].tolist(), self.collections[part].tolist(), strict=True)
        texts = [
            value_text({"index": index, "collection": self.names[number] if index >= 0 else None})
            for index, number in pairs
        ]
        return np.array(texts, object)


@dataclass(frozen=True)
class _InEntry:
    """The value of a column in an entry: a number or nested lists; None if it is absent.

    Long lists are cut just above the length that is shown.
    """

    values: np.ndarray | _References
    levels: Sequence[np.ndarray]
    present: np.ndarray | None = None

    def __call__(self, entry: int) -> Any:
        if self.present is not None and not self.present[entry]:
            return None
        return self._rows(0, entry, entry + 1)[0]

    def _rows(self, depth: int, at: int, to: int) -> list[Any]:
        to = min(to, at + MOST_VALUES + 1)
        if depth == len(self.levels):
            return _values_in(self.values[at:to])
        begins = self.levels[depth]
        borders = np.ma.getdata(begins[at : to + 1]).tolist()
        lists = [self._rows(depth + 1, *pair) for pair in zip(borders, borders[1:], strict=False)]
        missing = np.ma.getmaskarray(begins[at:to])  # those that are missing as a whole
        return [
            None if is_missing else each for each, is_missing in zip(lists, missing, strict=True)
        ]


def _values_in(rows: np.ndarray) -> list[Any]:
    """Return the values of rows; None for one that is missing, and for an array of only these."""
    values: list[Any] = rows.tolist()
    if rows.ndim > 1 and isinstance(rows, np.ma.MaskedArray):
        missing = [bool(mask.all()) for mask in np.ma.getmaskarray(rows)]
        return [
            None if is_missing else row for row, is_missing in zip(values, missing, strict=True)
        ]
    return values


def to_text(entries: Mapping[str, Sequence[Any]]) -> str:
    """Return a table of the columns that fit, and the names of the other columns."""
    columns = [[printable(name), *map(_short, values)] for name, values in entries.items()]
    widths = [max(map(len, column)) for column in columns]
    room = shutil.get_terminal_size().columns
    left, shown = room, 0
    while shown < len(columns) and (widths[shown] <= left or shown == 0):
        left -= widths[shown] + 2
        shown += 1
    rows = zip(*columns[:shown], strict=True)
    cells = ((text.ljust(width) for text, width in zip(row, widths, strict=False)) for row in rows)
    lines = ["  ".join(row).rstrip() for row in cells]
    if shown < len(columns):
        names = ", ".join(column[0] for column in columns[shown:])
        more = f"and {len(columns) - shown} more: {names}"
        lines.append(shorten(more, _LINES_OF_NAMES * room, placeholder=" … (see kaon show)"))
    return "\n".join(lines)


def _short(value: Any) -> str:
    if isinstance(value, list):
        shown = ["None" if item is None else _short(item) for item in value[:MOST_VALUES]]
        return f"[{', '.join(shown + ['…'] * (len(value) > MOST_VALUES))}]"
    return value_text(value)
