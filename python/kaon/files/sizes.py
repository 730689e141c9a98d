"""The sizes of a file's parts, and the savings of rounding."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, TextIO

from kaon import _core
from kaon.files.paths import system_path
from kaon.modelgen.mistakes import printable
from kaon.terminal import say

if TYPE_CHECKING:
    from rich.table import Table

TRIED_BITS = (8, 10, 12, 16)
"""The numbers of mantissa bits for which the savings of rounding are estimated."""


@dataclass(frozen=True)
class ColumnSize:
    """The size of a column.

    Attributes
    ----------
    name
        The name of the member, or of the collection for its counts and presence.
    role
        "values"; "rows" (all members of a collection together); "counts" of rows; "presence"
        (whether entries have the collection).
    codecs
        Codecs and encodings in use, the one with most bytes first.
    stored_bytes, decoded_bytes
        The size in the file and in memory.
    share
        The fraction of the whole file.
    bytes_per_entry
        The average stored bytes of an entry.
    """

    name: str
    collection: str
    role: str
    codecs: list[str]
    stored_bytes: int
    decoded_bytes: int
    share: float
    bytes_per_entry: float

    @property
    def ratio(self) -> float | None:
        """Decoded bytes divided by stored bytes; None without stored bytes."""
        return self.decoded_bytes / self.stored_bytes if self.stored_bytes else None


@dataclass(frozen=True)
class CategorySize:
    """The size of a category.

    Attributes
    ----------
    meta_bytes
        The descriptions of clusters, with positions and bounds of pages.
    padding_bytes
        The bytes between pages that align them.
    savings
        If requested: estimates of saved bytes, from a few pages, by floating-point member and
        number of kept mantissa bits.
    """

    name: str
    entries: int
    columns: Sequence[ColumnSize]
    meta_bytes: int
    padding_bytes: int
    savings: dict[str, dict[int, int]] = field(default_factory=dict)

    @property
    def bytes(self) -> int:
        """The size of the category."""
        stored = sum(column.stored_bytes for column in self.columns)
        return stored + self.meta_bytes + self.padding_bytes

    def collections(self) -> dict[str, int]:
        """Return the stored bytes of each collection, parameter and value, in file order."""
        sums: dict[str, int] = {}
        for column in self.columns:
            sums[column.collection] = sums.get(column.collection, 0) + column.stored_bytes
        return sums


@dataclass(frozen=True, repr=False)
class FileSize:
    """The sizes of a file's parts, which add up to the size of the file.

    Attributes
    ----------
    categories
        The categories, usually most of the file.
    schema_bytes, document_bytes, index_bytes
        The descriptions of tables; models and other texts; the index, with the sorted keys.
    other_bytes
        The file's header, and bytes that belong to no part.
    """

    path: str
    bytes: int
    categories: Sequence[CategorySize]
    schema_bytes: int
    document_bytes: int
    index_bytes: int
    other_bytes: int

    def __repr__(self) -> str:
        categories = ", ".join(f"{each.name} {each.bytes:,}" for each in self.categories)
        inside = f"{self.bytes:,} bytes, {categories or 'no categories'}"
        return printable(f"<FileSize of '{self.path}': {inside}>")

    def _repr_html_(self) -> str:
        from kaon.cards import card, fold, size_text, table

        numbers = ("bytes", "decoded", "ratio", "of the file", "an entry")
        parts = []
        for category in self.categories:
            rows = table(_COLUMN_HEADINGS, _column_rows(category, None), numbers)
            parts.append(fold(category.name, size_text(category.bytes), rows))
        parts.append(table(_PART_HEADINGS, _part_rows(self), numbers))
        return card(self.path, [f"{self.bytes:,} bytes"], *parts)

    def to_dict(self) -> dict[str, Any]:
        """Return the sizes as values for JSON."""
        entries = asdict(self)
        for category, entry in zip(self.categories, entries["categories"], strict=True):
            entry["bytes"] = category.bytes
            entry["collections"] = category.collections()
            for column, line in zip(category.columns, entry["columns"], strict=True):
                line["ratio"] = column.ratio
        return entries

    def print(self, top: int | None = None, file: TextIO | None = None) -> None:
        """Print tables of the columns, largest first, and of the file's parts.

        Parameters
        ----------
        top
            The number of columns to show of each category; None for all.
        """
        from kaon.files.overview import print_table, terminal_width

        for category in self.categories:
            name = printable(f"{self.path}:{category.name}")
            say(f"{name}, {_core.counted(category.entries, 'entry', 'entries')}", file=file)
            print_table(_column_table(category, top, terminal_width(file)), file)
            if category.savings:
                say(f"{name}: estimated savings by keeping bits of the mantissa", file=file)
                print_table(_saving_table(category, top, self.bytes), file)
        say(printable(self.path), file=file)
        print_table(_part_table(self), file)


def size_of(
    path: str | os.PathLike[str],
    precision: bool = False,
    progress: Callable[[float], object] | None = None,
) -> FileSize:
    """Return the sizes of a file's parts; see `File.size`."""
    path = system_path(path)
    size = _core.size_of(path)
    file_size = FileSize(
        path,
        size.bytes,
        [_category(part, size.bytes) for part in size.categories],
        size.schema_bytes,
        size.document_bytes,
        size.index_bytes,
        size.other_bytes,
    )
    if precision:
        file = _core.File(path)
        for category in file_size.categories:
            core = file.category(category.name)
            for trial in _core.precision_trials(core, TRIED_BITS, progress):
                category.savings.setdefault(trial.name, {})[trial.bits] = trial.saved_bytes
    return file_size


