"""One entry of a category, object by object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TextIO

from kaon._core import Table, TableKind
from kaon.columns.flat import FlatArrays
from kaon.columns.schema import RELATIONS, Schema, is_text
from kaon.command.texts import short_text, value_text
from kaon.errors import UsageError
from kaon.files.category import Category
from kaon.files.overview import print_columns_apart
from kaon.modelgen.mistakes import printable
from kaon.terminal import say

MOST_ROWS = 20
"""The largest number of objects or values printed of a collection or list without ``--all``."""


class Entry:
    """The contents of one entry as plain Python values.

    Parameters
    ----------
    category
        The category of the entry.
    number
        The number of the entry; negative numbers count from the end.

    Raises
    ------
    UsageError
        If the entry does not exist.
    """

    def __init__(self, category: Category, number: int) -> None:
        entries = len(category)
        if not -entries <= number < entries:
            raise UsageError(f"{category._core.name}: has no entry {number}, only {entries}")
        self.number = number % entries
        self.category = category
        self.schema: Schema = category._schema
        arrays = category.arrays(entry_start=self.number, entry_stop=self.number + 1, library="np")
        assert isinstance(arrays, FlatArrays)
        self.arrays = arrays

    def roots(self) -> Iterator[int]:
        """Return the numbers of the tables that are present in the entry."""
        for number in self.schema.labels:
            if not self.schema.tables[number].can_be_absent or self._present(number):
                yield number

    def columns(self, number: int) -> dict[str, list[Any]]:
        """Return the values of a table's rows by member, and the rows of tables under each row."""
        values = {}
        for is_table, part in self.schema.parts(number):
            if is_table:
                values[self.schema.tail(part)] = self.below(part)
            else:
                name = self.schema.tables[number].members[part].name
                values[name] = self.arrays[self.schema.key(number, name)].tolist()
        return values

    def below(self, number: int) -> list[Any]:
        """Return the rows of a table, for each row of the table above it."""
        table = self.schema.tables[number]
        if is_text(table):
            return list(self.arrays[self.schema.label(number)])
        columns = self._columns_or_strings(number)
        rows: list[Any]
        if table.kind in RELATIONS:
            names = self.category.tables
            pairs = zip(columns["index"], columns["collection"], strict=True)
            rows = [{"index": i, "collection": names[c] if i >= 0 else None} for i, c in pairs]
        else:
            rows = _rows(columns)
        if not table.is_counted:
            return rows
        offsets = self.arrays.levels_of_table(number)[-1].tolist()
        return [rows[first:last] for first, last in zip(offsets, offsets[1:], strict=False)]

    def to_dict(self) -> dict[str, Any]:
        """Return values for JSON, without absent collections and parameters."""
        return {self.schema.labels[number]: self.value(number) for number in self.roots()}

    def value(self, number: int) -> Any:
        """Return the rows of a table under the entries, or the number of a value."""
        rows = _rows(self._columns_or_strings(number))
        return rows[0] if self.schema.tables[number].kind == TableKind.value else rows

    def _columns_or_strings(self, number: int) -> dict[str, list[Any]]:
        if any(self.schema.tables[n].kind == TableKind.text for n in self.schema.below(number)):
            return {"": list(self.arrays[self.schema.label(number)])}
        return self.columns(number)

    def _present(self, number: int) -> bool:
        return bool(self.arrays.present(self.schema.labels[number])[0])

    def print(self, show_all: bool = False, file: TextIO | None = None) -> None:
        """Print a table for each collection, and the parameters and values."""
        schema = self.schema
        others = []
        say(printable(f"{self.category._core.name}, entry {self.number}"), file=file)
        for number in self.roots():
            if _is_of_objects(schema.tables[number]):
                self._print_collection(number, show_all, file)
            else:
                others.append((printable(schema.labels[number]), self.value(number)))
        width = max((len(name) for name, _ in others), default=0)
        for name, value in others:
            say(f"{name:{width}} = {_list_text(value, show_all)}", file=file)

    def _print_collection(self, number: int, show_all: bool, file: TextIO | None) -> None:
        table = self.schema.tables[number]
        units = {
            member.name: f"\n[{printable(member.unit)}]" for member in table.members if member.unit
        }
        columns = self.columns(number)
        offsets = self.arrays.offsets(self.schema.labels[number])
        rows = int(offsets[-1])
        shown = rows if show_all else min(rows, MOST_ROWS)
        title = printable(f"{self.schema.labels[number]}: {rows} x {table.type or 'record'}")
        if rows == 0:
            say(f"{title}\n", file=file)
            return
        say(title, file=file)
        cells = [("", [str(row) for row in range(shown)])]
        for name, values in columns.items():
            heading = f"{printable(name)}{units.get(name, '')}"
            cells.append((heading, [short_text(v) for v in values[:shown]]))
        print_columns_apart(cells, file)
        if shown < rows:
            say(f"  ... and {rows - shown} more: --all shows them\n", file=file)


def _is_of_objects(table: Table) -> bool:
    """Return whether the rows of a table are objects, including records without a model."""
    is_of_records = any(member.name for member in table.members)
    return table.kind == TableKind.collection or (
        table.kind == TableKind.parameter and is_of_records
    )


def _list_text(value: Any, show_all: bool) -> str:
    """Return a value as a text; of a long list, the first values."""
    if show_all or not isinstance(value, list) or len(value) <= MOST_ROWS:
        return value_text(value)
    more = f"... and {len(value) - MOST_ROWS} more: --all shows them"
    return f"[{', '.join(map(value_text, value[:MOST_ROWS]))}, {more}]"


def _rows(columns: Mapping[str, list[Any]]) -> list[Any]:
    """Turn columns into rows."""
    rows = zip(*columns.values(), strict=True)
    return [_nested(dict(zip(columns, row, strict=True))) for row in rows]


def _nested(flat: Mapping[str, Any]) -> Any:
    """Turn names with dots into nested dictionaries, and numbered names into lists."""
    if list(flat) == [""]:
        return flat[""]
    inside: dict[str, dict[str, Any]] = {}
    for name, value in flat.items():
        head, _, tail = name.partition(".")
        inside.setdefault(head, {})[tail] = value
    nested = {name: _nested(part) for name, part in inside.items()}
    is_array = len(nested) > 1 and list(nested) == [str(i) for i in range(len(nested))]
    return list(nested.values()) if is_array else nested