def _category(size: _core.CategorySize, all_bytes: int) -> CategorySize:
    columns = [
        ColumnSize(
            column.name,
            column.collection,
            column.role,
            column.codecs,
            column.stored_bytes,
            column.decoded_bytes,
            column.stored_bytes / all_bytes,
            column.stored_bytes / size.entries if size.entries else 0.0,
        )
        for column in size.columns
    ]
    return CategorySize(size.name, size.entries, columns, size.meta_bytes, size.padding_bytes)


def _table(headings: Iterable[str], words: int = 1) -> Table:
    """Return an empty table; all columns except the first `words` are numbers."""
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(box=SIMPLE)
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="left" if i < words else "right", no_wrap=True)
    return table


_COLUMN_HEADINGS = (
    *("column", "role", "codec", "bytes", "decoded", "ratio", "of the file", "an entry"),
)


def _column_rows(category: CategorySize, top: int | None) -> list[tuple[str, ...]]:
    columns = sorted(category.columns, key=lambda column: -column.stored_bytes)
    return [
        (
            column.name,
            column.role,
            ", ".join(column.codecs),
            f"{column.stored_bytes:,}",
            f"{column.decoded_bytes:,}",
            "" if column.ratio is None else f"{column.ratio:.1f}",
            f"{column.share:.1%}",
            f"{column.bytes_per_entry:,.1f}",
        )
        for column in columns[:top]
    ]


_BROAD = ("role", "decoded", "an entry")  # columns that narrow terminals leave out


def _column_table(category: CategorySize, top: int | None, width: float) -> Table:
    from kaon.files.overview import narrow_table

    rows = _column_rows(category, top)
    widest = (max(map(len, column)) for column in zip(_COLUMN_HEADINGS, *rows, strict=True))
    shown = list(range(len(_COLUMN_HEADINGS)))
    if sum(widest) + 2 * len(shown) > width:
        rows = [(f"{row[0]}, {row[1]}", *row[1:]) if row[1] != "values" else row for row in rows]
        shown = [place for place in shown if _COLUMN_HEADINGS[place] not in _BROAD]
    headings = [_COLUMN_HEADINGS[place] for place in shown]
    words = headings.index("codec") + 1
    return narrow_table(headings, [[row[place] for place in shown] for row in rows], words)


def _saving_table(category: CategorySize, top: int | None, file_bytes: int) -> Table:
    bits = sorted({bits for saved in category.savings.values() for bits in saved})
    table = _table(("member", *(f"{each} bits" for each in bits)))
    names = sorted(category.savings, key=lambda name: -max(category.savings[name].values()))
    for name in names[:top]:
        saved = category.savings[name]
        cells = (
            f"{saved[each]:,} ({saved[each] / file_bytes:.1%})" if each in saved else ""
            for each in bits
        )
        table.add_row(printable(name), *cells)
    return table


_PART_HEADINGS = ("part", "bytes", "of the file")


def _part_rows(file: FileSize) -> list[tuple[str, ...]]:
    parts: list[tuple[str, int]] = []
    for category in file.categories:
        for collection, size in category.collections().items():
            parts.append((f"{category.name}: {collection}", size))
        parts.append((f"{category.name}: where pages are", category.meta_bytes))
        parts.append((f"{category.name}: alignment", category.padding_bytes))
    parts += [("tables", file.schema_bytes), ("documents", file.document_bytes)]
    parts += [("index", file.index_bytes), ("header and others", file.other_bytes)]
    parts.append(("all", file.bytes))
    return [(printable(part), f"{size:,}", f"{size / file.bytes:.1%}") for part, size in parts]


def _part_table(file: FileSize) -> Table:
    table = _table(_PART_HEADINGS)
    *parts, all_of_it = _part_rows(file)
    for row in parts:
        table.add_row(*row)
    table.add_section()
    table.add_row(*all_of_it)
    return table
